/** Picks the winning variant of an A/B test and releases it to the recipients who wait for it. */

import type { Tx } from '../../lib/db/types.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { clocksOf, isByClock } from '../audience/clocks.ts'
import { listCounts } from '../model/count-queries.ts'
import { findVariants } from '../model/queries.ts'
import type { RunKey, RunningCampaign } from '../model/run-queries.ts'
import {
  findTest,
  markReleased,
  releaseHeld,
  setWinner,
  type TestPlan,
  zonesOfHeld,
} from './test-queries.ts'

/** How many recipients one tick releases. */
const perTurn = 10_000

/**
 * Picks the winner once its time has come, or once a person has chosen it. It runs inside the
 * campaign's tick, the only place where messages are dispatched.
 */
export async function decideTest(
  tx: Tx,
  key: RunKey,
  { campaign, frozenAt, now }: { campaign: RunningCampaign; frozenAt: Date; now: Date },
): Promise<void> {
  const test = await findTest(tx, key)
  if (!test || test.releasedAt) return
  if (test.winner === null && now < later(frozenAt, minutes(test.afterMinutes))) return
  const winner = test.winner ?? (await bestOf(tx, key, test.decidedBy))
  if (test.winner === null) await setWinner(tx, key, { winner, byHand: false, now })
  const zones = isByClock(campaign) ? await zonesOfHeld(tx, key, perTurn) : []
  const hours = clocksOf(campaign, zones)
  const released = await releaseHeld(tx, key, { ...hours, winner, limit: perTurn, now })
  if (released < perTurn) await markReleased(tx, key, now)
}

/**
 * The variant with the highest share of people who opened or clicked; of equal variants the first,
 * which is the author's own.
 */
async function bestOf(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  decidedBy: TestPlan['decidedBy'],
): Promise<number> {
  const [variants, counts] = await Promise.all([
    findVariants(tx, businessId, campaignId),
    listCounts(tx, businessId, campaignId),
  ])
  const amount = (position: number, metric: string) =>
    counts.find((one) => one.variant === position && one.metric === metric)?.amount ?? 0
  const rates = variants.map(({ position }) => {
    const acted = amount(position, decidedBy === 'clicks' ? 'clicked' : 'opened')
    return { position, rate: acted / Math.max(1, amount(position, 'sent')) }
  })
  const best = rates.reduce((a, b) => (b.rate > a.rate ? b : a), { position: 0, rate: -1 })
  return best.position
}
