/** A piece that many messages share. It begins a line, and carries the form that DKIM signs. */
export interface Shared {
  readonly encoded: Buffer
  readonly relaxed: Buffer
}

/** A buffer for writing one message after another, so that no buffer has to grow each time. */
export class Scratch {
  bytes = Buffer.allocUnsafeSlow(64 * 1024)
  length = 0

  /** Makes room for `more` bytes. */
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

  /** The written bytes as a buffer of their own. Afterwards the scratch is empty. */
  take(): Buffer {
    const copy = Buffer.from(this.view())
    this.clear()
    return copy
  }

  /** The written bytes in place, valid until the next write. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
    // One large message should not make the buffer large for good.
    if (this.bytes.length > 1024 * 1024) this.bytes = Buffer.allocUnsafeSlow(64 * 1024)
  }
}
