/** Sentences of a brief: split without cutting a fact, and completed without changing their words. */
import type { Fact } from './facts.ts'

const shortForms = new Set(
  'approx bzw ca dr e.g etc excl fr i.e incl inkl max mde min mind mlle mme mr mrs ms no nr p.a prof sr st str tel vs zb z.b déc dez dec jan feb fév mo di mi do sa so lun mar mer jeu ven sam dim'.split(
    ' ',
  ),
)

export interface Span {
  start: number
  end: number
}

/** Splits after a full stop that ends a sentence, and at a line break. */
export function sentencesOf(text: string, facts: readonly Fact[]): Span[] {
  const spans: Span[] = []
  let start = 0
  const end = (at: number) => {
    if (text.slice(start, at).trim() !== '') spans.push({ start, end: at })
    start = at
  }
  let next = 0
  for (let at = 0; at < text.length; at++) {
    while ((facts[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++
    const fact = facts[next]
    const isWithin = fact !== undefined && at >= fact.start && at < fact.end
    const character = text[at] ?? ''
    if (character === '\n') end(at + 1)
    else if (!isWithin && '.!?…'.includes(character)) {
      // A number that is a whole fact, such as `£60.`, ends its sentence.
      const isAfterFact = facts[next - 1]?.end === at
      if (isEnd(text, at, isAfterFact)) end(at + 1)
    }
  }
  end(text.length)
  return spans
}

function isEnd(text: string, at: number, isAfterFact: boolean): boolean {
  const after = text[at + 1]
  if (after !== undefined && !/[\s]/.test(after)) return false
  if (text[at] !== '.' || isAfterFact) return true
  // Read backwards no further than the longest short form.
  let from = at
  while (from > 0 && at - from < 6 && /[\p{L}\p{N}.]/u.test(text[from - 1] ?? '')) from--
  const word = text.slice(from, at).toLowerCase()
  // `2. Januar`, `Dr. Müller`, `p.m. on Friday`.
  return !shortForms.has(word) && !/^(?:\p{L}\.)*\p{L}$/u.test(word) && !/^\d{1,2}$/.test(word)
}

/** The parts of a sentence between commas and semicolons, which are not within a fact or brackets. */
export function clausesOf(text: string, span: Span, facts: readonly Fact[]): Span[] {
  const spans: Span[] = []
  let { start } = span
  let depth = 0
  const within = facts.filter((fact) => fact.end > span.start && fact.start < span.end)
  let next = 0
  for (let at = span.start; at < span.end; at++) {
    while ((within[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++
    const fact = within[next]
    if (fact && at >= fact.start && at < fact.end) continue
    const character = text[at] ?? ''
    if (character === '(') depth++
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0 && (character === ';' || (character === ',' && isParting(text, at)))) {
      spans.push({ start, end: at })
      start = at + 1
    }
  }
  spans.push({ start, end: span.end })
  return spans
}

/** The comma of `9,80` parts nothing. */
const isParting = (text: string, at: number) =>
  !(/\d/.test(text[at - 1] ?? '') && /\d/.test(text[at + 1] ?? ''))

/** As a sentence: a capital letter at the beginning, and a full stop at the end. */
export function completed(text: string): string {
  const words = text.trim()
  const [first = ''] = words.split(' ', 1)
  const isWord = /^\p{Ll}[\p{Ll}’'-]*[,;:.!?]?$/u.test(first)
  const whole = isWord ? (words[0] ?? '').toLocaleUpperCase() + words.slice(1) : words
  const last = whole.slice(whole.lastIndexOf(' ') + 1)
  return whole === '' || /[.!?…]["'”’)»]?$/u.test(whole) || last.includes('://')
    ? whole
    : `${whole}.`
}
