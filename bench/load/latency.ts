/** Response times, to a hundredth of a millisecond, in a fixed few kilobytes. */
const step = 0.01
const slots = 100_000

export class Latencies {
  readonly #counts = new Uint32Array(slots + 1)
  #total = 0

  record(milliseconds: number): void {
    const slot = Math.min(slots, Math.floor(milliseconds / step))
    this.#counts[slot] = (this.#counts[slot] ?? 0) + 1
    this.#total++
  }

  /** The time in milliseconds that a share (0 to 1) of the responses did not exceed. */
  quantile(share: number): number {
    let left = Math.ceil(this.#total * share)
    for (const [slot, count] of this.#counts.entries()) {
      left -= count
      if (left <= 0) return (slot + 1) * step
    }
    return 0
  }
}
