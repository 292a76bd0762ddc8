/** What an A/B test shows: the variants' shares of people, and whether one is better beyond chance. */

import { differenceInterval, quantileFor, shareInterval } from '../../lib/statistics/proportions.ts'

/** How many people a variant reached, and how many of them clicked or opened. */
export interface VariantResult {
  variant: number
  sent: number
  acted: number
}

export interface Verdict {
  results: (VariantResult & { low: number; high: number })[]
  /** The variant with the highest share; of equal ones the first, which is the author's own. */
  leader: number
  /** By how much its share is larger than that of the variant which comes nearest to it. */
  lead: { low: number; high: number }
  isBeyondChance: boolean
}

type Count = { variant: number; metric: string; amount: number }

/** People alone: visits of machines have counters of their own. */
export function resultsOf(
  variants: readonly { position: number }[],
  counts: readonly Count[],
  decidedBy: 'clicks' | 'opens',
): VariantResult[] {
  const amount = (variant: number, metric: string) =>
    counts.find((count) => count.variant === variant && count.metric === metric)?.amount ?? 0
  return variants.map(({ position }) => ({
    variant: position,
    sent: amount(position, 'sent'),
    acted: amount(position, decidedBy === 'clicks' ? 'clicked' : 'opened'),
  }))
}

/** Where one of several variants leads, that is judged over all pairs of them together. */
export function judge(results: readonly VariantResult[]): Verdict {
  const z = quantileFor(results.length)
  const share = ({ sent, acted }: VariantResult) => ({ of: sent, did: acted })
  const rate = ({ sent, acted }: VariantResult) => acted / Math.max(1, sent)
  const [first, ...others] = results
  if (!first) throw new Error('an A/B test without variants')
  const leader = others.reduce((best, other) => (rate(other) > rate(best) ? other : best), first)
  const leads = results
    .filter((result) => result !== leader)
    .map((result) => differenceInterval(share(leader), share(result), z))
  const lead = leads.reduce((least, interval) => (interval.low < least.low ? interval : least), {
    low: Infinity,
    high: Infinity,
  })
  return {
    results: results.map((result) => ({ ...result, ...shareInterval(share(result), z) })),
    leader: leader.variant,
    lead: leads.length === 0 ? { low: 0, high: 0 } : lead,
    isBeyondChance: leads.length > 0 && lead.low > 0,
  }
}
