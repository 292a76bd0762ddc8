import type { Id } from '../core/ids.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Sql, Tx } from '../lib/db/types.ts'

/** The event times to search: a day at a time, so that no transaction is long. */
interface Span {
  from: Date
  to: Date
}

interface EventsToBlank extends Span {
  /** Texts that identify the person: an event whose body contains one of them is about them. */
  names: readonly string[]
}

/** The same of many contacts by their public ids: each body is read once, whatever their number. */
interface ContactEventsToBlank extends Span {
  ids: readonly string[]
}

/**
 * Blanks the bodies of events about an erased person, except the event of the erasure itself. The event stays, with its
 * id, type and time. Its bytes are no longer what was signed, so it is not delivered again. No index knows whom a body
 * is about, so it reads all of the business's events in the span. The new body is put together by functions that depend
 * on no setting, as a distributed database requires of an update.
 */
export function blankEventsAbout(
  tx: Tx,
  businessId: Id<'business'>,
  forgotten: EventsToBlank | ContactEventsToBlank,
  now: Date,
): Promise<number> {
  const { from, to } = forgotten
  return tx.run(sqlWithin`
    update events set erased_at = ${now}, body = '{"id":' || coalesce((body::json -> 'id')::text, 'null')
      || ',"type":' || coalesce((body::json -> 'type')::text, 'null')
      || ',"created_at":' || coalesce((body::json -> 'created_at')::text, 'null')
      || ',"business_id":' || coalesce((body::json -> 'business_id')::text, 'null')
      || ',"data":{},"erased":true}'
    where business_id = ${businessId} and created_at >= ${from} and created_at < ${to}
      and erased_at is null and type <> 'contact.erased' and ${aboutClause(forgotten)}
  `)
}

function aboutClause(forgotten: EventsToBlank | ContactEventsToBlank): Sql {
  if ('names' in forgotten) {
    return sql`exists (
      select from unnest(${forgotten.names}::text[]) as name where position(name in body) > 0
    )`
  }
  return sql`exists (
    select from regexp_matches(body, 'con_[0-9A-Za-z]+', 'g') as found
    where found[1] in (select unnest(${forgotten.ids}::text[]))
  )`
}
