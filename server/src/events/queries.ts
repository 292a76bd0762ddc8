/** Statements that write events and their positions; `feed-queries.ts` has those that read. */

import type { Id } from '../core/ids.ts'
import { ids, longTexts, numbers, texts } from '../lib/db/columns.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import type { EventTypeName } from './catalog.ts'

export interface EventRow {
  businessId: Id<'business'>
  id: Id<'event'>
  type: EventTypeName
  body: string
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

/** Rows as columns, the form in which they are sent to the database. */
export interface EventColumns {
  businessIds: Buffer
  ids: Buffer
  types: string
  bodies: Buffer
  connectionIds: Buffer
  callIds: Buffer
}

export function columnsOf(rows: readonly EventRow[]): EventColumns {
  return {
    businessIds: ids(rows.map((row) => row.businessId)),
    ids: ids(rows.map((row) => row.id)),
    types: texts(rows.map((row) => row.type)),
    bodies: longTexts(rows.map((row) => row.body)),
    connectionIds: ids(rows.map((row) => row.connectionId)),
    callIds: ids(rows.map((row) => row.callId)),
  }
}

export function insertEvents(db: Db, columns: EventColumns, now: Date): Promise<number> {
  return db.run(sql`
    insert into events (business_id, id, type, body, connection_id, call_id, created_at)
    select business_id, id, type, body, connection_id, call_id, ${now}
    from unnest(
      ${columns.businessIds}::uuid[],
      ${columns.ids}::uuid[],
      ${columns.types}::text[],
      ${columns.bodies}::text[],
      ${columns.connectionIds}::uuid[],
      ${columns.callIds}::uuid[]
    ) as row (business_id, id, type, body, connection_id, call_id)
  `)
}

/** The key of an event; its time determines in which day's partition it is stored. */
export interface EventKey {
  businessId: Id<'business'>
  id: Id<'event'>
  createdAt: Date
}

/**
 * Reads bodies by id: null for an erased event, nothing for one past its retention. The statement
 * looks events up one by one by key, even where the plan was made while the partitions were empty.
 */
export function selectBodies(
  db: Db,
  events: readonly EventKey[],
): Promise<{ id: Id<'event'>; body: string | null }[]> {
  const businessIds = events.map(({ businessId }) => businessId)
  const eventIds = events.map(({ id }) => id)
  const times = events.map(({ createdAt }) => createdAt)
  return db.all(sql`
    select found.id, found.body
    from unnest(${businessIds}::uuid[], ${eventIds}::uuid[], ${times}::timestamptz[])
      as asked (business_id, id, created_at)
    cross join lateral (
      select id, case when erased_at is null then body end as body from events
      where business_id = asked.business_id and created_at = asked.created_at and id = asked.id
      limit 1
    ) found
  `)
}

/** Creates the heads of businesses that had no event yet. */
export function openHeads(db: Db, businessIds: Id<'business'>[], now: Date): Promise<number> {
  return db.run(sql`
    insert into event_heads (business_id, position, placed_at)
    select id, 0, ${now} from unnest(${businessIds}::uuid[]) as id order by id
    on conflict (business_id) do nothing
  `)
}

/** The last position that a business's feed has assigned. */
export interface Head {
  businessId: Id<'business'>
  position: number
  placedAt: Date
}

/**
 * Locks heads: only the holder assigns the next positions of their businesses. They are locked in a
 * fixed order, against deadlocks.
 */
export function lockHeads(db: Db, businessIds: Id<'business'>[]): Promise<Head[]> {
  return db.all<Head>(sql`
    select business_id as "businessId", position, placed_at as "placedAt"
    from event_heads where business_id = any(${businessIds}::uuid[])
    order by business_id for update
  `)
}

/** An event with its position in the feed. */
export interface PlacedEvent {
  businessId: Id<'business'>
  eventId: Id<'event'>
  type: EventTypeName
  createdAt: Date
  position: number
  /** Never decreases as positions grow. */
  placedAt: Date
}

/** Advances heads, which the caller has locked, to the last positions assigned. */
export function moveHeads(db: Db, heads: readonly Head[]): Promise<number> {
  return db.run(sql`
    update event_heads head
    set position = last.position, placed_at = to_timestamp(last.placed_ms / 1000)
    from unnest(
      ${ids(heads.map((head) => head.businessId))}::uuid[],
      ${numbers(heads.map((head) => head.position))}::bigint[],
      ${numbers(heads.map((head) => head.placedAt.getTime()))}::float8[]
    ) as last (business_id, position, placed_ms)
    where head.business_id = last.business_id
  `)
}

/** Writes positions of events whose heads the caller has locked. */
export function placeEvents(db: Db, events: readonly PlacedEvent[]): Promise<number> {
  return db.run(sql`
    insert into event_feed (business_id, position, placed_at, event_id, type, created_at)
    select business_id, position, to_timestamp(placed_ms / 1000), event_id, type,
      to_timestamp(created_ms / 1000)
    from unnest(
      ${ids(events.map((event) => event.businessId))}::uuid[],
      ${numbers(events.map((event) => event.position))}::bigint[],
      ${numbers(events.map((event) => event.placedAt.getTime()))}::float8[],
      ${ids(events.map((event) => event.eventId))}::uuid[],
      ${texts(events.map((event) => event.type))}::text[],
      ${numbers(events.map((event) => event.createdAt.getTime()))}::float8[]
    ) as placed (business_id, position, placed_ms, event_id, type, created_ms)
  `)
}
