/**
 * Buffers for whole messages, reused once a message is sent. A new buffer for each message stays
 * outside of the heap until a collection finds it. Their bytes alone caused the heap to be marked
 * every ninety messages, which took half of the time of a campaign's helper threads.
 */
import { leaveRoom } from './shared-buffers.ts'

/** The size that newsletters need; a larger message gets a buffer of its own. */
const bufferBytes = 64 * 1024
/** As many as are in use at once. Further buffers are left to the garbage collector. */
const mostBuffers = 64

const free: ArrayBuffer[] = []
/**
 * Buffers are recognised by identity rather than by size, because Node's pool for small buffers
 * has the same size.
 */
const inHand = new WeakSet<ArrayBuffer>()

export function ownBuffer(bytes: number): Buffer {
  if (bytes > bufferBytes) return Buffer.allocUnsafeSlow(bytes)
  const buffer = free.pop() ?? new ArrayBuffer(bufferBytes)
  inHand.add(buffer)
  return Buffer.from(buffer, 0, bytes)
}

/**
 * Releases the buffer. The next message overwrites it, so nobody may read it from here on. Call it
 * only once it is certain that the message was sent completely, such as after the relay's 250 for
 * its content.
 */
export function releaseBuffer(message: Buffer): void {
  if (leaveRoom(message)) return
  const buffer = message.buffer as ArrayBuffer
  if (inHand.delete(buffer) && free.length < mostBuffers) free.push(buffer)
}
