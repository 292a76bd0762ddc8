/**
 * Room for whole messages, used again once a message is gone. A buffer of its own for each
 * lies outside of the heap until a collection finds it, and by their bytes alone they had all
 * of the heap marked every ninety messages: half of a campaign's time in helping threads.
 */
import { leaveRoom } from './shared-buffers.ts'

/** What newsletters need; a larger message has a buffer of its own. */
const bufferBytes = 64 * 1024
/** As many as are in hand at once; the others go to the collector. */
const most = 64

const free: ArrayBuffer[] = []
/** Not told by their size: what Node cuts small buffers of is as large. */
const inHand = new WeakSet<ArrayBuffer>()

export function ownBuffer(bytes: number): Buffer {
  if (bytes > bufferBytes) return Buffer.allocUnsafeSlow(bytes)
  const buffer = free.pop() ?? new ArrayBuffer(bufferBytes)
  inHand.add(buffer)
  return Buffer.from(buffer, 0, bytes)
}

/**
 * Nobody may read the message from here on: the next one is written over it. So it is for
 * whoever knows that it went out whole, such as by the relay's 250 for its content.
 */
export function trimMemory(message: Buffer): void {
  if (leaveRoom(message)) return
  const buffer = message.buffer as ArrayBuffer
  if (inHand.delete(buffer) && free.length < most) free.push(buffer)
}
