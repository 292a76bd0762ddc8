import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'

export interface Forgotten {
  /** Texts of which one in a body tells that the event is about the person. */
  names: readonly string[]
  /** The span of the events' times: a day at a time, so that no transaction is long. */
  from: Date
  to: Date
}

/** No index knows whom a body is about: it reads the business's events of the span. */
export function blankEvents(
  tx: Tx,
  businessId: Id<'business'>,
  { names, from, to }: Forgotten,
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
