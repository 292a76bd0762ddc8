/** Statements that defer waiting messages, put a campaign's messages on hold, or end them. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { CampaignKey } from '../model/queue.ts'
import type { Announced } from '../timeline/announce.ts'

export interface Postponed {
  id: Id<'message'>
  until: Date
  /** The provider that it waits for; null for another reason. */
  provider: string | null
}

/** Defers messages until later, without an attempt. */
export function postpone(
  tx: Tx,
  businessId: Id<'business'>,
  all: readonly Postponed[],
  now: Date,
): Promise<number> {
  const ids = all.map(({ id }) => id)
  return tx.run(sql`
    update messages m set due_at = new.until, provider = coalesce(new.provider, m.provider),
      updated_at = ${now}
    from unnest(
      ${ids}::uuid[],
      ${all.map(({ until }) => until)}::timestamptz[],
      ${all.map(({ provider }) => provider)}::text[]
    ) as new (id, until, provider)
    where m.business_id = ${businessId} and m.id = any(${ids}::uuid[]) and m.id = new.id
      and m.state in ('queued', 'deferred')
  `)
}

/** Ends waiting messages as failed or cancelled. Returns those that were still open. */
export function endWaitingMessages(
  tx: Tx,
  businessId: Id<'business'>,
  { ids, state }: { ids: readonly Id<'message'>[]; state: 'failed' | 'cancelled' },
  now: Date,
): Promise<Announced[]> {
  return tx.all(sql`
    update messages set state = ${state}, updated_at = ${now}
    where business_id = ${businessId} and id = any(${ids}::uuid[])
      and state in ('queued', 'deferred')
    returning business_id as "businessId", id, channel, campaign_id as "campaignId",
      contact_id as "contactId", recipient as "to", labels
  `)
}

export interface Denial {
  businessId: Id<'business'>
  id: Id<'message'>
  state: 'suppressed' | 'cancelled'
}

/** Ends messages that must not be sent. Returns those that were still open. */
export function denyMessages(tx: Tx, all: Denial[], now: Date): Promise<Announced[]> {
  return tx.all(sql`
    update messages m set state = denied.state, updated_at = ${now}
    from unnest(
      ${all.map((denial) => denial.businessId)}::uuid[],
      ${all.map((denial) => denial.id)}::uuid[],
      ${all.map((denial) => denial.state)}::text[]
    ) as denied (business_id, id, state)
    where m.business_id = denied.business_id and m.id = denied.id
      and m.state in ('queued', 'deferred')
    returning m.business_id as "businessId", m.id, m.channel, m.campaign_id as "campaignId",
      m.contact_id as "contactId", m.recipient as "to", m.labels
  `)
}

/** A cancelled campaign stays cancelled. */
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
