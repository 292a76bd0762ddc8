/** Statements that hold the campaigns that were under way when a backup was made. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { RunKey } from '../model/run-queries.ts'

export interface UnderWay extends RunKey {
  /** Whether its audience is frozen, with one row per recipient. */
  frozen: boolean
  state: 'deployed' | 'scheduled' | 'paused'
}

/** Campaigns that are deployed or paused, or whose scheduled time has passed. */
export function findUnderWay(db: Db, now: Date): Promise<UnderWay[]> {
  return db.all(sql`
    select business_id as "businessId", id as "campaignId", state,
      frozen_at is not null as frozen
    from campaigns
    where state in ('deployed', 'paused') or (state = 'scheduled' and send_at <= ${now})
    order by business_id, id
  `)
}

export interface Doubted {
  variant: number
  amount: number
}

/** Recipients who got it after the backup cannot be distinguished from those who did not. */
export function doubtOpenRecipients(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  now: Date,
): Promise<Doubted[]> {
  return tx.all(sql`
    with doubted as (
      update campaign_recipients set state = 'unknown', reason = null, due_at = null,
        updated_at = ${now}
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and state in ('pending', 'taken')
      returning variant
    )
    select coalesce(variant, 0)::int as variant, count(*)::int as amount
    from doubted group by coalesce(variant, 0)
  `)
}

/** Ends their messages as well, so that a job that finds one has nothing to do. */
export function doubtOpenMessages(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  now: Date,
): Promise<{ id: Id<'message'> }[]> {
  return tx.all(sql`
    update messages m set state = 'unknown', updated_at = ${now}
    from campaign_recipients r
    where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
      and m.business_id = ${businessId} and m.id = r.message_id
      and m.state in ('scheduled', 'queued', 'attempting', 'deferred')
    returning m.id
  `)
}

/** Deletes what an interrupted freeze had stored; the next deploy freezes the audience again. */
export async function deleteFrozen(tx: Tx, { businessId, campaignId }: RunKey): Promise<void> {
  await tx.run(sql`
    delete from campaign_recipients
    where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
  await tx.run(sql`
    delete from campaign_counts where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
  await tx.run(sql`
    delete from campaign_runs where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}
