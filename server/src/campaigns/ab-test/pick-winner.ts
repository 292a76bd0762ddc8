/**
 * Decides an A/B test and releases a variant to the recipients who wait: the leading one. It has won
 * only if it is better than the others beyond chance.
 */

import type { Db, Tx } from '../../lib/db/types.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { clocksOf, isByClock } from '../audience/clocks.ts'
import { findVariants } from '../campaign.ts'
import type { RunKey, RunningCampaign } from '../campaign-run.ts'
import { listCounts } from '../campaign-run.ts'
import {
  findTest,
  judge,
  markReleased,
  releaseHeld,
  resultsOf,
  setWinner,
  type TestPlan,
  type VariantResult,
  type VariantTest,
  zonesOfHeld,
} from './variant-test.ts'

/** How many recipients one tick releases. */
const perTick = 10_000

/**
 * Decides once the time has come, or once a person has chosen it. It runs inside the
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
  const winner = test.winner ?? (await decide(tx, key, { test, now }))
  const zones = isByClock(campaign) ? await zonesOfHeld(tx, key, perTick) : []
  const hours = clocksOf(campaign, zones)
  const released = await releaseHeld(tx, key, { ...hours, winner, limit: perTick, now })
  if (released < perTick) await markReleased(tx, key, now)
}

async function decide(
  tx: Tx,
  key: RunKey,
  { test, now }: { test: VariantTest; now: Date },
): Promise<number> {
  const evidence = await evidenceNow(tx, key, test)
  const { leader, isBeyondChance } = judge(evidence)
  await setWinner(tx, key, { winner: leader, byHand: false, isBeyondChance, evidence, now })
  return leader
}

/** What is known at this moment; later counts include those who got the released variant. */
export async function evidenceNow(
  db: Db,
  { businessId, campaignId }: RunKey,
  { decidedBy }: Pick<TestPlan, 'decidedBy'>,
): Promise<VariantResult[]> {
  const [variants, counts] = await Promise.all([
    findVariants(db, businessId, campaignId),
    listCounts(db, businessId, campaignId),
  ])
  return resultsOf(variants, counts, decidedBy)
}
