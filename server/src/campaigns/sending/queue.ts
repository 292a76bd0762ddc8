/** What becomes of a campaign by itself, as jobs. */

import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'

/** Comes when a campaign that was scheduled is due. */
export const startJob = 'campaign.start'
/** Writes down who gets it: the campaign was deployed. */
export const freezeJob = 'campaign.freeze'

export interface CampaignPayload {
  business_id: Id<'business'>
  campaign_id: Id<'campaign'>
}

export interface Named {
  businessId: Id<'business'>
  id: Id<'campaign'>
}

export async function queueStart(
  tx: Tx,
  { sendAt, ...named }: Named & { sendAt: Date },
  now: Date,
): Promise<void> {
  await enqueue(tx, [{ kind: startJob, ...jobOf(named), dueAt: sendAt }], now)
}

export async function queueFreeze(tx: Tx, named: Named, now: Date): Promise<void> {
  await enqueue(tx, [{ kind: freezeJob, ...jobOf(named) }], now)
}

/** Campaigns take turns, each in a lane of its own. */
function jobOf({ businessId, id }: Named) {
  const payload: CampaignPayload = { business_id: businessId, campaign_id: id }
  return { lane: id, payload }
}
