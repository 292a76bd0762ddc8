/**
 * Quoted-printable (RFC 2045 section 6.7), and texts of which some pieces never change.
 * Encoding 20 kB costs a hundred times what copying it does, so the pieces that a template
 * brings are encoded once and only what was filled in is encoded for each message.
 */
import { Scratch } from './scratch.ts'

/** A piece that many messages share, with its encoded form. */
export interface Cut {
  readonly text: string
  readonly wire: Buffer
}

/** A whole text, or pieces in order: those cut once, and what was filled in between. */
export type Content = string | readonly (Cut | string)[]

const longest = 75
const softBreak = Buffer.from('=\r\n')
const hex = Buffer.from('0123456789ABCDEF')
const [cr, lf, space, equals] = [0x0d, 0x0a, 0x20, 0x3d]

/** Gives each byte whether it may stand for itself: printable ASCII and space, but `=`. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= space && byte <= 0x7e && byte !== equals ? 1 : 0,
)

/** The same without those that may stand in some places alone: space, and `F` of `From `. */
const simple = plain.map((is, byte) => (byte === space || byte === 0x46 ? 0 : is))

/** A piece to be used in many messages. */
export function cut(text: string): Cut {
  const scratch = new Scratch()
  const clean = lines(text)
  quote(scratch, clean)
  return { text: clean, wire: scratch.take() }
}

export function textOf(content: Content): string {
  if (typeof content === 'string') return content
  return content.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')
}

/** Writes the content, encoded. */
export function writeQuoted(scratch: Scratch, content: Content): void {
  if (typeof content === 'string') {
    quote(scratch, lines(content))
    return
  }
  const start = scratch.length
  for (const piece of content) {
    const clean = typeof piece === 'string' ? lines(piece) : piece.text
    if (clean === '') continue
    // Each piece was encoded as if it began a line, so it must begin one.
    if (scratch.length > start && scratch.bytes[scratch.length - 1] !== lf) scratch.add(softBreak)
    if (typeof piece === 'string') quote(scratch, clean)
    else scratch.add(piece.wire)
  }
}

/** Line ends as one kind, halves of surrogate pairs replaced: what UTF-8 and SMTP can carry. */
function lines(text: string): string {
  return text.includes('\r') ? text.toWellFormed().replace(/\r\n?/g, '\n') : text.toWellFormed()
}

/** A line never ends within a character of several bytes: simple readers decode line by line. */
function quote(scratch: Scratch, text: string): void {
  const input = Buffer.from(text)
  // Each byte takes three at most, and each line of 75 three more.
  scratch.reserve(input.length * 3 + (input.length / 25 + 2) * 3)
  const out = scratch.bytes
  let at = scratch.length
  let column = 0
  for (let i = 0; i < input.length; ) {
    // Nearly all there is: what needs no look at its neighbours.
    const from = i
    const most = Math.min(input.length, i + longest - column)
    while (i < most && simple[input[i] as number] === 1) out[at++] = input[i++] as number
    column += i - from
    if (i === input.length) break
    const byte = input[i] as number
    if (byte === lf) {
      out[at++] = cr
      out[at++] = lf
      column = 0
      i++
      continue
    }
    const size = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    const asIs = plain[byte] === 1 && !endsLine(input, i) && !(column === 0 && isFrom(input, i))
    const width = asIs ? 1 : size * 3
    if (column + width > longest) {
      out[at++] = equals
      out[at++] = cr
      out[at++] = lf
      column = 0
    }
    if (asIs) {
      out[at++] = byte
    } else {
      for (let n = 0; n < size; n++) {
        const part = input[i + n] as number
        out[at++] = equals
        out[at++] = hex[part >> 4] as number
        out[at++] = hex[part & 15] as number
      }
    }
    column += width
    i += size
  }
  scratch.length = at
}

/** A space that ends a line would be lost on the way (rule 3). */
function endsLine(input: Buffer, i: number): boolean {
  return input[i] === space && (i + 1 === input.length || input[i + 1] === lf)
}

/** Old mailboxes write `>From ` for a line that begins so, which breaks its signature. */
function isFrom(input: Buffer, i: number): boolean {
  return input[i] === 0x46 && input.toString('latin1', i, i + 5) === 'From '
}
