/**
 * Detects text that ends in a word that needs a continuation: it was cut off, or never finished.
 */
import { withoutEnd } from '../../lib/text/trim-end.ts'

// Without `in`, `on` and `off`, which end whole sentences as well: "The sale is on".
const leading = new Set(
  'a an and are as at because before between but by during for from has into is its my of or our per than the their to under until via with without your'.split(
    ' ',
  ),
)

const marks = /[\s,:;(–-]/u

/** Whether the text ends in a colon or in such a word, for example `at`. */
export function endsOpen(text: string): boolean {
  const words = text.trimEnd()
  return /[:;,(]$/.test(words) || leadsOn(words)
}

/** The text up to the last word that may end it. */
export function withoutOpenEnd(text: string): string {
  let trimmed = withoutMarks(text)
  while (leadsOn(trimmed)) trimmed = withoutMarks(trimmed.slice(0, lastWordAt(trimmed)))
  return trimmed
}

/** A dash after a number is part of a price: `20.-`. */
function withoutMarks(text: string): string {
  const shorter = withoutEnd(text, marks)
  return /\d\.?$/.test(shorter) && /^[–-]/u.test(text.slice(shorter.length))
    ? text.slice(0, shorter.length + 1)
    : shorter
}

function leadsOn(text: string): boolean {
  const word = text.slice(lastWordAt(text))
  if (leading.has(word.toLowerCase())) return true
  return ['in', 'on'].includes(word.toLowerCase()) && !endsWhole(text)
}

const before = new Set(
  'are back come dial drop eat game go goes hold is join log move moves moving opt sale sign stay turn'.split(
    ' ',
  ),
)

/** Whether the text is a whole sentence with such an end: `We are back in`, `The sale is on`. */
function endsWhole(text: string): boolean {
  const words = text.slice(0, lastWordAt(text)).trimEnd()
  return before.has(words.slice(lastWordAt(words)).toLowerCase())
}

function lastWordAt(text: string): number {
  return text.lastIndexOf(' ') + 1
}
