/**
 * Determines how the bytes of a file encode text. There are three kinds: a file that begins with a
 * byte-order mark, a file that is valid UTF-8 from its first byte to its last, and any other file.
 * The last kind is assumed to be windows-1252, and the uploader has to confirm it or name another one.
 */

/** What a file may be in that neither has a mark nor is UTF-8, by the names of the WHATWG standard. */
export const olderEncodings = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-13',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'shift_jis',
  'gbk',
  'big5',
  'euc-kr',
] as const
export type OlderEncoding = (typeof olderEncodings)[number]
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | OlderEncoding

export const isOlderEncoding = (name: string): name is OlderEncoding =>
  olderEncodings.some((encoding) => encoding === name)

const marks: readonly { encoding: Encoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
]

/** The encoding that a byte-order mark at the beginning declares, and the length of the mark. */
export function markOf(start: Uint8Array): { encoding: Encoding; length: number } | undefined {
  const mark = marks.find(({ bytes }) => bytes.every((byte, i) => start[i] === byte))
  return mark && { encoding: mark.encoding, length: mark.bytes.length }
}

/** Whether each character has two bytes or four, of which many are NUL. */
export const isUtf16 = (encoding: Encoding): boolean => encoding.startsWith('utf-16')

/** Their characters have one byte, two or more. */
const multibyte: readonly Encoding[] = ['shift_jis', 'gbk', 'big5', 'euc-kr']

/** Converts the text to UTF-8, because the parser reads nothing else. */
export function toUtf8(bytes: Uint8Array, encoding: Encoding): Buffer {
  const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (encoding === 'utf-8') return own
  const text = isLatin1(own, encoding)
    ? own.toString('latin1')
    : new TextDecoder(encoding, { ignoreBOM: true }).decode(own)
  // PostgreSQL stores no NUL in a text. A file of a one-byte encoding with a NUL was refused.
  return Buffer.from(text.replaceAll('\0', '\ufffd'))
}

/**
 * Whether the text is the same in ISO 8859-1, which Node decodes several times as fast: the two
 * differ at 32 bytes alone.
 */
function isLatin1(bytes: Buffer, encoding: Encoding): boolean {
  if (encoding !== 'windows-1252') return false
  for (const byte of bytes) if (byte >= 0x80 && byte <= 0x9f) return false
  return true
}

/**
 * The offset in the original bytes of each offset in their UTF-8 at which a record ends. The offsets
 * must rise: each is counted from the one before it.
 */
export function originalOffsets(
  bytes: Uint8Array,
  utf8: Buffer,
  encoding: Encoding,
): (offset: number) => number {
  if (encoding === 'utf-8') return (offset) => offset
  const step = multibyte.includes(encoding) ? lineBreaks(bytes, utf8) : codeUnits(utf8, encoding)
  let [from, at] = [0, 0]
  return (offset) => {
    at = step(from, offset, at)
    from = offset
    return at
  }
}

type Step = (from: number, to: number, at: number) => number

function codeUnits(utf8: Buffer, encoding: Encoding): Step {
  const width = isUtf16(encoding) ? 2 : 1
  return (from, to, at) => {
    let units = 0
    for (let index = from; index < to; index++) {
      const byte = utf8[index] ?? 0
      // Each character has one byte that does not continue it, and two units if it has four bytes.
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
    }
    return at + units * width
  }
}

/**
 * A record ends at a line break, which is one byte in every encoding and never a part of another
 * character. How many bytes a wrong character had cannot be told from its replacement.
 */
function lineBreaks(bytes: Uint8Array, utf8: Buffer): Step {
  return (from, to, start) => {
    if (to === utf8.length) return bytes.length
    let breaks = 0
    for (let index = from; index < to; index++) if (isBreak(utf8[index])) breaks++
    let at = start
    for (; breaks > 0; at++) if (isBreak(bytes[at])) breaks--
    return at
  }
}

const isBreak = (byte: number | undefined) => byte === 0x0a || byte === 0x0d
