/** Undoes an import: deletes contacts that it created, and restores the others. */

import { putBack } from '../contacts/put-back.ts'
import { fileSource } from '../contacts/suppressions/suppression.ts'
import { hashesOf, type Imported, takeOffList } from '../contacts/suppressions/take-off-list.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import type { Verdict } from '../lib/jobs/job.ts'
import { type Clock, seconds } from '../lib/time/clock.ts'
import {
  dropChanges,
  handOver,
  type NamedAddress,
  nextChanges,
  type OfImport,
  takeNamed,
} from './changes.ts'
import {
  type Counts,
  endImport,
  lockImport,
  originOf,
  type RunningImport,
  saveImport,
} from './import.ts'

interface UndoDeps {
  db: Database
  clock: Clock
  hmac: Hmac
}

const perCommit = 500
const turnMs = seconds(20)

interface ImportKey {
  businessId: Id<'business'>
  id: Id<'import'>
}

export async function undoImport(
  { db, clock, hmac }: UndoDeps,
  key: ImportKey,
  /** `isResumed`: the last worker died on it. */
  { signal, isResumed }: { signal: AbortSignal; isResumed: boolean },
): Promise<Verdict> {
  const started = performance.now()
  while (!signal.aborted) {
    const isMore = await db.tx((tx) => undoSome(tx, key, { hmac, now: clock.now() }))
    if (!isMore) return { outcome: 'done' }
    // Settling resets the count of workers that died on this job, since it does make progress.
    if (isResumed || performance.now() - started > turnMs)
      return { outcome: 'again', at: clock.now() }
  }
  return { outcome: 'done' }
}

/** Undoes changes and removes their undo data in one transaction, so a failure does nothing. */
async function undoSome(
  tx: Tx,
  { businessId, id }: ImportKey,
  { hmac, now }: { hmac: Hmac; now: Date },
): Promise<boolean> {
  const importRow = await lockImport(tx, businessId, id)
  if (importRow?.state !== 'undoing') return false
  const ofImport = { businessId, importId: id }
  const back =
    importRow.kind === 'suppressions'
      ? await undoSuppressions(tx, ofImport, perCommit)
      : await undoContacts(tx, importRow, { businessId, hmac, now })
  if (!back) {
    await endImport(tx, businessId, { ended: { ...importRow, state: 'undone' }, now })
    return false
  }
  await saveImport(tx, businessId, { ...importRow, counts: added(importRow, back) })
  return true
}

/** Undefined where nothing is left to undo. */
async function undoContacts(
  tx: Tx,
  importRow: RunningImport,
  { businessId, hmac, now }: { businessId: Id<'business'>; hmac: Hmac; now: Date },
): Promise<Counts['undone'] | undefined> {
  const ofImport = { businessId, importId: importRow.id }
  const done = await nextChanges(tx, ofImport, perCommit)
  if (done.length === 0) return undefined
  const evidence = `import ${formatId('import', importRow.id)} was undone`
  const putting = { businessId, tier: importRow.tier, hmac, origin: originOf(importRow), evidence }
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
  { deleted, restored, left: leftAlone }: NonNullable<Counts['undone']>,
): Counts {
  const before = counts.undone ?? { deleted: 0, restored: 0, left: 0 }
  const undone = {
    deleted: before.deleted + deleted,
    restored: before.restored + restored,
    left: before.left + leftAlone,
  }
  return { ...counts, undone }
}

/**
 * Undoes an import of suppressions: whom it put on the list goes from there, unless another import
 * named them as well or something was reported of them since. Undefined where nothing is left.
 */
async function undoSuppressions(
  tx: Tx,
  ofImport: OfImport,
  limit: number,
): Promise<Counts['undone'] | undefined> {
  const addresses = await takeNamed(tx, ofImport, limit)
  if (addresses.length === 0) return undefined
  const { businessId } = ofImport
  const changed = addresses.filter(({ isNew, before }) => isNew || before)
  if (changed.length === 0) return { deleted: 0, restored: 0, left: 0 }
  const elsewhere = await namedElsewhere(tx, ofImport, changed)
  const own = changed.filter(({ mark }) => !elsewhere.has(hex(mark)))
  const added = own.filter(({ isNew }) => isNew)
  const { deleted, restored } = await takeOffList(tx, businessId, {
    marks: added.flatMap(({ channel, mark }) => (channel === null ? [] : [mark])),
    hashes: added.flatMap(({ channel, mark }) => (channel === null ? [mark] : [])),
    former: own.flatMap(formerOf),
    source: fileSource,
  })
  return { deleted, restored, left: changed.length - deleted - restored }
}

/** Those that another import has named as well, by the address or by its hash. */
async function namedElsewhere(
  tx: Tx,
  ofImport: OfImport,
  changed: readonly NamedAddress[],
): Promise<ReadonlySet<string>> {
  const marks = changed.flatMap(({ channel, mark }) => (channel === null ? [] : [mark]))
  const hashRows = await hashesOf(tx, ofImport.businessId, marks)
  const byHash = new Map(hashRows.map(({ sha256, mark }) => [hex(sha256), hex(mark)]))
  const hashes = hashRows.map(({ sha256 }) => {
    return { mark: sha256, channel: null, isNew: true, before: null }
  })
  const formerRows = await handOver(tx, ofImport, [...changed, ...hashes])
  return new Set(formerRows.map(({ mark }) => byHash.get(hex(mark)) ?? hex(mark)))
}

function formerOf({ mark, channel, before }: NamedAddress): Imported['former'] {
  return channel && before ? [{ mark, channel, ...before }] : []
}

const hex = (bytes: Buffer) => bytes.toString('hex')
