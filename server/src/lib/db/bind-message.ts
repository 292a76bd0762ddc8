/**
 * The message that gives a prepared statement its values (PostgreSQL, "Message Formats", Bind). The
 * driver grows its buffer step by step, which for a hundred rows takes three times their memory.
 */

import { spell } from './values.ts'

const unnamed = 0
const asText = 0
const asBytes = 1
/** The length of a value that is null. */
const none = -1

export function bindMessage(statement: string, values: readonly unknown[]): Buffer {
  const spelt = values.map(spell)
  const lengths = spelt.map(lengthOf)
  const nameLength = Buffer.byteLength(statement)
  // Type, length, portal, name, and three counts, of which the last has one format behind it.
  let size = 1 + 4 + 1 + nameLength + 1 + 2 + 2 + 4
  for (const length of lengths) size += 2 + 4 + Math.max(0, length)
  const message = Buffer.allocUnsafe(size)
  let at = message.write('B')
  at = message.writeInt32BE(size - 1, at)
  at = message.writeUInt8(unnamed, at)
  at += message.write(statement, at)
  at = message.writeUInt8(0, at)
  at = message.writeUInt16BE(spelt.length, at)
  for (const value of spelt)
    at = message.writeUInt16BE(Buffer.isBuffer(value) ? asBytes : asText, at)
  at = message.writeUInt16BE(spelt.length, at)
  for (const [n, value] of spelt.entries()) {
    at = message.writeInt32BE(lengths[n] ?? none, at)
    if (typeof value === 'string') at += message.write(value, at)
    else if (value !== null) at += value.copy(message, at)
  }
  at = message.writeUInt16BE(1, at)
  message.writeUInt16BE(asText, at)
  return message
}

function lengthOf(value: string | Buffer | null): number {
  if (value === null) return none
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}
