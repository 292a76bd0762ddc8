/**
 * Inspects the bytes of a file as they arrive: whether all of them are UTF-8, and whether they can
 * be lines of text at all. So no second read of the file is needed, and an upload that cannot be a
 * CSV file ends at the bytes that show it.
 */

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type Encoding, isUtf16, markOf } from '../format/encoding.ts'
import { kindFault, startLength } from '../format/file-kinds.ts'
import { lineMeter, longRow } from '../format/line-meter.ts'
import { longestRecord } from '../format/records.ts'

export interface Inspected {
  bytes: number
  sha256: Buffer
  encoding: Encoding
  /** The length of the byte-order mark that declared the encoding. */
  markLength: number
  /** Neither a mark nor the bytes show the encoding. It may be another of the older ones. */
  isGuess: boolean
}

export function inspector() {
  const hash = createHash('sha256')
  let bytes = 0
  let start = Buffer.alloc(0)
  const lines = lineMeter()
  let isUtf8SoFar = true
  /** The first bytes of a character whose last bytes arrive with the next chunk. */
  let open: Uint8Array = new Uint8Array(0)

  const faultSoFar = (chunk: Uint8Array): string | undefined => {
    if (start.length < startLength) {
      start = Buffer.concat([start, chunk.subarray(0, startLength - start.length)])
    }
    const { encoding } = markOf(start) ?? { encoding: 'utf-8' }
    const isWide = isUtf16(encoding)
    const kind = isWide ? undefined : kindFault(start)
    if (kind !== undefined) return kind
    if (chunk.includes(0) && !isWide) return notText
    // No encoding shrinks by more than half when it becomes UTF-8, which the reader measures.
    return lines.take(chunk) > 2 * longestRecord ? longRow(lines.startOfLine()) : undefined
  }

  return {
    /** Returns why the file cannot be CSV, as soon as that is certain. */
    take(chunk: Uint8Array): string | undefined {
      const fault = faultSoFar(chunk)
      if (fault !== undefined) return fault
      hash.update(chunk)
      bytes += chunk.length
      if (!isUtf8SoFar) return undefined
      const piece = open.length === 0 ? chunk : Buffer.concat([open, chunk])
      const whole = wholeCharacters(piece)
      isUtf8SoFar = isUtf8(piece.subarray(0, whole))
      open = Buffer.from(piece.subarray(whole))
      return undefined
    },

    end(): Inspected {
      const mark = markOf(start)
      const valid = isUtf8SoFar && open.length === 0
      const common = { bytes, sha256: hash.digest() }
      if (mark && (mark.encoding !== 'utf-8' || valid)) {
        return { ...common, encoding: mark.encoding, markLength: mark.length, isGuess: false }
      }
      const encoding = valid ? 'utf-8' : 'windows-1252'
      return { ...common, encoding, markLength: 0, isGuess: !valid }
    },
  }
}

const notText =
  'It holds NUL bytes, so it is no text, or UTF-16 without a byte order mark. Export it as CSV in UTF-8.'

/** The length of the bytes without an incomplete last character. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return back < length ? bytes.length - back : bytes.length
  }
  return bytes.length
}
