/** Finds the businesses whose night is due, each in its own zone. */
import { type RetainedKind, retainedKinds } from '../accounts/businesses/retention.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { type RetentionPayload, retentionJob } from './job.ts'
import type { RetentionDeps } from './run.ts'

/** The hour of the night at which it begins, in the business's zone. Later after a downtime. */
const nightHour = 3

export async function beginNights({ db, clock, historyMonths }: RetentionDeps): Promise<void> {
  const now = clock.now()
  for (const business of await selectRetaining(db, { all: historyMonths !== null })) {
    const night = nightOf(business, now)
    if (night === undefined || business.night === night) continue
    await db.tx(async (tx) => {
      const isNew = await beginRun(tx, business.id, { night, kind: retainedKinds[0] })
      if (isNew === 0) return
      const payload: RetentionPayload = { business_id: business.id }
      const job = {
        kind: retentionJob,
        businessId: business.id,
        payload,
        priority: 'bulk',
      } as const
      await enqueue(tx, [job], now)
    })
  }
}

interface RetainingBusiness {
  id: Id<'business'>
  timeZone: string
  /** The date of the last run, such as `2026-11-20`. Null before the first run. */
  night: string | null
  isFinished: boolean
}

/**
 * The businesses with a retention of their own, or all of them, for the job that begins their nights.
 * No call of a tenant uses it.
 */
function selectRetaining(db: Db, { all }: { all: boolean }): Promise<RetainingBusiness[]> {
  return db.all(sql`
    select b.id, b.time_zone as "timeZone", r.night::text, r.finished_at is not null as "isFinished"
    from businesses b left join retention_runs r on r.business_id = b.id
    where ${all} or b.retention <> '{}'
    order by b.id
  `)
}

/** Begins the night, unless it was begun before. Returns whether it is new. */
function beginRun(
  tx: Tx,
  businessId: Id<'business'>,
  { night, kind }: { night: string; kind: RetainedKind },
): Promise<number> {
  return tx.run(sql`
    insert into retention_runs (business_id, night, kind) values (${businessId}, ${night}, ${kind})
    on conflict (business_id) do update
    set night = excluded.night, kind = excluded.kind, after_id = null, deleted = '{}',
      finished_at = null
    where retention_runs.night < excluded.night
  `)
}

/** The date of the night that is due in the business's zone. Undefined before its hour. */
function nightOf({ timeZone }: RetainingBusiness, now: Date): string | undefined {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now)
  const part = (type: string) => parts.find((entry) => entry.type === type)?.value ?? ''
  if (Number(part('hour')) < nightHour) return undefined
  return `${part('year')}-${part('month')}-${part('day')}`
}
