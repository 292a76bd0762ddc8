/** Compiles a source: each part becomes the Liquid that is rendered for every recipient. */
import type { MailLook } from '../blocks/block.ts'
import { type EmailSource, isEmail, type Part, partsOf, type TemplateSource } from '../source.ts'
import { shownName } from '../variables.ts'
import { type Code, type Hidden, hideLiquid, joinedTags, lostCode, showLiquid } from './hidden.ts'
import { assertParses, faultIn, parsePart, variablesOf } from './liquid.ts'
import { isTooDeep, SourceError, tooDeep } from './source-error.ts'

/** The parts as Liquid. A mail without HTML has only text. An SMS has an empty subject. */
export interface CompiledParts {
  subject: string
  html?: string
  text: string
}

export interface CompiledSource {
  parts: CompiledParts
  /** The variables that the template uses, such as `contact.name`. */
  variables: string[]
}

interface Steps {
  ours(): void
  step(part: Part | 'blocks'): void
}

/** Blocks are compiled for the look of the business whose mail it is. */
export async function compileSource(
  source: TemplateSource,
  steps: Steps,
  look: MailLook,
): Promise<CompiledSource> {
  assertNameFree(source)
  if (!isEmail(source) || source.blocks === undefined) return compileParts(source, steps)
  steps.ours()
  const { fromBlocks } = await import('./from-blocks.ts')
  steps.step('blocks')
  const { blocks, ...others } = source
  const { mjml, relabelled } = fromBlocks({ blocks, title: source.subject }, look)
  try {
    return await compileParts({ ...others, mjml }, steps, 'blocks')
  } catch (error) {
    throw relabelled(error)
  }
}

/** Whoever could set it would decide who sees which block. */
function assertNameFree({ translations: _others, ...source }: TemplateSource): void {
  for (const [part, text] of Object.entries(source)) {
    if (!JSON.stringify(text).includes(shownName)) continue
    throw new SourceError(part, `has the word ${shownName}, which the service keeps for itself.`)
  }
}

async function compileParts(
  source: TemplateSource,
  steps: Steps,
  body?: 'blocks',
): Promise<CompiledSource> {
  const texts = partsOf(source)
  for (const [part, text] of texts) {
    steps.step(part === 'mjml' ? (body ?? part) : part)
    assertParses(part, text, part === 'html' || part === 'mjml' ? 'html' : 'plain')
  }
  const variables = [...new Set(texts.flatMap(([part, text]) => namesIn(part, text)))].toSorted()
  if (!isEmail(source)) return { parts: { subject: '', text: source.text }, variables }
  const html = await htmlOf(source, steps, body)
  const text = source.text ?? html?.text ?? ''
  return {
    parts: { subject: source.subject, ...(html && { html: html.html }), text },
    variables,
  }
}

/** The values of a call are nested no deeper, so a longer name could never be filled in. */
const deepestName = 32

function namesIn(part: Part, text: string): string[] {
  const names = variablesOf(text)
  const deep = names.find((name) => name.split('.').length > deepestName)
  if (deep !== undefined) {
    const rule = `has {{ ${deep.slice(0, 40)}… }} with more than ${deepestName} names in a row.`
    throw new SourceError(part, rule)
  }
  return names
}

async function htmlOf(
  source: EmailSource,
  { ours, step }: Steps,
  body: 'blocks' | undefined,
): Promise<{ html: string; text: string } | undefined> {
  const part = source.mjml === undefined ? 'html' : 'mjml'
  const markup = source[part]
  if (markup === undefined) return undefined
  ours()
  const { inlined, textOfHtml, withPreheader } = await import('./markup.ts')
  const mjml = part === 'mjml' ? await import('./mjml.ts') : undefined
  step(body ?? part)
  const hidden = hideLiquid(markup)
  // Checked as the author wrote it, with correct line numbers, and below in its final form.
  placed(part, hidden.text, hidden)
  const whole = inlined(mjml ? await mjml.fromMjml(hidden.text) : hidden.text)
  const lost = lostCode(whole, hidden)
  if (lost) {
    const hint = part === 'mjml' ? 'put it into an mj-raw' : 'move it out of the tag it stands in'
    throw new SourceError(part, `would lose ${shown(lost)}: ${hint}.`)
  }
  const urls = placed(part, whole, hidden)
  const spell = (code: Code, n: number) => (urls.has(n) ? withSafeUrl(code.text) : code.text)
  const html = showLiquid(whole, hidden, spell)
  if (html !== markup) {
    assertWhole(part, html, 'move loops and conditions out of tags and style attributes')
  }
  const text = source.text ?? showLiquid(joinedTags(textOfHtml(whole), hidden), hidden, spell)
  if (source.text === undefined) {
    assertWhole(part, text, 'move loops and conditions out of tags, or give text as well')
  }
  if (source.preheader === undefined) return { html, text }
  return { html: withPreheader(html, escapedAround(source.preheader)), text }
}

