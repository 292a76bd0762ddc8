/**
 * Ids: uuid v7 (time-ordered, so that indexes grow at one end), spelled as 26 characters of
 * Crockford base32 where people and programs see them. Text ids in the tables would cost 39 %
 * more table and 74 % more index.
 */
import { randomUUID } from 'node:crypto'

/** A uuid that names one kind of thing. */
export type Id<N extends string> = string & { readonly __noun: N }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

let lastMs = 0
let counter = 0

/**
 * A new uuid v7, greater than every earlier one of this process: the 12 bits after the time count
 * within a millisecond (RFC 9562 section 6.2, method 1), so that ids sort in the order in which
 * they were made.
 */
export function newId<N extends string>(_noun: N): Id<N> {
  const random = randomUUID()
  const now = Date.now()
  if (now > lastMs) {
    lastMs = now
    // Begins in the lower half, which leaves room for counting.
    counter = Number.parseInt(random.slice(0, 3), 16) & 0x7ff
  } else if (++counter > 0xfff) {
    lastMs++
    counter = 0
  }
  const time = hex(lastMs, 12)
  // The end of any uuid is its variant and random digits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(counter, 3)}-${random.slice(19)}` as Id<N>
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** The lowest id that could have been made at that moment. */
export function lowestIdAt<N extends string>(_noun: N, moment: Date): Id<N> {
  const time = hex(Math.max(0, moment.getTime()), 12)
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000` as Id<N>
}

/** The time at which it was made, by the machine's clock. */
export function timeOf(id: Id<string>): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

/**
 * A uuid as 26 characters of Crockford base32, in steps that fit a number: two characters for the
 * first 8 bits, then four for each 20.
 */
export function spell(id: Id<string>): string {
  const digits = id.replaceAll('-', '')
  let text = encode(Number.parseInt(digits.slice(0, 2), 16), 2)
  for (let at = 2; at < digits.length; at += 5) {
    text += encode(Number.parseInt(digits.slice(at, at + 5), 16), 4)
  }
  return text
}

function encode(bits: number, length: number): string {
  let text = ''
  for (let rest = length - 1; rest >= 0; rest--) text += alphabet[(bits >> (5 * rest)) & 31]
  return text
}

/** The uuid that the text spells from `start` to its end; undefined where it is not a valid id. */
export function unspell(text: string, start: number): Id<string> | undefined {
  if (text.length !== start + 26) return undefined
  const first = decode(text.slice(start, start + 2))
  // The first pair could hold ten bits and holds eight, since 26 characters hold 130.
  if (first === undefined || first > 0xff) return undefined
  let digits = hex(first, 2)
  for (let at = start + 2; at < text.length; at += 4) {
    const bits = decode(text.slice(at, at + 4))
    if (bits === undefined) return undefined
    digits += hex(bits, 5)
  }
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}` as Id<string>
}

function decode(characters: string): number | undefined {
  let bits = 0
  for (const character of characters) {
    const value = alphabet.indexOf(character)
    if (value < 0) return undefined
    bits = (bits << 5) | value
  }
  return bits
}
