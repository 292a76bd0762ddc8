/**
 * The facts of a brief that readers act on, each in its own spelling. Every pattern has a bound, so a
 * text is read in time proportional to its length.
 */
import { withoutEnd } from '../../lib/text/trim-end.ts'

export type FactKind = 'url' | 'email' | 'code' | 'price' | 'percent' | 'phone' | 'date' | 'time'

export interface Fact {
  kind: FactKind
  text: string
  start: number
  end: number
}

const weekday =
  '(?:mon|tue|tues|wed|weds|thu|thur|thurs|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|lun|mar|mer|jeu|ven|sam|dim|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)'
const longWeekday =
  '(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|fri|thu|sat)'
const month =
  '(?:jan(?:uar|uary|vier)?|jänner|feb(?:ruar|ruary)?|fév(?:rier)?|fevrier|mar(?:ch|s)?|märz|apr(?:il)?|avril|may|mai|june?|juni|juin|july?|juli|juillet|aug(?:ust)?|août|aout|sept?(?:ember|embre)?|oct(?:ober|obre)?|okt(?:ober)?|nov(?:ember|embre)?|dec(?:ember)?|dez(?:ember)?|déc(?:embre)?|decembre)'
const day = '\\d{1,2}(?:st|nd|rd|th|er|\\.)?'
const year = '(?:,? (?:19|20)\\d{2})?'
const numbers =
  "(?:\\d{1,3}(?:[.,'’ \\u00a0\\u202f]\\d{3}){1,3}|\\d{1,9})(?:[.,](?:\\d{2}(?!\\d)|[-–]{1,2}))?"
const hour = '(?:[01]?\\d|2[0-3])'
const clock = '\\d{1,2}(?:[:.]\\d{2})?'
const upTo = '(?:\\s?(?:-|–|bis|to|till|until|à|et)\\s?)'

/** The first pattern that finds a text decides on its kind. */
const patterns: readonly (readonly [FactKind, RegExp])[] = [
  ['url', /https?:\/\/[^\s<>"]{1,2000}/giu],
  ['email', /[\p{L}\d._%+-]{1,64}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,4}/gu],
  [
    'code',
    /(?<=\b(?:[Cc]ode|CODE|[Cc]oupon|[Vv]oucher|[Gg]utschein|[Gg]utscheincode|[Rr]abattcode|[Rr]ef|[Mm]it|[Ww]ith|[Aa]vec)(?: (?:is|ist|lautet|est))?[:=]? ?[(=„“"'«]? ?)[A-Z][A-Z0-9-]{3,20}\b/gu,
  ],
  ['code', /(?<![\p{L}\d])[A-Z]{3,16}\d{1,5}(?![\p{L}\d])/gu],
  [
    'price',
    new RegExp(
      `(?:[€£$¥]|(?<![\\p{L}\\d])(?:CHF|EUR|USD|GBP|S?Fr\\.))[ \\u00a0\\u202f]?${numbers}(?:/\\p{L}{2,6})?`,
      'gu',
    ),
  ],
  [
    'price',
    new RegExp(
      `(?<![\\d.,])${numbers}[ \\u00a0\\u202f]?(?:[€£$]|(?:CHF|EUR|USD|GBP|Euro|Franken|francs?|Fr\\.?|dollars?|pounds?)(?![\\p{L}\\d]))`,
      'gu',
    ),
  ],
  ['price', /(?<![\d.,])\d{1,3}(?:\.\d{3})?(?:[.,][-–]{1,2}|,\d{2})(?![\d%]|[.,]\d)/gu],
  [
    'percent',
    /(?:(?<![\p{L}\d])[-–])?(?<![\d.,])(?:\d{1,3} ?[-–] ?)?\d{1,3}(?:[.,]\d{1,2})?[ \u00a0\u202f]?(?:%|(?:per ?cent|prozent|pour ?cent)(?!\p{L}))/giu,
  ],
  [
    'date',
    new RegExp(
      `(?<![\\p{L}\\d.])(?:${weekday}\\.?,? (?:the |den |le )?)?(?:(?:19|20)\\d{2}-\\d{2}-\\d{2}|(?:\\d{1,2}\\./)?${day} ?(?:of )?(?:${month}(?!\\p{L})(?<=(?<!\\p{L})\\p{L}{3,4})\\.|${month}(?!\\p{L}))${year}|${month}\\.? \\d{1,2}(?:st|nd|rd|th)?(?![\\d:.]\\d)${year}|\\d{1,2}\\.(?:0?[1-9]|1[0-2])\\.(?:\\d{2,4})?|\\d{1,2}/\\d{1,2}(?:/\\d{2,4})?)(?![\\p{L}\\d])`,
      'giu',
    ),
  ],
  ['phone', /(?<![\p{L}\d.,+])\+?\(?\d[\d ()/-]{5,17}\d(?!\d|[.,]\d|%)/gu],
  [
    'time',
    new RegExp(
      `(?<![\\d.,:/])(?:${clock}${upTo})?${clock} ?(?:uhr|[ap]m|[ap]\\.m\\.)(?![\\p{L}])(?: ?(?:ET|GMT|CET|CEST|PT|EST|PST|BST|UTC))?`,
      'giu',
    ),
  ],
  [
    'time',
    new RegExp(
      `(?<![\\d.,:/])(?:${hour} ?h ?(?:\\d{2})?${upTo})?${hour} ?h(?: ?\\d{2})?(?![\\p{L}\\d])`,
      'giu',
    ),
  ],
  [
    'time',
    new RegExp(
      `(?<![\\d.,:/])(?:[01]?\\d|2[0-3]):[0-5]\\d(?:${upTo}(?:[01]?\\d|2[0-3]):[0-5]\\d)?(?!\\d)`,
      'giu',
    ),
  ],
  ['time', /(?<![\d.,:/])(?:[01]?\d|2[0-3])\.[0-5]\d(?![\d.]\d|\.\d| ?[€£$%])/gu],
  ['time', /(?<!\p{L})(?:noon|midnight|midi|minuit|mittags|mitternacht)(?!\p{L})/giu],
  [
    'date',
    new RegExp(
      `(?<!\\p{L})(?:${longWeekday}|today|tomorrow|tonight|heute|morgen|demain|aujourd'hui|KW \\d{1,2})(?!\\p{L})`,
      'giu',
    ),
  ],
]

/** In the order in which they stand in the text. None overlaps another. */
export function factsOf(text: string): Fact[] {
  const facts: Fact[] = []
  const used = new Uint8Array(text.length)
  for (const [kind, pattern] of patterns) {
    for (const { 0: run, index } of text.matchAll(pattern)) {
      const match =
        kind === 'url' ? withoutEnd(run, /['.,;:!?)\]}»]/) : withoutFullStop(run.trimEnd())
      const end = index + match.length
      if (match === '' || used.subarray(index, end).includes(1)) continue
      if (kind === 'phone' && !isPhone(match)) continue
      used.fill(1, index, end)
      facts.push({ kind, text: match, start: index, end })
    }
  }
  return facts.sort((a, b) => a.start - b.start)
}

/** `Jan.` is a short form, and the full stop after `May` ends a sentence. */
function withoutFullStop(text: string): string {
  return /(?:may|mai|june|juni|juin|july|juli|mars|märz|août|aout)\.$/i.test(text)
    ? text.slice(0, -1)
    : text
}

function isPhone(text: string): boolean {
  const { length } = text.replace(/\D/g, '')
  return length >= 7 && length <= 15 && (/[ /-]/.test(text) || text.startsWith('+') || length >= 9)
}
