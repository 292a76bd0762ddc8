/**
 * Inspects the bytes of a file as they arrive: whether all of them are UTF-8, and whether they can
 * be text at all. So no second read of the file is needed.
 */

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { type Encoding, markOf } from '../format/encoding.ts'

export interface Inspected {
  bytes: number
  sha256: Buffer
  encoding: Encoding
  /** The length of the byte-order mark that declared the encoding. */
  markLength: number
  /** Neither a mark nor the bytes show the encoding. It may be another one-byte encoding. */
  isGuess: boolean
  /** Why the file is not text. */
  fault?: string
}

const archive = [0x50, 0x4b, 0x03, 0x04]

export function inspector() {
  const hash = createHash('sha256')
  let bytes = 0
  let start = Buffer.alloc(0)
  let isText = true
  let isUtf8SoFar = true
  /** The first bytes of a character whose last bytes arrive with the next chunk. */
  let open: Uint8Array = new Uint8Array(0)

  return {
    take(chunk: Uint8Array): void {
      hash.update(chunk)
      bytes += chunk.length
      if (start.length < 4) start = Buffer.concat([start, chunk.subarray(0, 4 - start.length)])
      if (chunk.includes(0)) isText = false
      if (!isUtf8SoFar) return
      const piece = open.length === 0 ? chunk : Buffer.concat([open, chunk])
      const whole = wholeCharacters(piece)
      isUtf8SoFar = isUtf8(piece.subarray(0, whole))
      open = Buffer.from(piece.subarray(whole))
    },

    end(): Inspected {
      const mark = markOf(start)
      const isWide = mark !== undefined && mark.encoding !== 'utf-8'
      const valid = isUtf8SoFar && open.length === 0
      const fault = faultOf({ bytes, start, isText: isText || isWide })
      const common = { bytes, sha256: hash.digest(), ...(fault !== undefined && { fault }) }
      if (mark && (isWide || valid)) {
        return { ...common, encoding: mark.encoding, markLength: mark.length, isGuess: false }
      }
      const encoding = valid ? 'utf-8' : 'windows-1252'
      return { ...common, encoding, markLength: 0, isGuess: !valid }
    },
  }
}

function faultOf({ bytes, start, isText }: { bytes: number; start: Buffer; isText: boolean }) {
  if (bytes === 0) return 'The file is empty.'
  if (archive.every((byte, i) => start[i] === byte)) {
    return 'It is a zip archive or an Excel workbook. Unpack it, or save the sheet as CSV, and upload that.'
  }
  if (!isText) return 'It holds NUL bytes, which no text file does. Export it as CSV in UTF-8.'
  return undefined
}

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
