import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import { type EventKey, selectBodies } from './queries.ts'

export type { EventKey } from './queries.ts'

/**
 * The bytes of events, as they are signed; null of one that was erased since. One that is kept
 * no longer is left out.
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
