/**
 * Ids: uuid v7 (time-ordered, so that indexes grow at one end), spelled as 26 characters of
 * Crockford base32 where people and programs see them. Text ids in the tables would cost 39 %
 * more table and 74 % more index.
 */
import { randomFillSync } from 'node:crypto'

/** A uuid that names one kind of thing. */
export type Id<N extends string> = string & { readonly __noun: N }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
/** The value of a character outside of the alphabet. */
const none = 0xff

// Random bytes are taken from the system 4 kB at a time.
const pool = Buffer.alloc(4096)
let taken = pool.length
let lastMs = 0
let counter = 0
/** The first 12 digits with their dash, which all ids of a millisecond share. */
let timeText = ''
/** The same 48 bits as the first ten characters of a public id; empty until one is needed. */
let timeName = ''

/**
 * A new uuid v7, greater than every earlier one of this process: the 12 bits after the time count
 * within a millisecond (RFC 9562 section 6.2, method 1), so that ids sort in the order in which
 * they were made.
 */
export function newId<N extends string>(_noun: N): Id<N> {
  const at = draw()
  uuid.write(timeText, 'latin1')
  writeHex(14, 0x70 | (counter >> 8))
  writeHex(16, counter & 0xff)
  for (let n = 0; n < 8; n++) writeHex(n < 2 ? 19 + 2 * n : 20 + 2 * n, pool[at + n] ?? 0)
  return uuid.toString('latin1') as Id<N>
}

/** The characters of the id that is being made. A text joined of pieces takes six times the memory. */
const uuid = Buffer.from('00000000-0000-0000-0000-000000000000')
const hexCodes = Buffer.from('0123456789abcdef')

function writeHex(at: number, byte: number): void {
  uuid[at] = hexCodes[byte >> 4] ?? 0
  uuid[at + 1] = hexCodes[byte & 15] ?? 0
}

/** The next 8 random bytes of the pool, with their variant set; advances time and counter. */
function draw(): number {
  if (taken === pool.length) {
    randomFillSync(pool)
    taken = 0
  }
  const at = taken
  taken += 8
  const now = Date.now()
  if (now > lastMs) {
    setTime(now)
    counter = pool.readUInt16BE(at) & 0x7ff
  } else if (++counter > 0xfff) {
    setTime(lastMs + 1)
    counter = 0
  }
  pool[at] = ((pool[at] ?? 0) & 0x3f) | 0x80
  return at
}

/** The lowest id that could have been made at that moment. */
export function lowestIdAt<N extends string>(_noun: N, moment: Date): Id<N> {
  const digits = Math.max(0, moment.getTime()).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7000-8000-000000000000` as Id<N>
}

/** The time at which it was made, by the machine's clock. */
export function timeOf(id: Id<string>): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

function setTime(ms: number): void {
  lastMs = ms
  const digits = ms.toString(16).padStart(12, '0')
  timeText = `${digits.slice(0, 8)}-${digits.slice(8)}`
  timeName = ''
}

// Two characters for each value of ten bits, and the value of each character.
const pairs = Array.from(alphabet, (a) => Array.from(alphabet, (b) => a + b)).flat()
const values = valuesOf(alphabet)
const digits = valuesOf('0123456789abcdef')
// The positions of the 32 digits of a uuid.
const places = Uint8Array.from(
  { length: 32 },
  (_, n) => n + [8, 12, 16, 20].filter((at) => n >= at).length,
)

function valuesOf(characters: string): Uint8Array {
  const found = new Uint8Array(128).fill(none)
  for (let value = 0; value < characters.length; value++)
    found[characters.charCodeAt(value)] = value
  return found
}

function digitAt(id: string, n: number): number {
  return digits[id.charCodeAt(places[n] ?? 0)] ?? 0
}

/**
 * A uuid as 26 characters of Crockford base32. Every response contains several, so it uses
 * characters and tables, in steps that fit a number: two characters for the first 8 bits, four for
 * each 20 bits after them (0.25 µs; by parsing pieces 1 µs, by BigInt a tenth of a whole tool
 * call).
 */
export function spell(id: Id<string>): string {
  const first = (digitAt(id, 0) << 4) | digitAt(id, 1)
  spelled[0] = codes[first >> 5] ?? 0
  spelled[1] = codes[first & 31] ?? 0
  for (let at = 2, n = 2; at < spelled.length; at += 4, n += 5) {
    const bits =
      (digitAt(id, n) << 16) |
      (digitAt(id, n + 1) << 12) |
      (digitAt(id, n + 2) << 8) |
      (digitAt(id, n + 3) << 4) |
      digitAt(id, n + 4)
    spelled[at] = codes[bits >> 15] ?? 0
    spelled[at + 1] = codes[(bits >> 10) & 31] ?? 0
    spelled[at + 2] = codes[(bits >> 5) & 31] ?? 0
    spelled[at + 3] = codes[bits & 31] ?? 0
  }
  return spelled.toString('latin1')
}

const codes = Buffer.from(alphabet)
const spelled = Buffer.alloc(26)

/** The characters for the first digits of a uuid: two for two digits, then four for each five. */
function spellDigits(id: string, digits: number): string {
  let text = pairs[(digitAt(id, 0) << 4) | digitAt(id, 1)] as string
  for (let n = 2; n < digits; n += 5) {
    text += four(
      (digitAt(id, n) << 16) |
        (digitAt(id, n + 1) << 12) |
        (digitAt(id, n + 2) << 8) |
        (digitAt(id, n + 3) << 4) |
        digitAt(id, n + 4),
    )
  }
  return text
}

/** Encodes twenty bits. A template would check the type of each part, so the parts are added. */
const four = (bits: number) => (pairs[bits >> 10] as string) + (pairs[bits & 1023] as string)

/** A new id in its public spelling: the result of `spell(newId())` without the uuid between. */
export function newSpelled(): string {
  const at = draw()
  if (timeName === '') timeName = spellDigits(timeText, 12)
  const high = pool.readUInt32BE(at)
  const low = pool.readUInt32BE(at + 4)
  const rest = `${four((high >>> 8) & 0xfffff)}${four(((high & 0xff) << 12) | (low >>> 20))}${four(low & 0xfffff)}`
  return `${timeName}${four(((0x7000 | counter) << 4) | (high >>> 28))}${rest}`
}

/** The uuid that the text spells from `start` to its end; undefined where it is not a valid id. */
export function unspell(text: string, start: number): Id<string> | undefined {
  if (text.length !== start + 26) return undefined
  const first = bitsAt(text, start, 2)
  // The first pair could hold ten bits and holds eight, since 26 characters hold 130.
  if (first < 0 || first > 0xff) return undefined
  let hex = (0x100 | first).toString(16).slice(1)
  for (let at = start + 2; at < text.length; at += 4) {
    const bits = bitsAt(text, at, 4)
    if (bits < 0) return undefined
    hex += (0x100000 | bits).toString(16).slice(1)
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}` as Id<string>
}

/** The value of some characters, five bits each; below 0 where one is not in the alphabet. */
function bitsAt(text: string, start: number, length: number): number {
  let bits = 0
  for (let at = start; at < start + length; at++) {
    const value = values[text.charCodeAt(at)] ?? none
    if (value === none) return -1
    bits = (bits << 5) | value
  }
  return bits
}
