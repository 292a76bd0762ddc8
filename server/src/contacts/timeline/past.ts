/**
 * Deletes old entries of timelines and old own events, and adds what they said to the sums of each
 * person and campaign, which stay.
 */
import type { RetainedData } from '../../accounts/businesses/retention.ts'
import type { Id } from '../../core/ids.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Sql, Tx } from '../../lib/db/types.ts'

export interface OldRows {
  businessId: Id<'business'>
  before: Date
  limit: number
}

/** The oldest rows, by their index. What a person wrote about a contact stays with the contact. */
function oldActivity({ businessId, before, limit }: OldRows): Sql {
  return sql`
    select contact_id, id from contact_activity
    where business_id = ${businessId} and created_at < ${before} and type <> 'contact.note'
    order by created_at limit ${limit}`
}

export async function countOldActivity(db: Db, old: OldRows): Promise<number> {
  const { n } = await db.one<{ n: number }>(sqlWithin`
    select count(*)::int as n from (${oldActivity(old)}) old
  `)
  return n
}

/** Returns how many rows were deleted. */
export async function deleteOldActivity(tx: Tx, old: OldRows): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sqlWithin`
    with old as materialized (${oldActivity(old)}), deleted as (
      delete from contact_activity
      where business_id = ${old.businessId} and (contact_id, id) in (select contact_id, id from old)
      returning contact_id, type, machine, created_at
    ), kept as (
      insert into contact_past as past (business_id, contact_id, first_at, last_at, sent, opened,
        clicked)
      select ${old.businessId}::uuid, contact_id, min(created_at), max(created_at),
        count(*) filter (where type = 'message.sent'),
        count(*) filter (where type = 'message.opened' and machine is not true),
        count(*) filter (where type = 'message.clicked' and machine is not true)
      from deleted group by contact_id order by contact_id
      on conflict (business_id, contact_id) do update
      set first_at = least(past.first_at, excluded.first_at),
        last_at = greatest(past.last_at, excluded.last_at),
        sent = past.sent + excluded.sent, opened = past.opened + excluded.opened,
        clicked = past.clicked + excluded.clicked
    )
    select count(*)::int as n from deleted
  `)
  return n
}

/** The oldest events of each name, by the index of names. */
function oldEvents({ businessId, before, limit }: OldRows): Sql {
  return sql`
    with recursive names as (
      (select name from own_events where business_id = ${businessId} order by name limit 1)
      union all
      select (
        select name from own_events where business_id = ${businessId} and name > names.name
        order by name limit 1
      ) from names where name is not null
    )
    select e.key from names
    cross join lateral (
      select key from own_events
      where business_id = ${businessId} and name = names.name and happened_at < ${before}
      order by happened_at limit ${limit}
    ) e
    limit ${limit}`
}

async function countOldEvents(db: Db, old: OldRows): Promise<number> {
  const { n } = await db.one<{ n: number }>(sqlWithin`
    select count(*)::int as n from (${oldEvents(old)}) old
  `)
  return n
}

async function deleteOldEvents(tx: Tx, old: OldRows): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sqlWithin`
    with old as materialized (${oldEvents(old)}), deleted as (
      delete from own_events where business_id = ${old.businessId} and key in (select key from old)
      returning business_id, contact_id, campaign_id, sequence_id, happened_at, value, currency
    ), kept as (
      insert into contact_past as past (business_id, contact_id, first_at, last_at, own_events)
      select ${old.businessId}::uuid, contact_id, min(happened_at), max(happened_at), count(*)
      from deleted group by contact_id order by contact_id
      on conflict (business_id, contact_id) do update
      set first_at = least(past.first_at, excluded.first_at),
        last_at = greatest(past.last_at, excluded.last_at),
        own_events = past.own_events + excluded.own_events
    ), earned as (
      insert into campaign_past_revenue as past (business_id, campaign_id, currency, orders,
        refunds, value)
      select ${old.businessId}::uuid, campaign_id, coalesce(currency, ''),
        count(*) filter (where value >= 0), count(*) filter (where value < 0),
        coalesce(sum(value), 0)
      from deleted where campaign_id is not null
      group by campaign_id, coalesce(currency, '') order by 2, 3
      on conflict (business_id, campaign_id, currency) do update
      set orders = past.orders + excluded.orders, refunds = past.refunds + excluded.refunds,
        value = past.value + excluded.value
    ), earned_by_sequences as (
      insert into sequence_past_revenue as past (business_id, sequence_id, currency, orders,
        refunds, value)
      select business_id, sequence_id, coalesce(currency, ''),
        count(*) filter (where value >= 0), count(*) filter (where value < 0),
        coalesce(sum(value), 0)
      from deleted where sequence_id is not null
      group by business_id, sequence_id, coalesce(currency, '') order by 2, 3
      on conflict (business_id, sequence_id, currency) do update
      set orders = past.orders + excluded.orders, refunds = past.refunds + excluded.refunds,
        value = past.value + excluded.value
    )
    select count(*)::int as n from deleted
  `)
  return n
}

export const retainedEvents: RetainedData = {
  kind: 'events',

  count: (db, { businessId, before }, limit) => countOldEvents(db, { businessId, before, limit }),

  async deleteSome(tx, { businessId, before, size }) {
    const count = await deleteOldEvents(tx, { businessId, before, limit: size })
    // What a batch finds is deleted, so each batch begins at the oldest row.
    return { count, next: count < size ? null : businessId }
  },
}
