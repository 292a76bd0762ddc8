/**
 * The intent of an inbound text: a keyword, possibly an opt-out in the person's own words, or
 * neither.
 */
import type { RecipientLanguage } from '../core/recipient-words/languages.ts'
import {
  beginnings,
  courtesies,
  elsewhere,
  everywhere,
  fillers,
  harmfulWords,
  harmlessFollowers,
  type Keywords,
  keywords,
  notOptOuts,
  ordinaryWords,
} from './keywords.ts'

export const meanings = ['stop', 'start', 'help', 'opt_out', 'other'] as const
export type Meaning = (typeof meanings)[number]

export interface Intent {
  meaning: Meaning
  /** The languages in which the text is a keyword. Empty if it belongs to none in particular. */
  languages: readonly RecipientLanguage[]
}

/** The number of words of a text to examine. No opt-out request is longer. */
const wordsRead = 60
/** The most words of a keyword. */
const longestKeyword = 14
/** A word of this length is a misspelt keyword if one letter differs. */
const shortestMisspelt = 7

/** Signs that say no without a word. */
const stopSigns = ['🛑', '⛔', '🚫', '❌', '🔕', '📵']

/**
 * A keyword must be the whole text, whatever its case, accents, punctuation, spaces, emoji or width
 * of letters (`opt-out`, `Ｓｔｏｐ!`), with nothing but a courtesy before or after it. A text that
 * may be an opt-out in any language is `opt_out`, for a person to decide.
 */
export function intentOf(text: string): Intent {
  const tables = readTables()
  const start = text.slice(0, wordsRead * 20)
  const words = wordsOf(start)
  if (words.length === 0) {
    const isSign = stopSigns.some((sign) => start.includes(sign))
    return { meaning: isSign ? 'opt_out' : 'other', languages: [] }
  }
  const keyword = keywordIn(tables, words)
  if (keyword) return keyword
  return { meaning: isOptOut(tables, words) ? 'opt_out' : 'other', languages: [] }
}

/** Whether the text says yes, which providers take for START but which often answers a question. */
export function isYes(text: string): boolean {
  return yesWords.has(wordsOf(text.slice(0, 100)).join(''))
}

const yesWords = new Set(
  'yes y yep yeah yup sure ja jo oui si sim tak ok okay はい نعم да 好'.split(' '),
)

function keywordIn(tables: Tables, words: string[]): Intent | undefined {
  // A keyword that is repeated is meant once.
  const [first = ''] = words
  const once = new Set(words).size === 1 ? [first] : words
  const whole = once.length <= longestKeyword ? once : []
  const plain = whole.length > 0 ? without(whole, tables.courtesies) : []
  for (const tried of [whole, plain]) {
    const intent = tables.whole.get(tried.join(''))
    if (intent) return intent
  }
  const key = plain.join('')
  const stop = stopSpeltAs(tables, key)
  if (stop) return stop
  const bare = without(plain, tables.aroundStop)
  const intent = tables.whole.get(bare.join(''))
  if (intent?.meaning === 'stop' && intent.languages.length === 0) return intent
  const isNo = intent?.meaning === 'stop' || intent?.meaning === 'opt_out'
  return isNo ? { meaning: 'opt_out', languages: [] } : undefined
}

/** STOP with digits in place of letters (`ST0P`), or drawn out (`stoooop`). */
function stopSpeltAs({ whole }: Tables, key: string): Intent | undefined {
  for (const spelt of [withLetters(key), withoutRuns(key)]) {
    const intent = spelt === key ? undefined : whole.get(spelt)
    if (intent?.meaning === 'stop') return intent
  }
  return undefined
}

const letters = new Map(Object.entries({ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's' }))

function withLetters(key: string): string {
  return Array.from(key, (character) => letters.get(character) ?? character).join('')
}

/** Leaves one of three equal letters or more. */
function withoutRuns(key: string): string {
  let bare = ''
  let run: string[] = []
  for (const character of [...Array.from(key), '']) {
    if (run[0] === character) run.push(character)
    else {
      bare += (run.length > 2 ? run.slice(0, 1) : run).join('')
      run = [character]
    }
  }
  return bare
}

/** The words without those sequences at their beginning and end. */
function without(words: readonly string[], sequences: readonly (readonly string[])[]): string[] {
  let rest = [...words]
  for (;;) {
    const before = sequences.find((sequence) => begins(rest, sequence))
    if (before) {
      rest = rest.slice(before.length)
      continue
    }
    const after = sequences.find((sequence) => begins(rest.slice(-sequence.length), sequence))
    if (!after) return rest
    rest = rest.slice(0, -after.length)
  }
}

function begins(words: readonly string[], sequence: readonly string[]): boolean {
  return words.length >= sequence.length && sequence.every((word, index) => words[index] === word)
}

/** Matches whole words in sequence, so that `nonstop` matches nothing. */
function isOptOut(tables: Tables, words: string[]): boolean {
  const all = ` ${words.join(' ')} `
  const line = tables.notOptOuts.reduce((text, pair) => text.replaceAll(` ${pair} `, '  '), all)
  if (tables.within.some((phrase) => line.includes(` ${phrase} `))) return true
  const joined = words.join('')
  if (tables.unspaced.some((phrase) => joined.includes(phrase))) return true
  const [first = '', second = ''] = words
  if (tables.beginnings.has(first) && line.startsWith(` ${first} `)) {
    return !tables.harmlessFollowers.has(second) || words.some((word) => tables.harmful.has(word))
  }
  return words.length === 1 && isMisspelt(tables, first)
}

