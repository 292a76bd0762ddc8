/**
 * Buffers for messages that one thread builds and another one sends, in shared memory. The messages
 * are not copied between the threads, and add no memory outside the heap that a collection has to
 * find. A buffer is free again as soon as the sender releases it or drops it.
 */

/** The size that newsletters need; a larger message gets a buffer of its own. */
const bufferBytes = 64 * 1024
/** More than are in use at once. Unused buffers take no memory. */
const buffers = 64
const flagBytes = buffers * Int32Array.BYTES_PER_ELEMENT
const [free, taken] = [0, 1]

export function newBuffers(): SharedArrayBuffer {
  return new SharedArrayBuffer(flagBytes + buffers * bufferBytes)
}

export interface Room {
  n: number
  bytes: Buffer
}

/** For the building thread: claims the first free buffer, so that only few are ever touched. */
export function takeBuffer(memory: SharedArrayBuffer, bytes: number): Room | undefined {
  if (bytes > bufferBytes) return undefined
  const flags = new Int32Array(memory, 0, buffers)
  for (let n = 0; n < buffers; n++) {
    if (Atomics.compareExchange(flags, n, free, taken) === free) {
      return { n, bytes: Buffer.from(memory, flagBytes + n * bufferBytes, bytes) }
    }
  }
  return undefined
}

interface BorrowedBuffer {
  memory: SharedArrayBuffer
  n: number
}

const borrowed = new WeakMap<Buffer, BorrowedBuffer>()
const lost = new FinalizationRegistry(leave)

/** For the sending thread: the message in that buffer, which it owns from here on. */
export function messageIn(memory: SharedArrayBuffer, n: number, bytes: number): Buffer {
  const message = Buffer.from(memory, flagBytes + n * bufferBytes, bytes)
  const buffer = { memory, n }
  borrowed.set(message, buffer)
  // A message that is deferred, refused or in doubt is dropped without a release.
  lost.register(message, buffer, buffer)
  return message
}

/** Releases the message's buffer if it is one of these. Nobody may read the message afterwards. */
export function leaveRoom(message: Buffer): boolean {
  const buffer = borrowed.get(message)
  if (!buffer) return false
  borrowed.delete(message)
  lost.unregister(buffer)
  leave(buffer)
  return true
}

function leave({ memory, n }: BorrowedBuffer): void {
  Atomics.store(new Int32Array(memory, 0, buffers), n, free)
}
