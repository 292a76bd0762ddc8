import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

/**
 * The stored bytes of events, as webhooks sign them; null for an event that was erased since.
 * Events past their retention are left out.
 */
export async function bodiesOf(
  db: Db,
  events: readonly EventKey[],
): Promise<ReadonlyMap<Id<'event'>, string | null>> {
  if (events.length === 0) return new Map()
  const unique = [...new Map(events.map((event) => [event.id, event])).values()]
  const rows = await selectBodies(db, unique)
  return new Map(rows.map(({ id, body }) => [id, body]))
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
