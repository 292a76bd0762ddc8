/**
 * A campaign's messages wait in lanes of their own. A hold consists of a row, which is read as each
 * attempt begins and stops the messages that a worker has already claimed, and of paused lanes, so
 * that no waiting messages are claimed in vain.
 */

import { deleteSent } from '../contacts/timeline/activity.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { pauseLane, resumeLane, type Waiting, waitingIn, waitsIn } from '../lib/jobs/lanes.ts'
import { type Outcomes, tellOutcomes } from './campaign-outcomes.ts'
import { eventRow, insertEvents } from './message-events.ts'
import { type CampaignKey, campaignLanes, endWaitingMessages, firstLanes } from './queue.ts'
import { startOfNextDay } from './throttle/throttle.ts'

/** Once it commits, no more of the campaign is sent. Messages on a connection finish. */
export async function holdCampaign(tx: Tx, campaign: CampaignKey, now: Date): Promise<void> {
  await insertHold(tx, campaign, 'held', now)
  for (const lane of campaignLanes(campaign)) await pauseLane(tx, lane, now, 'bulk')
}

/** A cancelled campaign stays cancelled. */
function insertHold(
  tx: Tx,
  { businessId, campaignId }: CampaignKey,
  state: 'held' | 'cancelled',
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into message_holds (business_id, campaign_id, state, created_at)
    values (${businessId}, ${campaignId}, ${state}, ${now})
    on conflict (business_id, campaign_id) do update set state = excluded.state
    where message_holds.state <> 'cancelled'
  `)
}

/** Resumes the messages on hold. A cancelled campaign stays stopped. */
export async function releaseCampaign(tx: Tx, campaign: CampaignKey, now: Date): Promise<void> {
  await deleteHold(tx, campaign)
  for (const lane of campaignLanes(campaign)) await resumeLane(tx, lane, now)
}

function deleteHold(db: Db, { businessId, campaignId }: CampaignKey): Promise<number> {
  return db.run(sql`
    delete from message_holds
    where business_id = ${businessId} and campaign_id = ${campaignId} and state = 'held'
  `)
}

/** Once it commits, no more of the campaign is ever sent. */
export async function stopCampaign(tx: Tx, campaign: CampaignKey, now: Date): Promise<void> {
  await insertHold(tx, campaign, 'cancelled', now)
  // The remaining jobs find nothing to do, and end.
  for (const lane of campaignLanes(campaign)) await resumeLane(tx, lane, now)
}

/** Cancels waiting messages. */
export async function cancelMessages(
  tx: Tx,
  outcomes: Outcomes,
  { businessId, ids }: { businessId: Id<'business'>; ids: readonly Id<'message'>[] },
  now: Date,
): Promise<void> {
  const ended = await endWaitingMessages(tx, businessId, { ids, state: 'cancelled' }, now)
  const type = 'cancelled' as const
  await insertEvents(
    tx,
    ended.map(({ id }) => eventRow({ businessId, messageId: id, type }, now)),
    now,
  )
  const rows = ended.map((row) => ({ ...row, state: type, reason: 'campaign_cancelled' }))
  await deleteSent(tx, businessId, ended)
  await tellOutcomes(tx, outcomes, rows, now)
}

/** Counts the campaign's messages that wait for their first try or are being sent. */
export function waitingOf(db: Db, campaign: CampaignKey, now: Date): Promise<Waiting> {
  return waitingIn(db, firstLanes(campaign), now)
}

/**
 * Until when messages of the campaign wait for the next day of their domain's warm-up; undefined if none
 * does. Nothing else puts a message off until a day begins.
 */
export async function warmUpOf(
  db: Db,
  campaign: CampaignKey,
  now: Date,
): Promise<Date | undefined> {
  if (campaign.channel !== 'email') return undefined
  const nextDay = startOfNextDay(now)
  return (await waitsIn(db, campaignLanes(campaign), nextDay)) ? nextDay : undefined
}
