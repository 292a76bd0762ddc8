/** The statements that hold the messages of a campaign back. */

import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { CampaignKey } from '../model/queue.ts'

/** What was cancelled stays so. */
export function insertHold(
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

export function deleteHold(db: Db, { businessId, campaignId }: CampaignKey): Promise<number> {
  return db.run(sql`
    delete from message_holds
    where business_id = ${businessId} and campaign_id = ${campaignId} and state = 'held'
  `)
}
