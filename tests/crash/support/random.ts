/** Reproducible random numbers: the same seed gives the same sequence (mulberry32). */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  next(): number
  /** A whole number from `from` to `to`, both inclusive. */
  whole(from: number, to: number): number
  shuffled<T>(items: readonly T[]): T[]
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    whole,
    shuffled(items) {
      const left = [...items]
      return items.map(() => left.splice(whole(0, left.length - 1), 1)[0] as (typeof left)[number])
    },
  }
}
