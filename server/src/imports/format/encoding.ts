/**
 * Determines how the bytes of a file encode text. There are three kinds: a file that begins with a
 * byte-order mark, a file that is valid UTF-8 from its first byte to its last, and any other file.
 * The last kind is assumed to be windows-1252, and the uploader has to confirm it.
 */

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

const marks: readonly { encoding: Encoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
]

/** The encoding that a byte-order mark at the beginning declares, and the length of the mark. */
export function markOf(start: Uint8Array): { encoding: Encoding; length: number } | undefined {
  const found = marks.find(({ bytes }) => bytes.every((byte, i) => start[i] === byte))
  return found && { encoding: found.encoding, length: found.bytes.length }
}

/** Bytes of one code unit of the encoding. */
export const bytesPerUnit: Readonly<Record<Encoding, 1 | 2>> = {
  'utf-8': 1,
  'utf-16le': 2,
  'utf-16be': 2,
  'windows-1252': 1,
}

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

/** The number of original bytes that correspond to these bytes of the UTF-8 text. */
export function lengthOf(
  utf8: Buffer,
  { start, end }: { start: number; end: number },
  encoding: Encoding,
): number {
  if (encoding === 'utf-8') return end - start
  let units = 0
  for (let at = start; at < end; at++) {
    const byte = utf8[at] ?? 0
    // Each character has one byte that does not continue it, and two units if it has four bytes.
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  }
  return units * bytesPerUnit[encoding]
}
