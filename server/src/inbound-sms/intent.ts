/**
 * The intent of an inbound text: a keyword, possibly an opt-out in the person's own words, or
 * neither.
 */
import { optOutPhrases } from './opt-out-phrases.ts'

export const meanings = ['stop', 'start', 'help', 'opt_out', 'other'] as const
export type Meaning = (typeof meanings)[number]

/**
 * A text that only begins with a stop keyword is marked for review (`isOptOut`), so a word that begins
 * ordinary sentences is not added here. `docs/design/sms-replies.md` and the test repeat the list.
 */
const keywords = new Map<string, Meaning>([
  ...['STOP', 'STOPALL', 'QUIT', 'END', 'REVOKE', 'OPTOUT', 'CANCEL', 'UNSUBSCRIBE'].map(
    (word): [string, Meaning] => [word, 'stop'],
  ),
  ['START', 'start'],
  ['UNSTOP', 'start'],
  ['HELP', 'help'],
  ['INFO', 'help'],
])

/** The number of words of a text to examine. No opt-out request is longer. */
const wordsRead = 60

/**
 * A keyword must be the whole text, whatever its case, punctuation, spaces, emoji or width of
 * letters (`opt-out`, `Ｓｔｏｐ!`).
 */
export function intentOf(text: string): Meaning {
  const words = wordsOf(text)
  const keyword = keywords.get(words.join('').toUpperCase())
  if (keyword) return keyword
  return isOptOut(words) ? 'opt_out' : 'other'
}

/** NFKC gives all letters one width. An apostrophe joins, so that don’t and dont are one word. */
function wordsOf(text: string): string[] {
  return text
    .slice(0, wordsRead * 20)
    .normalize('NFKC')
    .replace(/['’`´]/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, wordsRead)
}

/** Matches whole words in sequence, so that `nonstop` matches nothing. */
function isOptOut(words: string[]): boolean {
  const line = ` ${words.join(' ')} `
  return (
    keywords.get((words[0] ?? '').toUpperCase()) === 'stop' ||
    optOutPhrases.some((phrase) => line.includes(` ${phrase} `))
  )
}
