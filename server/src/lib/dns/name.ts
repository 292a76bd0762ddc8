/**
 * Names as DNS writes them (RFC 1035, 3.1 and 4.1.4). In this code they are lower-case text without
 * the last dot. A byte that a host name cannot hold is spelt `\ddd`, as in zone files.
 */

/** The message violates the protocol. Its meaning is not guessed. */
export class DnsFormatError extends Error {
  override name = 'DnsFormatError'
}

const longestLabel = 63
/** Bytes of a name with its length bytes and the root label. */
const longestName = 255
const pointerBits = 0xc0

export function encodeName(name: string): Buffer {
  const labels = name === '' ? [] : name.split('.')
  const encodedLabels = labels.map((label) => {
    const bytes = Buffer.from(label, 'latin1')
    if (bytes.length === 0 || bytes.length > longestLabel) {
      throw new DnsFormatError('a label has 1 to 63 bytes')
    }
    return Buffer.concat([Buffer.from([bytes.length]), bytes])
  })
  const encoded = Buffer.concat([...encodedLabels, Buffer.from([0])])
  if (encoded.length > longestName) throw new DnsFormatError('a name has at most 255 bytes')
  return encoded
}

export interface ReadName {
  name: string
  /** The position at which the message continues after the name. */
  next: number
}

/** Follows compression pointers only backwards, so that no message causes a loop. */
export function readName(message: Buffer, start: number): ReadName {
  const labels: string[] = []
  let next: number | undefined
  let length = 1
  let at = start
  for (let lowest = start; ; ) {
    const size = byteAt(message, at)
    if (size >= pointerBits) {
      const target = ((size & 0x3f) << 8) | byteAt(message, at + 1)
      if (target >= lowest) throw new DnsFormatError('a pointer leads forward')
      next ??= at + 2
      lowest = target
      at = target
      continue
    }
    if (size > longestLabel) throw new DnsFormatError('an unknown kind of label')
    at++
    if (size === 0) return { name: labels.join('.'), next: next ?? at }
    if (at + size > message.length) throw new DnsFormatError('a label is cut off')
    length += size + 1
    if (length > longestName) throw new DnsFormatError('a name has at most 255 bytes')
    labels.push(spelt(message.subarray(at, at + size)))
    at += size
  }
}

function spelt(label: Buffer): string {
  return label
    .toString('latin1')
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, (odd) => `\\${odd.charCodeAt(0).toString().padStart(3, '0')}`)
}

function byteAt(message: Buffer, at: number): number {
  const byte = message[at]
  if (byte === undefined) throw new DnsFormatError('the message is cut off')
  return byte
}
