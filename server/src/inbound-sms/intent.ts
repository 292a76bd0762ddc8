/** What a text from a person means to us: a keyword, perhaps an opt-out in their own words, or neither. */
import { optOutPhrases } from './opt-out-phrases.ts'

export const meanings = ['stop', 'start', 'help', 'opt_out', 'other'] as const
export type Meaning = (typeof meanings)[number]

const keywords = new Map<string, Meaning>([
  ...['STOP', 'STOPALL', 'QUIT', 'END', 'REVOKE', 'OPTOUT', 'CANCEL', 'UNSUBSCRIBE'].map(
    (word): [string, Meaning] => [word, 'stop'],
  ),
  ['START', 'start'],
  ['UNSTOP', 'start'],
  ['HELP', 'help'],
  ['INFO', 'help'],
])

/** Words of a text that are looked at; nobody asks to be left alone at greater length. */
const wordsRead = 60

/**
 * A keyword is the whole text, however it is written: case, punctuation, spaces, emoji and
 * the width of letters count for nothing (`opt-out`, `Ｓｔｏｐ!`).
 */
export function intentOf(text: string): Meaning {
  const words = wordsOf(text)
  const keyword = keywords.get(words.join('').toUpperCase())
  if (keyword) return keyword
  return isOptOut(words) ? 'opt_out' : 'other'
}

/** NFKC gives letters one width; an apostrophe joins, so that don’t and dont are one word. */
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

/** Whole words in a row, so that nothing is read into `nonstop`. */
function isOptOut(words: string[]): boolean {
  const line = ` ${words.join(' ')} `
  return (
    keywords.get((words[0] ?? '').toUpperCase()) === 'stop' ||
    optOutPhrases.some((phrase) => line.includes(` ${phrase} `))
  )
}