function isMisspelt({ longStops, whole, ordinary }: Tables, word: string): boolean {
  if (word.length < shortestMisspelt - 1 || word.length > 30) return false
  if (ordinary.has(word) || whole.has(word)) return false
  return longStops.some((keyword) => isOneSlipAway(word, keyword))
}

/** Whether one letter was left out, added, replaced, or swapped with its neighbour. */
function isOneSlipAway(word: string, keyword: string): boolean {
  if (Math.abs(word.length - keyword.length) > 1) return false
  let same = 0
  while (same < word.length && word[same] === keyword[same]) same++
  const [a, b] = [word.slice(same), keyword.slice(same)]
  if (a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1)) return true
  return a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
}

/**
 * The words as they are compared: in one width, lower case, without accents. An apostrophe joins,
 * so that don’t and dont are one word.
 */
export function wordsOf(text: string): string[] {
  return plainLetters(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, wordsRead)
}

/** Letters with a stroke and the like, which Unicode does not decompose. */
const strokes = new Map(
  Object.entries({
    ł: 'l',
    ø: 'o',
    æ: 'ae',
    œ: 'oe',
    ß: 'ss',
    đ: 'd',
    ı: 'i',
    ى: 'ي',
    ة: 'ه',
    ـ: '',
  }),
)

function plainLetters(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/['’`´ʼ]/g, '')
    // The marks of Japanese make another syllable.
    .replace(/(?![\u3099\u309a])\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFC')
  return Array.from(bare, (character) => strokes.get(character) ?? character).join('')
}

interface Tables {
  /** By the text without spaces. */
  whole: ReadonlyMap<string, Intent>
  /** Phrases of words that spaces divide, and of Japanese and Chinese, which have none. */
  within: readonly string[]
  unspaced: readonly string[]
  longStops: readonly string[]
  courtesies: readonly string[][]
  /** Courtesies and fillers. */
  aroundStop: readonly string[][]
  beginnings: ReadonlySet<string>
  harmlessFollowers: ReadonlySet<string>
  harmful: ReadonlySet<string>
  notOptOuts: readonly string[]
  ordinary: ReadonlySet<string>
}

let tables: Tables | undefined

/** Made with the first text: an idle service needs none of this. */
function readTables(): Tables {
  tables ??= makeTables()
  return tables
}

function makeTables(): Tables {
  const whole = new Map<string, { meaning: Meaning; languages: RecipientLanguage[] }>()
  const within: string[][] = []
  const add = (table: Keywords, language?: RecipientLanguage) => {
    const { stop, start, help, maybe } = table
    for (const [phrases, meaning] of [
      [stop, 'stop'],
      [start, 'start'],
      [help, 'help'],
      [maybe, 'opt_out'],
    ] as const) {
      for (const phrase of phrasesOf(phrases)) {
        const key = phrase.join('')
        const entry = whole.get(key) ?? { meaning, languages: [] }
        const isNew = !whole.has(key)
        whole.set(key, entry)
        // What belongs to every language belongs to none in particular.
        const isMore = isNew || entry.languages.length > 0
        if (language && isMore && !entry.languages.includes(language))
          entry.languages.push(language)
      }
    }
    within.push(...phrasesOf(table.within))
  }
  for (const table of [everywhere, ...elsewhere]) add(table)
  for (const [language, table] of Object.entries(keywords))
    add(table, language as RecipientLanguage)
  const isSpaced = (phrase: string[]) =>
    !phrase.some((word) => /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(word))
  const setOf = (patterns: readonly string[]) =>
    new Set(phrasesOf(patterns).map((words) => words.join(' ')))
  return {
    whole,
    within: within.filter(isSpaced).map((words) => words.join(' ')),
    unspaced: within.filter((words) => !isSpaced(words)).map((words) => words.join('')),
    longStops: [...whole].flatMap(([key, { meaning }]) =>
      meaning === 'stop' && key.length >= shortestMisspelt && key.length <= 20 ? [key] : [],
    ),
    courtesies: longestFirst(phrasesOf(courtesies)),
    aroundStop: longestFirst(phrasesOf([...courtesies, ...fillers])),
    beginnings: setOf(beginnings),
    harmlessFollowers: setOf(harmlessFollowers),
    harmful: setOf(harmfulWords),
    notOptOuts: [...setOf(notOptOuts)],
    ordinary: setOf(ordinaryWords),
  }
}

/** So that `gracias` does not leave the `muchas` before it. */
const longestFirst = (phrases: string[][]) => phrases.toSorted((a, b) => b.length - a.length)

/** All phrases that the patterns of `keywords.ts` stand for, as words that can be compared. */
export function phrasesOf(patterns: readonly string[]): string[][] {
  const phrases = patterns.flatMap((pattern) => [pattern, withoutUmlauts(pattern)].flatMap(expand))
  const different = new Map(phrases.map((phrase) => [wordsOf(phrase).join(' '), wordsOf(phrase)]))
  return [...different.values()].filter((words) => words.length > 0)
}

/** As they are written on keyboards without umlauts. */
function withoutUmlauts(pattern: string): string {
  return pattern.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
}

function expand(pattern: string): string[] {
  let phrases = ['']
  for (const slot of pattern.split(' ')) {
    const isOptional = slot.endsWith('?')
    const choices = (isOptional ? slot.slice(0, -1) : slot).split('|')
    if (isOptional) choices.push('')
    phrases = phrases.flatMap((phrase) => choices.map((choice) => `${phrase} ${choice}`))
  }
  return phrases
}
