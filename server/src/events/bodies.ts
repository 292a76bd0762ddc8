import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { type EventKey, selectBodies } from './queries.ts'

export type { EventKey } from './queries.ts'

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
