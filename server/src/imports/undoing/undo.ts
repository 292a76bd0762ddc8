/** Undoes an import: deletes contacts that it created, and restores the others. */

import { putBack } from '../../contacts/put-back.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import type { Verdict } from '../../lib/jobs/job.ts'
import { type Clock, seconds } from '../../lib/time/clock.ts'
import { dropChanges, nextChanges } from '../model/change-queries.ts'
import { endImport } from '../model/finish.ts'
import { type Counts, originOf } from '../model/import.ts'
import { lockImport, type RunningImport, saveImport } from '../model/queries.ts'
import { undoSuppressions } from './undo-suppressions.ts'

export interface UndoDeps {
  db: Database
  clock: Clock
  hmac: Hmac
}

const perCommit = 500
const turnMs = seconds(20)

interface Named {
  businessId: Id<'business'>
  id: Id<'import'>
}

export async function undoImport(
  { db, clock, hmac }: UndoDeps,
  named: Named,
  /** `isResumed`: the last worker died on it. */
  { signal, isResumed }: { signal: AbortSignal; isResumed: boolean },
): Promise<Verdict> {
  const started = performance.now()
  while (!signal.aborted) {
    const isMore = await db.tx((tx) => undoSome(tx, named, { hmac, now: clock.now() }))
    if (!isMore) return { outcome: 'done' }
    // Settled at once after a death, the job counts none any more: it does come further.
    if (isResumed || performance.now() - started > turnMs)
      return { outcome: 'again', at: clock.now() }
  }
  return { outcome: 'done' }
}

/** Undoes changes and removes their undo data in one transaction, so a failure does nothing. */
async function undoSome(
  tx: Tx,
  { businessId, id }: Named,
  { hmac, now }: { hmac: Hmac; now: Date },
): Promise<boolean> {
  const one = await lockImport(tx, businessId, id)
  if (one?.state !== 'undoing') return false
  const ofImport = { businessId, importId: id }
  const back =
    one.kind === 'suppressions'
      ? await undoSuppressions(tx, ofImport, perCommit)
      : await undoContacts(tx, one, { businessId, hmac, now })
  if (!back) {
    await endImport(tx, businessId, { ended: { ...one, state: 'undone' }, now })
    return false
  }
  await saveImport(tx, businessId, { ...one, counts: added(one, back) })
  return true
}

/** Undefined where nothing is left to undo. */
async function undoContacts(
  tx: Tx,
  one: RunningImport,
  { businessId, hmac, now }: { businessId: Id<'business'>; hmac: Hmac; now: Date },
): Promise<Counts['undone'] | undefined> {
  const ofImport = { businessId, importId: one.id }
  const done = await nextChanges(tx, ofImport, perCommit)
  if (done.length === 0) return undefined
  const evidence = `import ${formatId('import', one.id)} was undone`
  const putting = { businessId, tier: one.tier, hmac, origin: originOf(one), evidence }
  const back = await putBack(tx, putting, { done, now })
  await dropChanges(
    tx,
    ofImport,
    done.map(({ contactId }) => contactId),
  )
  return back
}

function added(
  { counts }: RunningImport,
  { deleted, restored, left }: NonNullable<Counts['undone']>,
): Counts {
  const before = counts.undone ?? { deleted: 0, restored: 0, left: 0 }
  const undone = {
    deleted: before.deleted + deleted,
    restored: before.restored + restored,
    left: before.left + left,
  }
  return { ...counts, undone }
}
