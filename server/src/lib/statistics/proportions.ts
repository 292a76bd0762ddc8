/** Intervals for shares of people, and for the difference of two shares. */

export interface Share {
  /** How many there were. */
  of: number
  /** How many of them did it. */
  did: number
}

export interface Interval {
  low: number
  high: number
}

/**
 * The quantile of the normal distribution for 95 % over all pairs of so many groups together
 * (Bonferroni): with more pairs, one of them differs more easily by chance.
 */
const quantiles = [1.96, 1.96, 1.96, 2.394, 2.638, 2.807]

export function quantileFor(groups: number): number {
  return quantiles[Math.min(Math.max(groups, 0), quantiles.length - 1)] ?? 1.96
}

/** Wilson's interval, which also holds for small groups and for shares near 0 and 1. */
export function shareInterval({ of, did }: Share, z: number): Interval {
  if (of <= 0) return { low: 0, high: 1 }
  const share = Math.min(did, of) / of
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of)
  const half =
    (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** Newcombe's interval for how much larger the first share is than the second. */
export function differenceInterval(first: Share, second: Share, z: number): Interval {
  const [a, b] = [first, second].map((share) => {
    const value = share.of <= 0 ? 0.5 : Math.min(share.did, share.of) / share.of
    return { value, ...shareInterval(share, z) }
  })
  if (!a || !b) throw new Error('two shares are compared')
  const difference = a.value - b.value
  return {
    low: difference - Math.hypot(a.value - a.low, b.high - b.value),
    high: difference + Math.hypot(a.high - a.value, b.value - b.low),
  }
}
