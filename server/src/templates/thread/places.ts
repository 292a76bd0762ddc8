/**
 * Finds the place in the HTML where each value will be. Escaping makes a value safe in text and in
 * a quoted attribute. In any other place it could become markup or code, and is refused.
 */
import type { Hidden } from './hidden.ts'

export interface Places {
  /** Codes whose value begins an address, such as that of a link. */
  urls: ReadonlySet<number>
  /** The first value in a place that is not permitted, and why. */
  wrong?: { n: number; why: string }
}

const addresses = new Set(['href', 'src', 'action', 'background', 'formaction', 'poster', 'srcset'])
const code = new Set(['script', 'style'])

interface Place {
  /** The element's name, inside `<script>` or `<style>`. */
  code?: string
  attribute?: string
  /** The part of the attribute before the value, without Liquid's words. */
  before?: string
  /** Whether the place is inside a tag, but not inside quotes. */
  bare?: boolean
}

export function placesOf(text: string, { codes, words }: Hidden): Places {
  const urls = new Set<number>()
  let wrong: Places['wrong']
  for (const { place, from, to } of spans(text)) {
    const span = text.slice(from, to)
    let begins = place.attribute !== undefined && addresses.has(place.attribute)
    let at = 0
    for (const match of span.matchAll(words)) {
      begins &&= span.slice(at, match.index).trim() === ''
      at = match.index + match[0].length
      const n = Number(match[1])
      if (codes[n]?.kind !== 'output') continue
      const why = whyNot(place)
      if (why !== undefined) wrong ??= { n, why }
      if (begins) urls.add(n)
    }
  }
  return { urls, ...(wrong && { wrong }) }
}

function whyNot(place: Place): string | undefined {
  if (place.code !== undefined) return `stands within <${place.code}>, where no value may`
  if (place.bare) return 'stands in a tag without quotes: put quotes around it'
  if (place.attribute?.startsWith('on')) return `stands in ${place.attribute}, which is code`
  return undefined
}

interface Span {
  place: Place
  from: number
  to: number
}

// Matches a comment, or the name of an opening or closing tag.
const opening = /<!--|<\/?([A-Za-z][^\s/>]*)/g
const attributeName = /[^\s"'<>/=]+/y
const gap = /\s*(=?)\s*/y

/** Splits the text into spans of one place each, by the tokenizer's states that matter here. */
function* spans(text: string): Generator<Span> {
  let at = 0
  while (at < text.length) {
    opening.lastIndex = at
    const found = opening.exec(text)
    const start = found ? found.index : text.length
    yield { place: {}, from: at, to: start }
    if (!found) return
    // Comments for Outlook contain HTML, so their content is read as HTML.
    at = opening.lastIndex
    const name = found[1]?.toLowerCase()
    if (name === undefined) continue
    at = yield* tagSpans(text, at)
    if (code.has(name) && !found[0].startsWith('</')) {
      // Not lower-cased, because that makes some letters longer.
      const end = endOf(name, text, at)
      const to = end < 0 ? text.length : end
      yield { place: { code: name }, from: at, to }
      at = to
    }
  }
}

/** The attributes of a tag. Returns the position where the tag ends. */
function* tagSpans(text: string, from: number): Generator<Span, number> {
  let at = from
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === '>') return at + 1
    attributeName.lastIndex = at
    const name = attributeName.exec(text)?.[0]
    if (name === undefined) {
      at++
      continue
    }
    yield { place: { bare: true }, from: at, to: at + name.length }
    at += name.length
    gap.lastIndex = at
    const equals = gap.exec(text)
    if (!equals?.[1]) continue
    at += equals[0].length
    const quote = text[at]
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, at + 1)
      const to = end < 0 ? text.length : end
      yield { place: { attribute: name.toLowerCase() }, from: at + 1, to }
      at = to + 1
    } else {
      const value = /[^\s>]*/y
      value.lastIndex = at
      const length = value.exec(text)?.[0].length ?? 0
      yield { place: { bare: true }, from: at, to: at + length }
      at += length
    }
  }
  return at
}

function endOf(name: string, text: string, from: number): number {
  const closing = new RegExp(`</${name}`, 'gi')
  closing.lastIndex = from
  return closing.exec(text)?.index ?? -1
}
