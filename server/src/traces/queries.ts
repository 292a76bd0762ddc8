import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

/** @param callId The request's id, which the call's events have as well. */
export function saveCallTrace(
  db: Db,
  { callId, traceparent, now }: { callId: string; traceparent: string; now: Date },
): Promise<number> {
  return db.run(sql`
    insert into call_traces (call_id, traceparent, created_at)
    values (${callId}, ${traceparent}, ${now})
    on conflict (call_id) do nothing
  `)
}

export async function findCallTrace(
  db: Db,
  { businessId, eventId, eventAt }: { businessId: string; eventId: string; eventAt: Date },
): Promise<string | undefined> {
  const row = await db.maybe<{ traceparent: string }>(sql`
    select t.traceparent
    from events e join call_traces t on t.call_id = e.call_id
    where e.business_id = ${businessId} and e.created_at = ${eventAt} and e.id = ${eventId}
  `)
  return row?.traceparent
}

export function deleteCallTraces(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from call_traces where created_at < ${before}`)
}
