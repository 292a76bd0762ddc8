/** Counters of campaigns: many rows of which a reader takes the sum, so that none is hot. */
import type { Tx } from '../../lib/db/types.ts'
import { addToCounts, type CountDelta } from './outcome-queries.ts'

/** Of each counter so many rows: two flushes at once seldom want the same. */
const slots = 8

export async function addCounts(tx: Tx, deltas: readonly CountDelta[]): Promise<void> {
  const sums = new Map<string, CountDelta>()
  for (const delta of deltas) {
    const name = `${delta.campaignId} ${delta.variant} ${delta.metric}`
    const before = sums.get(name)?.amount ?? 0
    sums.set(name, { ...delta, amount: before + delta.amount })
  }
  const changed = [...sums.values()].filter(({ amount }) => amount !== 0)
  if (changed.length === 0) return
  await addToCounts(tx, Math.floor(Math.random() * slots), changed)
}
