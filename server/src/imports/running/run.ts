/** Runs a confirmed import: saves its rows chunk by chunk. A restart continues from there. */

import { matchHashes } from '../../contacts/suppressions/import.ts'
import { fileSource } from '../../contacts/suppressions/suppression.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { FileMissing, type Files } from '../../files/files.ts'
import { isOfServer, isOutage } from '../../lib/db/outage.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Verdict } from '../../lib/jobs/job.ts'
import { inEvenParts } from '../../lib/text/even-parts.ts'
import { type Clock, seconds } from '../../lib/time/clock.ts'
import type { Plan } from '../mapping/plan.ts'
import { swapped, tooHard } from '../model/faults.ts'
import { endImport } from '../model/finish.ts'
import { fileOf, type Import, type ImportFault, planOf } from '../model/import.ts'
import { findImport, lockImport } from '../model/queries.ts'
import { type FileReader, TooHard } from '../reading/reader.ts'
import { endOf } from './chunk.ts'
import { createPause } from './pause.ts'
import { carefulSaver, type Saver, swiftSaver } from './savers.ts'

export interface RunDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  files: Files
  reader: FileReader
}

/** The most rows that commit together, in some 30 ms. The business cannot create contacts meanwhile. */
const rowsPerCommit = 600
/** The duration of one turn of the job, after which other businesses get their turn. */
const turnMs = seconds(20)

interface Named {
  businessId: Id<'business'>
  id: Id<'import'>
}

interface Running {
  signal: AbortSignal
  /** The last worker died on it. */
  isResumed: boolean
}

export async function runImport(
  deps: RunDeps,
  named: Named,
  { signal, isResumed }: Running,
): Promise<Verdict> {
  const { db, clock, files } = deps
  const one = await findImport(db, named.businessId, named.id)
  if (one?.state !== 'running') return { outcome: 'done' }
  const plan = planOf(one)
  if (!plan) throw new Error('an import runs without a plan')
  let outcome: Outcome
  try {
    const isFirst = one.nextByte === plan.start
    outcome =
      isFirst && !(await isSame(files, named.businessId, one))
        ? { fault: swapped }
        : await takeTurn(deps, { ...named, one, plan, signal, isResumed, from: one.nextByte })
  } catch (error) {
    if (error instanceof TooHard) outcome = { fault: tooHard(error) }
    else if (error instanceof FileMissing) outcome = { fault: swapped }
    else throw error
  }
  if (outcome === 'again') return { outcome: 'again', at: clock.now() }
  if (outcome === 'stopped') return { outcome: 'done' }
  await finish(deps, named, outcome)
  return { outcome: 'done' }
}

type Outcome = 'again' | 'stopped' | 'done' | { fault: ImportFault }

/** Whether the bytes are the ones that the dry run examined. */
async function isSame(files: Files, businessId: Id<'business'>, one: Import): Promise<boolean> {
  const sha256 = await files.sha256(fileOf(businessId, one).name)
  return one.sha256?.equals(sha256) ?? false
}

interface Turn extends Named, Running {
  one: Import
  plan: Plan
  /** The byte at which the rows that are not committed yet begin. */
  from: number
}

async function takeTurn(deps: RunDeps, turn: Turn): Promise<Outcome> {
  const { db, clock, hmac } = deps
  const { businessId, plan, signal } = turn
  const until = performance.now() + turnMs
  const onCommitted = (nextByte: number): void => {
    turn.from = nextByte
  }
  let outcome: Outcome
  try {
    outcome = await db.series((begin) =>
      saveRows(deps, turn, { saver: swiftSaver(begin, { clock, hmac, onCommitted }), until }),
    )
  } catch (error) {
    if (isOutage(error) || !isOfServer(error)) throw error
    outcome = await saveRows(deps, turn, { saver: carefulSaver(db, { clock, hmac }), until })
  }
  if (outcome !== 'done' || plan.kind === 'contacts') return outcome
  const matching = { businessId, hmac, source: fileSource }
  return matchHashes(db, matching, { now: () => clock.now(), signal })
}

async function saveRows(
  { reader }: RunDeps,
  { businessId, id, one, plan, signal, isResumed, from: start }: Turn,
  { saver, until }: { saver: Saver; until: number },
): Promise<Outcome> {
  const pause = createPause()
  let [from, before] = [start, performance.now()]
  const wanted = { plan, from, pause: pause.pass }
  for await (const window of reader.windows(fileOf(businessId, one), wanted)) {
    for (const rows of inEvenParts(window.rows, rowsPerCommit)) {
      if (signal.aborted) return 'stopped'
      const workedMs = Math.round(performance.now() - before)
      before = performance.now()
      const chunk = { businessId, id, plan, window, rows, from, workedMs, pause }
      if (!(await saver.save(chunk))) return 'stopped'
      from = endOf(chunk)
      // Settled at once, the job counts no death of its workers any more: it does come further.
      if (isResumed) return (await saver.settle()) ? 'again' : 'stopped'
    }
    if (performance.now() > until) return (await saver.settle()) ? 'again' : 'stopped'
  }
  return (await saver.settle()) ? 'done' : 'stopped'
}

async function finish(
  { db, clock, files }: RunDeps,
  { businessId, id }: Named,
  outcome: 'done' | { fault: ImportFault },
): Promise<void> {
  const ended = await db.tx(async (tx) => {
    const one = await lockImport(tx, businessId, id)
    if (one?.state !== 'running') return undefined
    const isDone = outcome === 'done'
    const ended: Import = {
      ...one,
      state: isDone ? 'done' : 'failed',
      fault: isDone ? null : outcome.fault,
      nextByte: isDone ? (one.bytes ?? one.nextByte) : one.nextByte,
    }
    await endImport(tx, businessId, { ended, now: clock.now() })
    return ended
  })
  if (ended) await files.remove(fileOf(businessId, ended).name)
}
