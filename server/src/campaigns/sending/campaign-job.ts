/**
 * The jobs of a campaign: one at a time, in a lane of its own, so that campaigns take turns. Each
 * job runs again and again, one tick at a time, and a tick is one transaction.
 */

import type { Id } from '../../core/ids.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { settle } from '../../lib/jobs/claim.ts'
import {
  enqueue,
  type Job,
  jobIdOf,
  type NewJob,
  type Outcome,
  type TellWorker,
  tellOfJobs,
  type Verdict,
} from '../../lib/jobs/job.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { RunKey } from '../campaign-run.ts'

export const runJobKind = 'campaign.run'

/** There is at most one such job: queueing it while it waits changes nothing. */
export function runJob({ businessId, campaignId }: RunKey, dueAt: Date): NewJob {
  const payload: CampaignPayload = { business_id: businessId, campaign_id: campaignId }
  const id = jobIdOf(runJobKind, campaignId)
  return { kind: runJobKind, businessId, lane: campaignId, id, payload, dueAt }
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

/** Runs when a scheduled campaign is due. */
export const startJob = 'campaign.start'
/** Freezes the audience of a deployed campaign. */
export const freezeJob = 'campaign.freeze'

export interface CampaignPayload {
  business_id: Id<'business'>
  campaign_id: Id<'campaign'>
}

export interface CampaignName {
  businessId: Id<'business'>
  id: Id<'campaign'>
}

export async function queueStart(
  tx: Tx,
  { sendAt, ...campaign }: CampaignName & { sendAt: Date },
  now: Date,
): Promise<void> {
  await enqueue(tx, [{ kind: startJob, ...jobOf(campaign), dueAt: sendAt }], now)
}

export async function queueFreeze(tx: Tx, campaign: CampaignName, now: Date): Promise<void> {
  await enqueue(tx, [{ kind: freezeJob, ...jobOf(campaign) }], now)
}

/** Each campaign has a lane of its own, so that campaigns take turns. */
function jobOf({ businessId, id }: CampaignName) {
  const payload: CampaignPayload = { business_id: businessId, campaign_id: id }
  return { businessId, lane: id, payload }
}
