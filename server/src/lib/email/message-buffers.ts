/**
 * Buffers for whole messages, reused once a message is sent. A new buffer for each message stays
 * outside of the heap until a collection finds it. Their bytes alone caused the heap to be marked
 * every ninety messages, which took half of the time of a campaign's helper threads. Messages that
 * one thread builds and another one sends are in shared memory, and are not copied: such a buffer is
 * free again as soon as the sender releases it or drops it.
 */

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

/** More than are in use at once. Unused buffers take no memory. */
const buffers = 64

const flagBytes = buffers * Int32Array.BYTES_PER_ELEMENT

const [freeFlag, takenFlag] = [0, 1]

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
    if (Atomics.compareExchange(flags, n, freeFlag, takenFlag) === freeFlag) {
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
function leaveRoom(message: Buffer): boolean {
  const buffer = borrowed.get(message)
  if (!buffer) return false
  borrowed.delete(message)
  lost.unregister(buffer)
  leave(buffer)
  return true
}

function leave({ memory, n }: BorrowedBuffer): void {
  Atomics.store(new Int32Array(memory, 0, buffers), n, freeFlag)
}
