/** Every statement about retention runs. There is one row per business, for its last night. */

import type { RetainedKind, Retention } from '../accounts/businesses/retention.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

export interface RetainingBusiness {
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
export function selectRetaining(db: Db, { all }: { all: boolean }): Promise<RetainingBusiness[]> {
  return db.all(sql`
    select b.id, b.time_zone as "timeZone", r.night::text, r.finished_at is not null as "isFinished"
    from businesses b left join retention_runs r on r.business_id = b.id
    where ${all} or b.retention <> '{}'
    order by b.id
  `)
}

export function findRetention(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ retention: Retention } | undefined> {
  return db.maybe(sql`select retention from businesses where id = ${businessId}`)
}

export interface Run {
  night: string
  /** The kind that is being deleted, and the position where the last batch ended. */
  kind: RetainedKind
  after: string | null
  deleted: Partial<Record<RetainedKind, number>>
}

/** Begins the night, unless it was begun before. Returns whether it is new. */
export function beginRun(
  tx: Tx,
  businessId: Id<'business'>,
  { night, kind }: Pick<Run, 'night' | 'kind'>,
): Promise<number> {
  return tx.run(sql`
    insert into retention_runs (business_id, night, kind) values (${businessId}, ${night}, ${kind})
    on conflict (business_id) do update
    set night = excluded.night, kind = excluded.kind, after_id = null, deleted = '{}',
      finished_at = null
    where retention_runs.night < excluded.night
  `)
}

/** Returns the current run, and locks it until the transaction ends. */
export function lockRun(tx: Tx, businessId: Id<'business'>): Promise<Run | undefined> {
  return tx.maybe(sql`
    select night::text, kind, after_id as after, deleted from retention_runs
    where business_id = ${businessId} and finished_at is null for update
  `)
}

export function saveRun(
  tx: Tx,
  businessId: Id<'business'>,
  { kind, after, deleted, finishedAt }: Omit<Run, 'night'> & { finishedAt: Date | null },
): Promise<number> {
  return tx.run(sql`
    update retention_runs set kind = ${kind}, after_id = ${after}::uuid,
      deleted = ${JSON.stringify(deleted)}::jsonb, finished_at = ${finishedAt}
    where business_id = ${businessId}
  `)
}

/** Saves since when the business still has its history or its own events. */
export async function saveStart(
  tx: Tx,
  businessId: Id<'business'>,
  { kind, before }: { kind: RetainedKind; before: Date },
): Promise<void> {
  if (kind === 'history') {
    await tx.run(sql`
      update retention_runs set history_from = ${before}
      where business_id = ${businessId} and history_from is distinct from ${before}
    `)
  } else if (kind === 'events') {
    await tx.run(sql`
      update retention_runs set events_from = ${before}
      where business_id = ${businessId} and events_from is distinct from ${before}
    `)
  }
}
