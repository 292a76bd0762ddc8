/**
 * Runs one batch of a business's night. Each batch is a transaction that also saves where it ended.
 * If the process dies, at most one batch is lost, and the next one continues there.
 */
import {
  keptMonths,
  monthsBefore,
  type RetainedKind,
  type Retention,
  retainedKinds,
} from '../accounts/businesses/retention.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import type { Clock } from '../lib/time/clock.ts'
import { everyRetainedData } from './every-kind.ts'

export interface RetentionDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  /** HISTORY_MONTHS: the most that any business keeps of its history and events; null: no limit. */
  historyMonths: number | null
  /** Rows that a batch examines. The default is for a transaction of some tenths of a second. */
  batchSize?: number
}

const defaultBatchSize = 500

interface Run {
  night: string
  /** The kind that is being deleted, and the position where the last batch ended. */
  kind: RetainedKind
  after: string | null
  deleted: Partial<Record<RetainedKind, number>>
}

/** Returns whether more is left to do. */
export function runBatch(deps: RetentionDeps, businessId: Id<'business'>): Promise<boolean> {
  return deps.db.tx(async (tx) => {
    const run = await lockRun(tx, businessId)
    if (!run) return false
    const next = await deleteNext(tx, deps, { businessId, run })
    const finishedAt = next ? null : deps.clock.now()
    await saveRun(tx, businessId, { ...(next ?? run), finishedAt })
    if (!next) await tell(tx, businessId, run, deps.clock.now())
    return next !== undefined
  })
}

interface Turn {
  businessId: Id<'business'>
  run: Run
}

/** Undefined once the last kind is done. */
async function deleteNext(
  tx: Tx,
  { clock, hmac, historyMonths, batchSize = defaultBatchSize }: RetentionDeps,
  { businessId, run }: Turn,
): Promise<Run | undefined> {
  const now = clock.now()
  const { kind, after, deleted } = run
  const { retention = {} } = (await findRetention(tx, businessId)) ?? {}
  const months = keptMonths(retention, kind, historyMonths)
  const data = everyRetainedData.find((entry) => entry.kind === kind)
  if (months && data) {
    const before = monthsBefore(now, months)
    const batch = { businessId, before, after, size: batchSize, hmac }
    const { count, next } = await data.deleteSome(tx, batch, now)
    if (count > 0) {
      deleted[kind] = (deleted[kind] ?? 0) + count
      await saveStart(tx, businessId, { kind, before })
    }
    if (next !== null) return { ...run, after: next }
  }
  const following = retainedKinds[retainedKinds.indexOf(kind) + 1]
  return following && { ...run, kind: following, after: null }
}

/** A night that deleted nothing leaves no entry. */
async function tell(
  tx: Tx,
  businessId: Id<'business'>,
  { deleted }: Run,
  now: Date,
): Promise<void> {
  const details: Partial<Record<RetainedKind, number>> = deleted
  if (Object.keys(details).length === 0) return
  await recordAudit(tx, [{ businessId, action: 'retention.apply', details }], now)
}

export function findRetention(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ retention: Retention } | undefined> {
  return db.maybe(sql`select retention from businesses where id = ${businessId}`)
}

/** Returns the current run, and locks it until the transaction ends. */
function lockRun(tx: Tx, businessId: Id<'business'>): Promise<Run | undefined> {
  return tx.maybe(sql`
    select night::text, kind, after_id as after, deleted from retention_runs
    where business_id = ${businessId} and finished_at is null for update
  `)
}

function saveRun(
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
async function saveStart(
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
