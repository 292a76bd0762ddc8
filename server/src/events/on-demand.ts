/**
 * Events that are written only for businesses with a webhook for their type. Every message has one,
 * so they would slow the sending of all other businesses.
 */

import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { type EventTypeName, type eventCatalog, groupOf } from './catalog.ts'

type OnDemandType = {
  [T in EventTypeName]: (typeof eventCatalog)[T] extends { isOnDemand: true } ? T : never
}[EventTypeName]

/** Those of the businesses that have a webhook for this type. */
export async function businessesAsking(
  db: Db,
  type: OnDemandType,
  businessIds: ReadonlySet<Id<'business'>>,
): Promise<ReadonlySet<Id<'business'>>> {
  const rows = await db.all<{ id: Id<'business'> }>(sql`
    select distinct business_id as id from webhooks
    where business_id = any(${[...businessIds]}::uuid[]) and deleted_at is null
      and events && ${[type, groupOf(type)]}::text[]
  `)
  return new Set(rows.map(({ id }) => id))
}
