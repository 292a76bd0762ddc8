/**
 * How the bytes of a file are text. There are three kinds: what begins with a byte-order mark,
 * what is UTF-8 from its first byte to its last, and everything else, which is taken to be
 * windows-1252 and has to be confirmed by whoever brought it.
 */

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

const marks: readonly { encoding: Encoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
]

/** What a byte-order mark at the beginning says, and how long the mark is. */
export function markOf(start: Uint8Array): { encoding: Encoding; length: number } | undefined {
  const found = marks.find(({ bytes }) => bytes.every((byte, i) => start[i] === byte))
  return found && { encoding: found.encoding, length: found.bytes.length }
}

/** Bytes of a character of the encoding, where all have the same number. */
export const bytesPerUnit: Readonly<Record<Encoding, 1 | 2>> = {
  'utf-8': 1,
  'utf-16le': 2,
  'utf-16be': 2,
  'windows-1252': 1,
}

/** The text that UTF-8 holds; the parser reads nothing else. */
export function toUtf8(bytes: Uint8Array, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  // No text of the database holds a NUL; in one byte each they were refused with the whole file.
  return Buffer.from(text.replaceAll('\0', '\ufffd'))
}

/** How many bytes of the original the first `length` bytes of its UTF-8 stand for. */
export function lengthBefore(utf8: Buffer, length: number, encoding: Encoding): number {
  if (encoding === 'utf-8') return length
  return utf8.toString('utf8', 0, length).length * bytesPerUnit[encoding]
}
