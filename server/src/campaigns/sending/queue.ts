/** The jobs that move a campaign on by themselves. */

import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'

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
  return { lane: id, payload }
}
