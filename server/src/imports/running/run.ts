/** Runs a confirmed import: saves its rows chunk by chunk. A restart continues from there. */
import { matchHashes, type ToSuppress, takeOver } from '../../contacts/suppressions/import.ts'
import { fileSource } from '../../contacts/suppressions/suppression.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { FileMissing, type Files } from '../../files/files.ts'
import { isOfServer, isOutage } from '../../lib/db/outage.ts'
import type { BeginNext, Database, Tx } from '../../lib/db/types.ts'
import type { Verdict } from '../../lib/jobs/job.ts'
import { inEvenParts } from '../../lib/text/even-parts.ts'
import { type Clock, seconds } from '../../lib/time/clock.ts'
import type { Plan } from '../mapping/plan.ts'
import type { SuppressionRow } from '../mapping/suppression-of.ts'
import { keepErrors, type RowError } from '../model/change-queries.ts'
import { swapped, tooHard } from '../model/faults.ts'
import { endImport } from '../model/finish.ts'
import {
  type Counts,
  fileOf,
  type Import,
  type ImportFault,
  importLimits,
  noCounts,
  planOf,
} from '../model/import.ts'
import { leftOutFault } from '../model/left-out.ts'
import { keepNamed, type NamedAddress } from '../model/named-queries.ts'
import { commitWithoutWaiting, lockProgress, saveProgress } from '../model/progress-queries.ts'
import { findImport, lockImport } from '../model/queries.ts'
import { type FileReader, rawTextOf, TooHard } from '../reading/reader.ts'
import { type Chunk, endOf, type SavingChunk, saveChunk } from './chunk.ts'
import { createPause } from './pause.ts'

interface RunDeps {
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

interface Saver {
  /** Saves the next chunk. False where the import was stopped, or another worker has it. */
  save(chunk: Chunk): Promise<boolean>
  /** Waits until all chunks are committed. */
  settle(): Promise<boolean>
}

interface SaverDeps {
  clock: Clock
  hmac: Hmac
}

interface SwiftDeps extends SaverDeps {
  /** Receives the byte at which the rows after a committed chunk begin. */
  onCommitted: (nextByte: number) => void
}

const savingOf = ({ plan }: Chunk) => (plan.kind === 'suppressions' ? saveSuppressions : saveChunk)

/**
 * Reads and locks all that a chunk needs at its beginning and waits for no further answer, not even
 * for that of its commit. If an assumption was wrong, the chunk fails, and a careful saver has to
 * save it.
 */
function swiftSaver(begin: BeginNext, { clock, hmac, onCommitted }: SwiftDeps): Saver {
  let before: { saved: Promise<boolean>; end: number } | undefined
  const settle = async () => {
    if (!before) return true
    const { saved, end } = before
    before = undefined
    if (!(await saved)) return false
    onCommitted(end)
    return true
  }
  return {
    async save(chunk) {
      const saving = { hmac, now: clock.now(), readsAhead: true }
      const { sent, committed } = begin((tx) => savingOf(chunk)(tx, chunk, saving))
      // A chunk that follows a failed one finds that it is not the next: the failure says more.
      const [isSaved] = await Promise.all([settle(), sent.catch(() => undefined)])
      await sent
      before = { saved: committed, end: endOf(chunk) }
      return isSaved
    },
    settle,
  }
}

/** Saves each chunk step by step, in a transaction that is run again after a conflict. */
function carefulSaver(db: Database, { clock, hmac }: SaverDeps): Saver {
  return {
    save: (chunk) =>
      db.tx((tx) => savingOf(chunk)(tx, chunk, { hmac, now: clock.now(), readsAhead: false })),
    settle: () => Promise.resolve(true),
  }
}

/** False where the import was stopped, or another worker has come further. */
async function saveSuppressions(
  tx: Tx,
  chunk: Chunk,
  { hmac, now }: Pick<SavingChunk, 'hmac' | 'now'>,
): Promise<boolean> {
  const { businessId, id, window, rows, from, workedMs, plan } = chunk
  await commitWithoutWaiting(tx)
  const one = await lockProgress(tx, businessId, id)
  if (one?.state !== 'running' || one.nextByte !== from) return false
  const counts: Counts = { ...noCounts, ...one.counts }
  const errors = rows.flatMap((row, i): RowError[] => {
    if (row.fault) counts.refused++
    counts.left_out += row.leftOut?.length ?? 0
    const fault = row.fault ?? leftOutFault(row.leftOut, plan.columns)
    if (!fault || counts.refused + counts.left_out > importLimits.errors) return []
    const raw = rawTextOf(window, row, plan).slice(0, importLimits.errorCharacters)
    return [{ row: one.nextRow + i + 1, raw, ...fault }]
  })
  const people = rows.flatMap(({ suppression }) => suppression ?? [])
  const listed = people.map((person) => suppressionsOf(person, now))
  const taking = { businessId, hmac, source: fileSource, now }
  const taken = await takeOver(tx, taking, listed.flat())
  let place = 0
  for (const { length } of listed) {
    const own = taken.slice(place, place + length)
    place += length
    const changes = new Set(own.map(({ change }) => change))
    const change = (['created', 'updated'] as const).find((word) => changes.has(word))
    counts[change ?? 'unchanged']++
  }
  const ofImport = { businessId, importId: id }
  // Of an address that several rows name, the first says what was there before.
  const named = new Map<string, NamedAddress>()
  for (const { mark, channel, change, before } of taken) {
    const name = mark.toString('hex')
    if (!named.has(name)) named.set(name, { mark, channel, isNew: change === 'created', before })
  }
  if (named.size > 0) await keepNamed(tx, ofImport, [...named.values()])
  if (errors.length > 0) await keepErrors(tx, ofImport, errors)
  await saveProgress(tx, ofImport, {
    nextByte: endOf(chunk),
    nextRow: one.nextRow + rows.length,
    counts,
    workedMs: one.workedMs + workedMs,
  })
  return true
}

/** A row with several addresses has one suppression for each. */
function suppressionsOf(
  { email, phone, sha256, reason, at }: SuppressionRow,
  now: Date,
): ToSuppress[] {
  const told = at === undefined ? now : new Date(at)
  const common = { reason, at: told > now ? now : told }
  const addresses: ToSuppress['address'][] = []
  if (email !== undefined) addresses.push({ channel: 'email', text: email })
  if (phone !== undefined) addresses.push({ channel: 'sms', text: phone })
  if (sha256 !== undefined) addresses.push({ sha256: Buffer.from(sha256, 'hex') })
  return addresses.map((address) => ({ address, ...common }))
}
