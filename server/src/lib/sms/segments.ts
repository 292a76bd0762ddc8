/**
 * How many segments a text needs, by which providers bill. A segment holds 140 octets: 160 septets
 * of the GSM alphabet, or 70 units of UTF-16 where a character is not in it. A longer text is cut,
 * and each part loses six octets to the header that joins the parts again (3GPP TS 23.040 section
 * 9.2.3.24.1).
 */
import { septetsOf } from './gsm-alphabet.ts'

export const smsEncodings = ['gsm-7', 'ucs-2'] as const
export type SmsEncoding = (typeof smsEncodings)[number]

export interface Segments {
  encoding: SmsEncoding
  /** At least 1: an empty text needs a segment too. */
  segments: number
  /** Septets, or units of UTF-16. */
  units: number
  /** How many units of the same kind still fit into the last segment. */
  unitsLeft: number
}

const room = {
  'gsm-7': { whole: 160, part: 153 },
  'ucs-2': { whole: 70, part: 67 },
} as const

/**
 * The text as it is counted and sent. A letter and its accent become one character (Unicode
 * Standard Annex 15, NFC): text from macOS has them apart, and an accent alone is not in the GSM
 * alphabet, so that `Café` would need UCS-2.
 */
export function composeText(text: string): string {
  return text.normalize('NFC')
}

/** The header counts the parts in one octet. */
export const mostSegments = 255

export function segmentsOf(message: string): Segments {
  const text = composeText(message)
  const septets = septetsIn(text)
  const encoding = septets === undefined ? 'ucs-2' : 'gsm-7'
  const units = septets ?? text.length
  const { whole, part } = room[encoding]
  if (units <= whole) return { encoding, segments: 1, units, unitsLeft: whole - units }
  // No text can have so many segments. The exact cuts would take long to compute and mean nothing.
  if (units > mostSegments * part) {
    return { encoding, segments: Math.ceil(units / part), units, unitsLeft: 0 }
  }
  const ends = septets === undefined ? endsOfUcs2(text, part) : endsOfGsm(text, part)
  const begin = ends.at(-2) ?? 0
  const last = text.slice(begin)
  const used = septets === undefined ? last.length : (septetsIn(last) ?? 0)
  return { encoding, segments: ends.length, units, unitsLeft: part - used }
}

/** The parts of the composed text, in order. Joined they are that text again. */
export function partsOf(message: string): { encoding: SmsEncoding; parts: string[] } {
  const text = composeText(message)
  const septets = septetsIn(text)
  const encoding = septets === undefined ? 'ucs-2' : 'gsm-7'
  const { whole, part } = room[encoding]
  if ((septets ?? text.length) <= whole) return { encoding, parts: [text] }
  const ends = septets === undefined ? endsOfUcs2(text, part) : endsOfGsm(text, part)
  return { encoding, parts: ends.map((end, n) => text.slice(ends[n - 1] ?? 0, end)) }
}

/** Undefined where a character is not in the GSM alphabet. */
function septetsIn(text: string): number | undefined {
  let septets = 0
  for (let index = 0; index < text.length; index++) {
    const cost = septetsOf(text.charCodeAt(index))
    if (cost === 0) return undefined
    septets += cost
  }
  return septets
}

/** The end of each part. An escape stays with its character. */
function endsOfGsm(text: string, part: number): number[] {
  const ends: number[] = []
  let used = 0
  for (let index = 0; index < text.length; index++) {
    const cost = septetsOf(text.charCodeAt(index))
    if (used + cost > part) {
      ends.push(index)
      used = 0
    }
    used += cost
  }
  ends.push(text.length)
  return ends
}

let graphemes: Intl.Segmenter | undefined

/**
 * A character as a reader sees it is never split: a phone that lacks a part shows the others, and
 * half an emoji is useless.
 */
function endsOfUcs2(text: string, part: number): number[] {
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  const ends: number[] = []
  let begin = 0
  while (text.length - begin > part) {
    // Segments only from the start of the part: the whole text would be read again for each part.
    const rest = text.slice(begin, begin + part * 2)
    begin += endWithin(rest, part, graphemes)
    ends.push(begin)
  }
  ends.push(text.length)
  return ends
}

function endWithin(rest: string, part: number, graphemes: Intl.Segmenter): number {
  const across = graphemes.segment(rest).containing(part)
  // A line break of two characters is invisible, and a character longer than a part must be split.
  if (across && across.index > 0 && across.segment !== '\r\n') return across.index
  const low = rest.charCodeAt(part) & 0xfc00
  const high = rest.charCodeAt(part - 1) & 0xfc00
  return low === 0xdc00 && high === 0xd800 ? part - 1 : part
}
