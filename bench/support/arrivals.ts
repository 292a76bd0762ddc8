/** When the relay of a bench accepted the mails to single people. */
export interface Arrivals {
  came(recipient: string): void
  /** Resolves with the time at which the recipient's mail was accepted. */
  of(recipient: string): Promise<number>
}

export function createArrivals(): Arrivals {
  const waiting = new Map<string, (at: number) => void>()
  return {
    came(recipient) {
      waiting.get(recipient)?.(performance.now())
      waiting.delete(recipient)
    },
    of: (recipient) => new Promise((resolve) => waiting.set(recipient, resolve)),
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
}
