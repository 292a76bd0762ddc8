/** Sentences of a brief: splits and completes them without changing what they state. */
import { withoutEnd } from '../../../lib/text/trim-end.ts'
import { endsOpen, withoutOpenEnd } from '../../preflight/open-end.ts'
import { isFigure } from './details.ts'

const shortForms = new Set(
  'approx ca dr e.g etc excl i.e incl max min mr mrs ms no nr p.a prof sr st str tel vs'.split(' '),
)

/** Splits after a full stop that ends a sentence: not within `18.30`, and not after `p.m.` */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  let sentence: string[] = []
  const runs = text.split(/\s+/).filter((run) => run !== '')
  for (const [n, run] of runs.entries()) {
    sentence.push(run)
    if (!/[.!?…]["'”’)]?$/u.test(run) || !mayEnd(run, runs[n + 1])) continue
    sentences.push(sentence.join(' '))
    sentence = []
  }
  if (sentence.length > 0) sentences.push(sentence.join(' '))
  return sentences
}

function mayEnd(run: string, next: string | undefined): boolean {
  if (next === undefined || !run.endsWith('.')) return true
  const word = run.slice(0, -1).toLowerCase()
  const isShort = shortForms.has(word) || /^(?:\p{L}\.)*\p{L}$/u.test(word)
  // `6 p.m. Bring a friend.` is two sentences. `6 p.m. on Friday` and `St. Mary` are one.
  return !isShort || (word.includes('.') && /^\p{Lu}/u.test(next))
}

/** Adds the link that the sentence leads up to (`Book at:`), or drops words that lead nowhere. */
export function made(sentence: string, link: string | undefined): string {
  const text = capitalised(sentence.trim())
  if (!endsOpen(withoutEnd(text, /[.\s]/))) return ended(text)
  return link === undefined ? ended(withoutOpenEnd(text)) : `${withoutEnd(text, /[.\s]/)} ${link}`
}

/** Capitalises the first letter, unless the word is a name or a code, which stay as written. */
export function capitalised(text: string): string {
  const [word = ''] = text.split(' ', 1)
  if (!/^\p{Ll}[\p{Ll}’'-]*[,;:.!?]?$/u.test(word)) return text
  const [first = ''] = text
  return first.toLocaleUpperCase() + text.slice(first.length)
}

function ended(text: string): string {
  const [last = ''] = text.split(' ').slice(-1)
  return text === '' || /[.!?…]["'”’)]?$/u.test(text) || last.includes('://') ? text : `${text}.`
}

/**
 * At most `limit` characters, cut between words: before a clause where there is one, never within a
 * time or a price, and never after a word that leads up to the dropped text.
 */
export function cutTo(text: string, limit: number): string {
  if (text.length <= limit) return withoutOpenEnd(text)
  const fitting = text.slice(0, limit).split(' ').slice(0, -1)
  const clause = fitting.findLastIndex((word, n) => n > 1 && /[,;:–]$/u.test(word))
  if (clause >= 0) return withoutOpenEnd(fitting.slice(0, clause + 1).join(' '))
  while (fitting.length > 0 && isFigure(fitting.at(-1) ?? '')) fitting.pop()
  const words = withoutOpenEnd(fitting.join(' '))
  return `${words === '' ? text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '') : words}…`
}
