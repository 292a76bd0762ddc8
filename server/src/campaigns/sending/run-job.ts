/**
 * The jobs of a campaign: one at a time, in a lane of its own, so that campaigns take turns. Each
 * job runs again and again, one tick at a time, and a tick is one transaction.
 */

import type { Database, Tx } from '../../lib/db/types.ts'
import { settle } from '../../lib/jobs/claim.ts'
import {
  type Job,
  jobIdOf,
  type NewJob,
  type Outcome,
  type TellWorker,
  tellOfJobs,
  type Verdict,
} from '../../lib/jobs/job.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { RunKey } from '../model/run-queries.ts'
import type { CampaignPayload } from './queue.ts'

export const runJobKind = 'campaign.run'

/** There is at most one such job: queueing it while it waits changes nothing. */
export function runJob({ businessId, campaignId }: RunKey, dueAt: Date): NewJob {
  const payload: CampaignPayload = { business_id: businessId, campaign_id: campaignId }
  const id = jobIdOf(runJobKind, campaignId)
  return { kind: runJobKind, lane: campaignId, id, payload, dueAt }
}

export function keyOf({ payload }: Job<CampaignPayload>): RunKey {
  return { businessId: payload.business_id, campaignId: payload.campaign_id }
}

export interface TickDeps {
  db: Database
  clock: Clock
  wake: TellWorker
}

/** One tick: its work commits together with the settling of its job, or not at all. */
export async function runInTick(
  { db, clock, wake }: TickDeps,
  job: Job<CampaignPayload>,
  work: (tx: Tx, now: Date) => Promise<Outcome>,
): Promise<Verdict> {
  try {
    return await db.tx(async (tx) => {
      tellOfJobs(tx, wake)
      const now = clock.now()
      const outcome = await work(tx, now)
      const heldJobs = await settle(tx, [{ job, outcome }], now)
      if (!heldJobs.has(job)) throw new LostJob()
      return 'at' in outcome ? { outcome: 'settled', at: outcome.at } : { outcome: 'settled' }
    })
  } catch (error) {
    if (!(error instanceof LostJob)) throw error
    return { outcome: 'settled' }
  }
}

/** Another worker has the job, so the transaction of this tick is rolled back. */
class LostJob extends Error {
  override name = 'LostJob'
}
