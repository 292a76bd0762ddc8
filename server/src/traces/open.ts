/** Traces of this process, with what they keep in the database. */
import type { Config } from '../config.ts'
import { parseId } from '../core/ids.ts'
import { lazily } from '../lib/concurrency/lazily.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import type { Log } from '../lib/process/log.ts'
import { type Clock, days, hours, later } from '../lib/time/clock.ts'
import { withTracePackages } from './missing-packages.ts'
import type { Traces } from './trace.ts'

/** Deliveries are tried for less than a day more than their events wait. */
const keptMs = days(1)

interface TracesDeps {
  db: Db
  clock: Clock
  log: Log
  config: Pick<Config, 'traces' | 'role'>
  version: string
}

/** Undefined if no collector is set: then no package of OpenTelemetry is loaded. */
export function openTraces({ db, clock, log, config, version }: TracesDeps) {
  const { traces, role } = config
  if (traces === undefined) return undefined
  let sweptAt = clock.now()
  const keep = async (requestId: string, traceparent: string): Promise<void> => {
    const callId = parseId('request', requestId)
    if (callId === undefined) return
    const now = clock.now()
    await saveCallTrace(db, { callId, traceparent, now })
    if (now < later(sweptAt, hours(1))) return
    sweptAt = now
    await deleteCallTraces(db, later(now, -keptMs))
  }
  return lazily(async (): Promise<Traces> => {
    const { startTraces } = await withTracePackages(() => import('./trace.ts'))
    return startTraces({
      config: traces,
      log,
      version,
      role,
      keep,
      find: (event) => findCallTrace(db, event),
    })
  })
}

/** @param callId The request's id, which the call's events have as well. */
function saveCallTrace(
  db: Db,
  { callId, traceparent, now }: { callId: string; traceparent: string; now: Date },
): Promise<number> {
  return db.run(sql`
    insert into call_traces (call_id, traceparent, created_at)
    values (${callId}, ${traceparent}, ${now})
    on conflict (call_id) do nothing
  `)
}

async function findCallTrace(
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

function deleteCallTraces(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from call_traces where created_at < ${before}`)
}
