import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'

export interface EventsToBlank {
  /** Texts that identify the person: an event whose body contains one of them is about them. */
  names: readonly string[]
  /** The span of event times to search: a day at a time, so that no transaction is long. */
  from: Date
  to: Date
}

/**
 * Blanks the bodies of events about the person. No index knows whom a body is about, so it reads
 * all of the business's events in the span.
 */
export function blankEvents(
  tx: Tx,
  businessId: Id<'business'>,
  { names, from, to }: EventsToBlank,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update events set erased_at = ${now}, body = json_build_object(
      'id', body::json -> 'id', 'type', body::json -> 'type',
      'created_at', body::json -> 'created_at', 'business_id', body::json -> 'business_id',
      'data', '{}'::json, 'erased', true
    )::text
    where business_id = ${businessId} and created_at >= ${from} and created_at < ${to}
      and erased_at is null
      and exists (select from unnest(${names}::text[]) as name where position(name in body) > 0)
  `)
}
