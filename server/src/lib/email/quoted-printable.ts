/**
 * Quoted-printable (RFC 2045 section 6.7), and texts of which some pieces never change. Encoding 20
 * kB costs a hundred times as much as copying it. So the pieces of a template are encoded once, and
 * only the values filled in are encoded for each message.
 */
import { relaxedLines, Scratch, type Shared } from './message-scratch.ts'

/** A piece that many messages share, with its encoded form. */
export interface SharedPiece extends Shared {
  readonly text: string
}

/** A whole text, or pieces in order: the shared ones, and the values filled in between them. */
export type PiecedText = string | readonly (SharedPiece | string)[]

const longest = 75
const softBreak = Buffer.from('=\r\n')
const hex = Buffer.from('0123456789ABCDEF')
const [cr, lf, space, equals, dot, capitalF] = [0x0d, 0x0a, 0x20, 0x3d, 0x2e, 0x46]

/**
 * For each UTF-16 code unit, whether it may stay as it is: printable ASCII and space, except `=`.
 */
const plain = Uint8Array.from({ length: 0x10000 }, (_, code) =>
  code >= space && code <= 0x7e && code !== equals ? 1 : 0,
)

// The text being encoded, as UTF-16 like JavaScript's strings. This needs no measuring, no
// conversion to UTF-8 and no buffer for each text.
const units = new Uint16Array(4096)
const unitBytes = Buffer.from(units.buffer)

/** Encodes a piece for use in many messages. */
export function cut(text: string): SharedPiece {
  const scratch = new Scratch()
  const clean = lines(text)
  quote(scratch, clean)
  const encoded = scratch.take()
  return { text: clean, encoded, relaxed: relaxedLines(encoded) }
}

export function textOf(content: PiecedText): string {
  if (typeof content === 'string') return content
  return content.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')
}

/** Writes the content, encoded. */
export function writeQuoted(scratch: Scratch, content: PiecedText): void {
  if (typeof content === 'string') {
    quote(scratch, content)
    return
  }
  const start = scratch.length
  for (const piece of content) {
    if ((typeof piece === 'string' ? piece : piece.text) === '') continue
    // Each piece was encoded as the start of a line, so it must start one.
    if (scratch.length > start && scratch.bytes[scratch.length - 1] !== lf) scratch.add(softBreak)
    if (typeof piece === 'string') quote(scratch, piece)
    else scratch.addShared(piece)
  }
}

/** Normalises line ends and replaces lone surrogates, which UTF-8 and SMTP cannot carry. */
function lines(text: string): string {
  return text.includes('\r') ? text.toWellFormed().replace(/\r\n?/g, '\n') : text.toWellFormed()
}

/**
 * A line never ends within a character of several bytes, since simple readers decode line by line.
 * No line begins with a dot, which SMTP would double in transit, or with `From `, which old
 * mailboxes write as `>From `, and that breaks a signature.
 */
function quote(scratch: Scratch, text: string): void {
  let column = 0
  let afterCr = false
  for (let start = 0; start < text.length; ) {
    let size = unitBytes.write(text.slice(start, start + units.length), 'utf16le') >> 1
    // The cut must not be between the two surrogates of a pair.
    if (start + size < text.length && isHigh(units[size - 1] as number)) size--
    // Each code unit takes at most nine bytes, and each line of 67 or more three more.
    scratch.reserve(size * 10 + 16)
    const out = scratch.bytes
    let at = scratch.length
    for (let i = 0; i < size; ) {
      let unit = units[i] as number
      if (unit === lf || unit === cr) {
        i++
        // The CR of the CRLF has already ended the line.
        if (unit === cr || !afterCr) {
          if (column > 0 && out[at - 1] === space) [at, column] = lastSpace(out, at, column)
          out[at++] = cr
          out[at++] = lf
          column = 0
        }
        afterCr = unit === cr
        continue
      }
      afterCr = false
      if (column === 0 && (unit === dot || (unit === capitalF && isFrom(text, start + i)))) {
        at = escaped(out, at, unit)
        column = 3
        i++
        continue
      }
      // Nearly all characters are plain.
      const from = i
      const end = Math.min(size, i + longest - column)
      while (i < end && plain[units[i] as number] === 1) out[at++] = units[i++] as number
      column += i - from
      if (i === size) break
      unit = units[i] as number
      if (unit === lf || unit === cr) continue
      const code = codeAt(i, size)
      const width = plain[code] === 1 ? 1 : 3 * utf8Length(code)
      if (column + width > longest) {
        at = broken(out, at)
        column = 0
      }
      if (width === 1) continue
      at = escapedUtf8(out, at, code)
      column += width
      i += code > 0xffff ? 2 : 1
    }
    scratch.length = at
    start += size
  }
  const { bytes, length } = scratch
  if (column > 0 && bytes[length - 1] === space) {
    scratch.reserve(6)
    scratch.length = lastSpace(scratch.bytes, length, column)[0]
  }
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff

/** The character at this place; a lone surrogate is replaced. */
function codeAt(i: number, size: number): number {
  const unit = units[i] as number
  if (unit < 0xd800 || unit > 0xdfff) return unit
  const low = i + 1 < size ? (units[i + 1] as number) : 0
  if (!isHigh(unit) || low < 0xdc00 || low > 0xdfff) return 0xfffd
  return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}

function isFrom(text: string, at: number): boolean {
  return text.startsWith('From ', at)
}

function escaped(out: Buffer, at: number, byte: number): number {
  out[at] = equals
  out[at + 1] = hex[byte >> 4] as number
  out[at + 2] = hex[byte & 15] as number
  return at + 3
}

function escapedUtf8(out: Buffer, start: number, code: number): number {
  if (code < 0x80) return escaped(out, start, code)
  let at = start
  if (code < 0x800) {
    at = escaped(out, at, 0xc0 | (code >> 6))
  } else {
    if (code < 0x10000) {
      at = escaped(out, at, 0xe0 | (code >> 12))
    } else {
      at = escaped(out, at, 0xf0 | (code >> 18))
      at = escaped(out, at, 0x80 | ((code >> 12) & 63))
    }
    at = escaped(out, at, 0x80 | ((code >> 6) & 63))
  }
  return escaped(out, at, 0x80 | (code & 63))
}

function broken(out: Buffer, at: number): number {
  out[at] = equals
  out[at + 1] = cr
  out[at + 2] = lf
  return at + 3
}

/**
 * A space at the end of a line would be lost in transit (rule 3); returns the new end and column.
 */
function lastSpace(out: Buffer, end: number, column: number): [at: number, column: number] {
  let [at, width] = [end - 1, column + 2]
  if (width > longest) {
    at = broken(out, at)
    width = 3
  }
  return [escaped(out, at, space), width]
}
