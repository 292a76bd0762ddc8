/**
 * Runs one batch of a business's night. Each batch is a transaction that also saves where it ended.
 * If the process dies, at most one batch is lost, and the next one continues there.
 */
import {
  keptMonths,
  monthsBefore,
  type RetainedKind,
  retainedKinds,
} from '../accounts/businesses/retention.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import type { Clock } from '../lib/time/clock.ts'
import { everyRetainedData } from './every-kind.ts'
import { findRetention, lockRun, type Run, saveRun, saveStart } from './queries.ts'

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
