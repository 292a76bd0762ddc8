/** A piece of many messages that begins a line, and how DKIM signs it. */
export interface Shared {
  readonly encoded: Buffer
  readonly relaxed: Buffer
}

/** A buffer that messages are written into one after another, so that none is grown anew. */
export class Scratch {
  bytes = Buffer.allocUnsafeSlow(64 * 1024)
  length = 0

  /** Makes room for so many bytes more. */
  reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(Math.ceil(needed), this.bytes.length * 2))
    this.bytes.copy(larger, 0, 0, this.length)
    this.bytes = larger
  }

  add(bytes: Buffer): void {
    this.reserve(bytes.length)
    bytes.copy(this.bytes, this.length)
    this.length += bytes.length
  }

  addShared({ encoded }: Shared): void {
    this.add(encoded)
  }

  /** Adds text that is ASCII. */
  ascii(text: string): void {
    this.reserve(text.length)
    this.length += this.bytes.write(text, this.length, 'latin1')
  }

  /** What was written, as a buffer of its own; the scratch is empty again. */
  take(): Buffer {
    const taken = Buffer.from(this.view())
    this.clear()
    return taken
  }

  /** What was written, where it lies: good until more is. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
    // A large message is no reason to keep its room for good.
    if (this.bytes.length > 1024 * 1024) this.bytes = Buffer.allocUnsafeSlow(64 * 1024)
  }
}
