/**
 * The message that binds values to a prepared statement (PostgreSQL's protocol 3.0, `Bind`). The
 * driver's own writer grows a buffer by halves for each statement, and leaves behind three bytes for
 * each one that it sends.
 */

/** Text as UTF-8, bytes in binary, or null. */
export type BoundValue = string | Buffer | null

const textFormat = 0
const binaryFormat = 1

/** The statement's results come as text. */
export function bindMessage(statement: string, values: readonly BoundValue[]): Buffer {
  const lengths = values.map((value) =>
    typeof value === 'string' ? Buffer.byteLength(value) : (value?.length ?? 0),
  )
  const size = lengths.reduce((sum, length) => sum + length + 6, Buffer.byteLength(statement) + 14)
  const message = Buffer.allocUnsafe(1 + size)
  let at = message.write('B', 'latin1')
  at = message.writeInt32BE(size, at)
  // The unnamed portal.
  at = message.writeUInt8(0, at)
  at += message.write(statement, at)
  at = message.writeUInt8(0, at)
  at = message.writeUInt16BE(values.length, at)
  for (const value of values) {
    at = message.writeUInt16BE(Buffer.isBuffer(value) ? binaryFormat : textFormat, at)
  }
  at = message.writeUInt16BE(values.length, at)
  for (const [i, value] of values.entries()) {
    at = message.writeInt32BE(value === null ? -1 : (lengths[i] ?? 0), at)
    if (typeof value === 'string') at += message.write(value, at)
    else if (value !== null) at += value.copy(message, at)
  }
  at = message.writeUInt16BE(1, at)
  message.writeUInt16BE(textFormat, at)
  return message
}
