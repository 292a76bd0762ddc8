/** The content of a message as DATA takes it (RFC 5321 section 4.5.2). */

const cr = 0x0d
const lf = 0x0a
const dot = 0x2e

/**
 * Lines that begin with a dot get one more, and every line break is CRLF: some read others
 * as the end of the message. Bytes are searched by the machine's own means, at a third of the
 * cost of looking at each; a message that is fine as it is, as ours are, is not copied.
 */
export function dotStuffed(message: Buffer): Buffer {
  const clean = hasCrlfAlone(message) ? message : withCrlf(message)
  if (clean[0] !== dot && !clean.includes('\n.')) return clean
  return Buffer.from(clean.toString('latin1').replace(/^\./gm, '..'), 'latin1')
}

function hasCrlfAlone(message: Buffer): boolean {
  let breaks = 0
  for (let at = message.indexOf(lf); at >= 0; at = message.indexOf(lf, at + 1)) {
    if (message[at - 1] !== cr) return false
    breaks++
  }
  return countOf(message, cr) === breaks
}

function countOf(message: Buffer, byte: number): number {
  let n = 0
  for (let at = message.indexOf(byte); at >= 0; at = message.indexOf(byte, at + 1)) n++
  return n
}

function withCrlf(message: Buffer): Buffer {
  return Buffer.from(message.toString('latin1').replace(/\r\n?|\n/g, '\r\n'), 'latin1')
}