/**
 * The result made from the source must be a valid template too. A loop may begin in a part that was
 * kept and end in a part that was dropped, such as inside a tag, which a plain text does not
 * contain.
 */
function assertWhole(part: Part, output: string, hint: string): void {
  try {
    parsePart(output, 'html')
  } catch (error) {
    if (isTooDeep(error)) throw new SourceError(part, tooDeep)
    const message = `has Liquid that does not stay together: ${faultIn(error)}; ${hint}.`
    throw new SourceError(part, message)
  }
}

/** Returns the codes that begin an address, once every value is in a permitted place. */
function placed(part: Part, text: string, hidden: Hidden): ReadonlySet<number> {
  const { urls, fault } = placesOf(text, hidden)
  if (fault) throw new SourceError(part, `has ${shown(hidden.codes[fault.n])}, which ${fault.why}.`)
  return urls
}

function shown(code: Code | undefined): string {
  return code ? `${code.text.slice(0, 80)} of line ${code.line}` : 'a value'
}

/** `{{ link }}` becomes `{{ link | safe_url }}`, with any filters and trimming it has. */
function withSafeUrl(output: string): string {
  const end = output.endsWith('-}}') ? '-}}' : '}}'
  return `${output.slice(0, -end.length).trimEnd()} | safe_url ${end}`
}

/** Escapes the author's own words, which are not HTML. The engine escapes Liquid's output. */
function escapedAround(text: string): string {
  const hidden = hideLiquid(text)
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
  return showLiquid(
    hidden.text.replace(/[&<>]/g, (entry) => entities[entry] ?? ''),
    hidden,
  )
}

interface Places {
  /** Codes whose value begins an address, such as that of a link. */
  urls: ReadonlySet<number>
  /** The first value in a place that is not permitted, and why. */
  fault?: { n: number; why: string }
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

/**
 * Finds the place in the HTML where each value will be. Escaping makes a value safe in text and in
 * a quoted attribute. In any other place it could become markup or code, and is refused.
 */
function placesOf(text: string, { codes, words }: Hidden): Places {
  const urls = new Set<number>()
  let fault: Places['fault']
  for (const { position, from, to } of spans(text)) {
    const span = text.slice(from, to)
    let begins = position.attribute !== undefined && addresses.has(position.attribute)
    let at = 0
    for (const match of span.matchAll(words)) {
      begins &&= span.slice(at, match.index).trim() === ''
      at = match.index + match[0].length
      const n = Number(match[1])
      if (codes[n]?.kind !== 'output') continue
      const why = whyNot(position)
      if (why !== undefined) fault ??= { n, why }
      if (begins) urls.add(n)
    }
  }
  return { urls, ...(fault && { fault }) }
}

function whyNot(span: Place): string | undefined {
  if (span.code !== undefined) return `stands within <${span.code}>, where no value may`
  if (span.bare) return 'stands in a tag without quotes: put quotes around it'
  if (span.attribute?.startsWith('on')) return `stands in ${span.attribute}, which is code`
  return undefined
}

interface Span {
  position: Place
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
    const match = opening.exec(text)
    const start = match ? match.index : text.length
    yield { position: {}, from: at, to: start }
    if (!match) return
    // Comments for Outlook contain HTML, so their content is read as HTML.
    at = opening.lastIndex
    const name = match[1]?.toLowerCase()
    if (name === undefined) continue
    at = yield* tagSpans(text, at)
    if (code.has(name) && !match[0].startsWith('</')) {
      // Not lower-cased, because that makes some letters longer.
      const end = endOf(name, text, at)
      const to = end < 0 ? text.length : end
      yield { position: { code: name }, from: at, to }
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
    yield { position: { bare: true }, from: at, to: at + name.length }
    at += name.length
    gap.lastIndex = at
    const equals = gap.exec(text)
    if (!equals?.[1]) continue
    at += equals[0].length
    const quote = text[at]
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, at + 1)
      const to = end < 0 ? text.length : end
      yield { position: { attribute: name.toLowerCase() }, from: at + 1, to }
      at = to + 1
    } else {
      const value = /[^\s>]*/y
      value.lastIndex = at
      const length = value.exec(text)?.[0].length ?? 0
      yield { position: { bare: true }, from: at, to: at + length }
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
