/**
 * A message while it is written and, beside it, its body as DKIM signs it. Indented HTML has
 * hundreds of runs of spaces, and to remove them byte by byte cost more than the rest of the
 * building. For pieces that many messages share it is done once.
 */
import { relaxedLines, withoutEmptyEnd } from './canonical.ts'
import { Scratch, type Shared } from './scratch.ts'

/** A message, and its body as DKIM signs it. */
export interface Written {
  message: Buffer
  relaxedBody: Buffer
}

export class MessageScratch extends Scratch {
  readonly #relaxed = new Scratch()
  /**
   * The length up to which the relaxed form equals the body; a separate copy is written only after
   * the first difference.
   */
  #followed = 0
  #differs = false

  override addShared({ encoded, relaxed }: Shared): void {
    this.#follow()
    this.add(encoded)
    this.#take(encoded, relaxed)
  }

  /** Views of the scratch buffer, valid until the next write. */
  written(): Written {
    this.#follow()
    const message = this.view()
    const all = this.#differs ? this.#relaxed.view() : message
    return { message, relaxedBody: withoutEmptyEnd(all.subarray(all.indexOf('\r\n\r\n') + 4)) }
  }

  override clear(): void {
    super.clear()
    this.#relaxed.clear()
    this.#followed = 0
    this.#differs = false
  }

  /** Processes the bytes that were written directly to the buffer. */
  #follow(): void {
    if (this.#followed === this.length) return
    const chunk = this.bytes.subarray(this.#followed, this.length)
    this.#take(chunk, relaxedLines(chunk))
  }

  #take(chunk: Buffer, relaxed: Buffer): void {
    if (relaxed !== chunk && !this.#differs) {
      this.#differs = true
      this.#relaxed.add(this.bytes.subarray(0, this.#followed))
    }
    if (this.#differs) this.#relaxed.add(relaxed)
    this.#followed = this.length
  }
}
