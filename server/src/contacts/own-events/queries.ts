/** Statements that write own events. */

import type { Id } from '../../core/ids.ts'
import { ids, longTexts, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

export interface NamedContacts {
  ids: readonly Id<'contact'>[]
  /** Normalised, as contacts store them. */
  emails: readonly string[]
  phones: readonly string[]
}

export interface FoundContact {
  id: Id<'contact'>
  email: string | null
  phone: string | null
}

/** Finds the named contacts and locks them, so that none is deleted or merged in the meantime. */
export function lockContacts(
  tx: Tx,
  businessId: Id<'business'>,
  named: NamedContacts,
): Promise<FoundContact[]> {
  return tx.all(sql`
    select c.id, c.email, c.phone from contacts c
    where c.business_id = ${businessId} and c.id in (
      select id from contacts where business_id = ${businessId} and id = any (${named.ids}::uuid[])
      union all
      select id from contacts
      where business_id = ${businessId} and email = any (${named.emails}::text[])
      union all
      select id from contacts
      where business_id = ${businessId} and phone = any (${named.phones}::text[])
    )
    order by c.id
    for key share
  `)
}

export interface OwnEventRow {
  key: Buffer
  id: Id<'activity'>
  contactId: Id<'contact'>
  name: string
  at: Date
  value: number | null
  currency: string | null
  /** JSON text. */
  properties: string
}

interface EventSource {
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  now: Date
}

/** Inserts events and returns the ids of the new ones: an event with a known key is ignored. */
export function insertOwnEvents(
  tx: Tx,
  businessId: Id<'business'>,
  rows: readonly OwnEventRow[],
  { connectionId, callId, now }: EventSource,
): Promise<{ id: Id<'activity'> }[]> {
  return tx.all(sql`
    insert into own_events (business_id, key, id, contact_id, name, happened_at, value, currency,
      properties, campaign_id, connection_id, call_id, created_at)
    select ${businessId}, key, id, contact_id, name, at, value, currency, properties::json,
      case when value is not null then (
        select a.campaign_id from contact_activity a
        where a.business_id = ${businessId} and a.contact_id = new.contact_id
          and a.type = 'message.clicked' and a.machine is not true
          and a.created_at >= new.at - make_interval(days => (
            select attribution_days from businesses where id = ${businessId})) and a.created_at <= new.at
        order by a.created_at desc, a.id desc limit 1
      ) end,
      ${connectionId}, ${callId}, ${now}
    from unnest(
      ${rows.map((row) => row.key)}::bytea[],
      ${ids(rows.map((row) => row.id))}::uuid[],
      ${ids(rows.map((row) => row.contactId))}::uuid[],
      ${texts(rows.map((row) => row.name))}::text[],
      ${rows.map((row) => row.at)}::timestamptz[],
      ${rows.map((row) => row.value)}::numeric[],
      ${texts(rows.map((row) => row.currency))}::text[],
      ${longTexts(rows.map((row) => row.properties))}::text[]
    ) as new (key, id, contact_id, name, at, value, currency, properties)
    on conflict do nothing
    returning id
  `)
}

export interface Revenue {
  currency: string | null
  orders: number
  value: number
}

/** The revenue of a campaign: events with a value, from people who followed its link last. */
export function revenueOf(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<Revenue[]> {
  return db.all(sql`
    select currency, count(*) as orders, sum(value)::float8 as value from own_events
    where business_id = ${businessId} and campaign_id = ${campaignId}
    group by currency order by currency
  `)
}
