/**
 * The job of a confirmed import, turn by turn: reads the file from where the last turn ended, and
 * saves its rows chunk by chunk. A chunk commits with the position of the row after it, so whatever
 * happens, no row is processed twice or skipped.
 */

import { setImmediate as turnOfLoop } from 'node:timers/promises'
import {
  type ConsentSubject,
  type ContactToSave,
  consentSubjects,
  type SavedContact,
} from '../contacts/contact.ts'
import { pickFields } from '../contacts/field-values.ts'
import type { Change, NamesOfPerson } from '../contacts/plan-saving.ts'
import {
  endSaving,
  type FoundAhead,
  type ImportedContact,
  nothingLeft,
  type ReadAhead,
  readAhead,
  saveImported,
} from '../contacts/save.ts'
import { matchHashes, type ToSuppress, takeOver } from '../contacts/suppressions/import.ts'
import { type Addressed, fileSource, markOf } from '../contacts/suppressions/suppression.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac, Tier } from '../core/operation.ts'
import { FileMissing, type Files } from '../files/files.ts'
import { sql } from '../lib/db/db.ts'
import { isOfServer, isOutage } from '../lib/db/outage.ts'
import type { BeginNext, Database, Tx } from '../lib/db/types.ts'
import type { Verdict } from '../lib/jobs/job.ts'
import { type Clock, seconds } from '../lib/time/clock.ts'
import { type HeldCounters, lockStandingCounters } from '../usage/reserve.ts'
import { type LeftOutCell, leftOutFault, type RowFault, wordsOf } from './cells.ts'
import {
  type ImportChange,
  keepChanges,
  keepErrors,
  keepNamed,
  type NamedAddress,
  type RowError,
} from './changes.ts'
import {
  type Counts,
  endImport,
  fileOf,
  findImport,
  type Import,
  type ImportFault,
  importLimits,
  lockImport,
  noCounts,
  originOf,
  planOf,
  swapped,
  tooHard,
} from './import.ts'
import type { Plan } from './plan.ts'
import type { FileRow } from './reader.ts'
import {
  createPause,
  type FileReader,
  type Pause,
  rawTextOf,
  TooHard,
  type Window,
} from './reader.ts'
import type { SuppressionRow } from './suppression-rows.ts'

interface RunDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  files: Files
  reader: FileReader
}

interface ImportKey {
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
  key: ImportKey,
  { signal, isResumed }: Running,
): Promise<Verdict> {
  const { db, clock, files } = deps
  const importRow = await findImport(db, key.businessId, key.id)
  if (importRow?.state !== 'running') return { outcome: 'done' }
  const plan = planOf(importRow)
  if (!plan) throw new Error('an import runs without a plan')
  let outcome: Outcome
  try {
    const isFirst = importRow.nextByte === plan.start
    outcome =
      isFirst && !(await isSame(files, key.businessId, importRow))
        ? { fault: swapped }
        : await takeTurn(deps, {
            ...key,
            importRow,
            plan,
            signal,
            isResumed,
            from: importRow.nextByte,
          })
  } catch (error) {
    if (error instanceof TooHard) outcome = { fault: tooHard(error) }
    else if (error instanceof FileMissing) outcome = { fault: swapped }
    else throw error
  }
  if (outcome === 'again') return { outcome: 'again', at: clock.now() }
  if (outcome === 'stopped') return { outcome: 'done' }
  await finish(deps, key, outcome)
  return { outcome: 'done' }
}

type Outcome = 'again' | 'stopped' | 'done' | { fault: ImportFault }

/** Whether the bytes are the ones that the dry run examined. */
async function isSame(
  files: Files,
  businessId: Id<'business'>,
  importRow: Import,
): Promise<boolean> {
  const sha256 = await files.sha256(fileOf(businessId, importRow).name)
  return importRow.sha256?.equals(sha256) ?? false
}

/** The duration of one turn of the job, after which other businesses get their turn. */
const turnMs = seconds(20)

interface Turn extends ImportKey, Running {
  importRow: Import
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

/** The most rows that commit together, in some 30 ms. The business cannot create contacts meanwhile. */
const rowsPerCommit = 600

async function saveRows(
  { reader }: RunDeps,
  { businessId, id, importRow, plan, signal, isResumed, from: start }: Turn,
  { saver, until }: { saver: Saver; until: number },
): Promise<Outcome> {
  const pause = createPause()
  let [from, before] = [start, performance.now()]
  const request = { plan, from, pause: pause.pass }
  for await (const window of reader.windows(fileOf(businessId, importRow), request)) {
    for (const rows of inEvenParts(window.rows, rowsPerCommit)) {
      if (signal.aborted) return 'stopped'
      const workedMs = Math.round(performance.now() - before)
      before = performance.now()
      const chunk = { businessId, id, plan, window, rows, from, workedMs, pause }
      if (!(await saver.save(chunk))) return 'stopped'
      from = endOf(chunk)
      // Settling resets the count of workers that died on this job, since it does make progress.
      if (isResumed) return (await saver.settle()) ? 'again' : 'stopped'
    }
    if (performance.now() > until) return (await saver.settle()) ? 'again' : 'stopped'
  }
  return (await saver.settle()) ? 'done' : 'stopped'
}

async function finish(
  { db, clock, files }: RunDeps,
  { businessId, id }: ImportKey,
  outcome: 'done' | { fault: ImportFault },
): Promise<void> {
  const ended = await db.tx(async (tx) => {
    const importRow = await lockImport(tx, businessId, id)
    if (importRow?.state !== 'running') return undefined
    const isDone = outcome === 'done'
    const ended: Import = {
      ...importRow,
      state: isDone ? 'done' : 'failed',
      fault: isDone ? null : outcome.fault,
      nextByte: isDone ? (importRow.bytes ?? importRow.nextByte) : importRow.nextByte,
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

const savingOf = ({ plan }: Chunk) =>
  plan.kind === 'suppressions' ? saveAsSuppressions : saveAsContacts

/** Some rows of a window of the file, which commit together. */
interface Chunk {
  businessId: Id<'business'>
  id: Id<'import'>
  plan: Plan
  window: Window
  rows: readonly FileRow[]
  /** The byte at which the rows begin. A different stored position means another worker won. */
  from: number
  workedMs: number
  /** Other reading of the file waits while the chunk is prepared, because the database waits then. */
  pause: Pause
}

interface SavingChunk {
  hmac: Hmac
  now: Date
  /** Whether all contacts of the chunk are read first, so that later steps need no reads. */
  readsAhead: boolean
}

/** The byte at which the rows after the chunk begin. */
const endOf = ({ window, rows }: Chunk): number => window.at + (rows.at(-1)?.end ?? 0)

/**
 * The rows that are processed at a time. Other calls get a turn between two steps (decision 0019).
 * Statements for more rows do not fit into the socket, so the database would wait in mid-statement.
 */
const rowsAtOnce = 112

const rowsAtFirst = 32

/** Saves rows as contacts. False where the import was stopped, or another worker has come further. */
async function saveAsContacts(
  tx: Tx,
  chunk: Chunk,
  { now, readsAhead, ...saving }: SavingChunk,
): Promise<boolean> {
  const { businessId, id, rows, from } = chunk
  const hmac = remembering(saving.hmac)
  const addresses = readsAhead ? namedIn(chunk, hmac) : undefined
  // If a database crash loses this chunk, it is repeated from the position committed before it.
  await commitWithoutWaiting(tx.pipelined)
  // The locks come first. They stop other creations of contacts, so that the steps meet no race. All
  // of this is sent at once, so that the database waits for nothing before the first step.
  const [progress, counters, read] = await Promise.all([
    lockProgress(tx, businessId, id),
    lockStandingCounters(tx, [{ businessId, metric: 'contacts' }]),
    addresses && readAhead(tx, addresses),
  ])
  if (progress?.state !== 'running' || progress.nextByte !== from) return false
  const tally = createChunkTally(chunk, progress)
  const items = itemsOf(progress, chunk, hmac)
  const ahead = read && readAheadOf(items, read, counters)
  const changes: Changes = new Map()
  const leftToEnd = nothingLeft()
  const options = {
    now,
    tell: (change: Change) => addChange(changes, change),
    leftToEnd,
    ...(ahead && { ahead }),
  }
  await chunk.pause.during(async () => {
    for (const step of stepsOf(rows)) {
      for (const row of step) if (row.fault) tally.refuse(row, row.fault)
      const people = step.filter(({ person }) => person !== undefined)
      const contacts = people.map((row) => items.get(row) as ImportedContact)
      const results = await saveWithout(contacts, (items) => saveImported(tx, items, options))
      for (const [i, result] of results.entries()) {
        tally.addContact(people[i] as FileRow, result)
      }
      await turnOfLoop()
    }
  })
  await endSaving(tx, leftToEnd, now)
  if (changes.size > 0) {
    const ofImport = { businessId, importId: id }
    await keepChanges(tx.pipelined, ofImport, { changes: [...changes.values()], now })
  }
  await endChunk(tx.pipelined, chunk, { progress, tally })
  return true
}

type ChunkTally = ReturnType<typeof createChunkTally>

/** Counts what became of the rows, and lists those that the owner should look at. */
function createChunkTally({ window, rows, plan }: Chunk, progress: ProgressOfImport) {
  const counts: Counts = { ...noCounts, ...progress.counts }
  const errors: RowError[] = []
  const list = (row: FileRow, fault: RowFault, isErased = false): void => {
    if (counts.refused + counts.left_out > importLimits.errors) return
    const raw = isErased ? null : rawTextOf(window, row, plan)
    errors.push({
      row: progress.nextRow + rows.indexOf(row) + 1,
      raw: raw?.slice(0, importLimits.errorCharacters) ?? null,
      ...fault,
    })
  }
  /** The text of a row of an erased person is not stored. */
  const refuseRow = (row: FileRow, fault: RowFault, isErased = false): void => {
    counts.refused++
    list(row, fault, isErased)
  }
  /** The row was saved without these cells. */
  const leaveOut = (row: FileRow, cells: readonly LeftOutCell[]): void => {
    const fault = leftOutFault(cells, plan.columns)
    if (!fault) return
    counts.left_out += cells.length
    list(row, fault)
  }
  return {
    counts,
    errors,
    refuse: refuseRow,
    leaveOut,
    addContact(row: FileRow, { outcome, without }: SavedWithout): void {
      if (isRefusal(outcome)) {
        refuseRow(row, faultOf(outcome), isOfErased(outcome))
        return
      }
      counts[outcome.change]++
      if (outcome.stayedUnsubscribed) counts.stayed_unsubscribed++
      if (row.withoutEvidence) counts.without_evidence++
      const cells = without.map((refusal) => cellOf(plan, refusal))
      leaveOut(row, [...(row.leftOut ?? []), ...cells])
    },
  }
}

/** `hmac`, which computes each hash once. For few texts: it forgets none of them. */
function remembering(hmac: Hmac): Hmac {
  const byPurpose = new Map<string, Map<string, Buffer>>()
  return (purpose, text) => {
    let cached = byPurpose.get(purpose)
    if (!cached) {
      cached = new Map()
      byPurpose.set(purpose, cached)
    }
    let hash = cached.get(text)
    if (!hash) {
      hash = hmac(purpose, text)
      cached.set(text, hash)
    }
    return hash
  }
}

interface NamedInRow {
  item: Addressed & NamesOfPerson
  row: FileRow
}

/** The addresses that the rows name, with their hashes made. */
function namedIn({ rows, businessId }: Chunk, hmac: Hmac): NamedInRow[] {
  hashAll(rows, businessId, hmac)
  return rows.flatMap((row) => {
    if (!row.person) return []
    const { email, phone, external_id, name, first_name, last_name, language } = row.person
    const names = { external_id, name, first_name, last_name, language }
    return [{ row, item: { businessId, hmac, email, phone, ...names } }]
  })
}

/** Makes the hashes of all addresses, which `hmac` remembers from then on. */
function hashAll(rows: readonly FileRow[], businessId: Id<'business'>, hmac: Hmac): void {
  for (const { person } of rows) {
    if (person?.email !== undefined) markOf(hmac, businessId, person.email)
    if (person?.phone !== undefined) markOf(hmac, businessId, person.phone)
  }
}

const existingOf = { update: undefined, only_new: 'keep', fill_blanks: 'fill_blanks' } as const

function itemsOf(
  progress: ProgressOfImport,
  { businessId, plan, rows }: Chunk,
  hmac: Hmac,
): Map<FileRow, ImportedContact> {
  const existing = existingOf[plan.mode]
  const common = {
    businessId,
    tier: progress.tier,
    source: 'import' as const,
    origin: originOf(progress),
    hmac,
    ...(existing && { existing }),
  }
  const items = new Map<FileRow, ImportedContact>()
  for (const row of rows) if (row.person) items.set(row, { ...row.person, ...common })
  return items
}

function readAheadOf(
  items: ReadonlyMap<FileRow, ImportedContact>,
  { erased, directory, languages }: FoundAhead<NamedInRow>,
  counters: HeldCounters,
): ReadAhead {
  const refusals = new Map<ContactToSave, Refusal>()
  for (const [{ row }, refusal] of erased) refusals.set(items.get(row) as ImportedContact, refusal)
  return { erased: refusals, directory, languages, counters }
}

/** The first step is small, because the database has nothing to do until it has been prepared. */
function stepsOf(rows: readonly FileRow[]): (readonly FileRow[])[] {
  const first = rows.slice(0, rowsAtFirst)
  return first.length < rows.length
    ? [first, ...inEvenParts(rows.slice(rowsAtFirst), rowsAtOnce)]
    : [first]
}

/** As few parts of at most `limit` as possible, all of nearly equal size. */
function inEvenParts<T>(all: readonly T[], limit: number): T[][] {
  const parts = Math.ceil(all.length / limit)
  const size = Math.ceil(all.length / parts)
  return Array.from({ length: parts }, (_, n) => all.slice(n * size, (n + 1) * size))
}

interface SavedWithout {
  outcome: SavedContact | Refusal
  /** Why values were left out of it. */
  without: Refusal[]
}

/**
 * Saves people, and those who are refused for an optional value once more without it: a phone number
 * of somebody else, a topic that does not exist, more tags than a contact takes.
 */
async function saveWithout(
  items: readonly ImportedContact[],
  save: (items: ImportedContact[]) => Promise<(SavedContact | Refusal)[]>,
): Promise<SavedWithout[]> {
  const results: SavedWithout[] = []
  let open = items.map((item, index) => ({ item, index }))
  while (open.length > 0) {
    const outcomes = await save(open.map(({ item }) => item))
    open = open.flatMap(({ item, index }, i) => {
      const outcome = outcomes[i] as SavedContact | Refusal
      const without = results[index]?.without ?? []
      results[index] = { outcome, without }
      const less = isRefusal(outcome) ? withoutRefused(item, outcome) : undefined
      if (!isRefusal(outcome) || !less) return []
      without.push(outcome)
      return [{ item: less, index }]
    })
  }
  return results
}

/** The person without the value that was refused; undefined if it is one that they need. */
function withoutRefused(item: ImportedContact, refusal: Refusal): ImportedContact | undefined {
  if (isOfErased(refusal)) return undefined
  const [part, channel] = (refusal.details.field ?? '').split(/[.[]/, 2)
  const less = { ...item }
  switch (part) {
    case 'phone':
      if (item.phone === undefined || item.email === undefined) return undefined
      delete less.phone
      return withoutConsent(less, 'sms')
    case 'attributes':
    case 'tags':
      if (item[part] === undefined) return undefined
      delete less[part]
      return less
    case 'consent': {
      const subject = consentSubjects.find((name) => name === channel)
      const consent = subject && item.consent?.[subject]
      if (!consent) return undefined
      // An unsubscription counts even if it names an unknown topic: only its topics are dropped.
      const { topics, ...rest } = consent
      const hasLeft = consent.status === 'unsubscribed' && topics !== undefined
      const other = withoutConsent(less, subject)
      return hasLeft ? { ...other, consent: { ...other.consent, [subject]: rest } } : other
    }
    default:
      return undefined
  }
}

function withoutConsent(item: ImportedContact, subject: ConsentSubject): ImportedContact {
  const { [subject]: _left, ...consent } = item.consent ?? {}
  return { ...item, consent }
}

/** The column that became what was refused. */
function cellOf({ targets }: Plan, refusal: Refusal): LeftOutCell {
  const field = refusal.details.field ?? 'row'
  const [part = ''] = field.split(/[.[]/, 1)
  const [whole = ''] = field.split('[', 1)
  const own = targets.lastIndexOf(whole)
  const column = own >= 0 ? own : targets.findIndex((target) => target?.startsWith(part))
  return { column, field, ...wordsOf(refusal) }
}

function faultOf({ code, message, details }: Refusal) {
  return { code, message, field: details.field ?? 'row' }
}

const isOfErased = ({ details }: Refusal) => details.data?.['reason'] === 'erased'

type Changes = Map<Id<'contact'>, Omit<ImportChange, 'changedAt'>>

/** A contact that several rows change keeps the state from before the first of them. */
function addChange(changes: Changes, { entry, kind, changed, values }: Change): void {
  if (kind === 'unchanged') return
  const cached = changes.get(entry.id)
  const isNew = cached ? cached.before === null : entry.stored === undefined
  if (isNew) {
    changes.set(entry.id, { contactId: entry.id, before: null, after: null })
    return
  }
  const stored = entry.stored ?? values
  const before = { ...pickFields(stored, changed), ...cached?.before }
  const after = { ...cached?.after, ...pickFields(values, changed) }
  changes.set(entry.id, { contactId: entry.id, before, after })
}

/** Saves rows as suppressions. False where the import was stopped, or another worker has come further. */
async function saveAsSuppressions(
  tx: Tx,
  chunk: Chunk,
  { hmac, now }: Pick<SavingChunk, 'hmac' | 'now'>,
): Promise<boolean> {
  const { businessId, id, rows, from } = chunk
  await commitWithoutWaiting(tx)
  const progress = await lockProgress(tx, businessId, id)
  if (progress?.state !== 'running' || progress.nextByte !== from) return false
  const tally = createChunkTally(chunk, progress)
  for (const row of rows) {
    if (row.fault) tally.refuse(row, row.fault)
    else tally.leaveOut(row, row.leftOut ?? [])
  }
  const people = rows.flatMap(({ suppression }) => suppression ?? [])
  const listed = people.map((person) => suppressionsOf(person, now))
  const taking = { businessId, hmac, source: fileSource, now }
  const results = await takeOver(tx, taking, listed.flat())
  let index = 0
  for (const { length } of listed) {
    const ofPerson = results.slice(index, index + length)
    index += length
    const changes = new Set(ofPerson.map(({ change }) => change))
    const change = (['created', 'updated'] as const).find((word) => changes.has(word))
    tally.counts[change ?? 'unchanged']++
  }
  // If several rows name an address, the first says what was there before.
  const addresses = new Map<string, NamedAddress>()
  for (const { mark, channel, change, before } of results) {
    const name = mark.toString('hex')
    if (!addresses.has(name))
      addresses.set(name, { mark, channel, isNew: change === 'created', before })
  }
  if (addresses.size > 0) await keepNamed(tx, { businessId, importId: id }, [...addresses.values()])
  await endChunk(tx, chunk, { progress, tally })
  return true
}

/** A row with several addresses has one suppression for each. */
function suppressionsOf(
  { email, phone, sha256, reason, at }: SuppressionRow,
  now: Date,
): ToSuppress[] {
  const since = at === undefined ? now : new Date(at)
  const common = { reason, at: since > now ? now : since }
  const addresses: ToSuppress['address'][] = []
  if (email !== undefined) addresses.push({ channel: 'email', text: email })
  if (phone !== undefined) addresses.push({ channel: 'sms', text: phone })
  if (sha256 !== undefined) addresses.push({ sha256: Buffer.from(sha256, 'hex') })
  return addresses.map((address) => ({ address, ...common }))
}

/** Stores the rows that the owner should look at, and the position after the chunk. */
async function endChunk(
  tx: Tx,
  chunk: Chunk,
  { progress, tally: { counts, errors } }: { progress: ProgressOfImport; tally: ChunkTally },
): Promise<void> {
  const { businessId, id, rows, workedMs } = chunk
  const ofImport = { businessId, importId: id }
  if (errors.length > 0) await keepErrors(tx, ofImport, errors)
  await saveProgress(tx, ofImport, {
    nextByte: endOf(chunk),
    nextRow: progress.nextRow + rows.length,
    counts,
    workedMs: progress.workedMs + workedMs,
  })
}

type Progress = Pick<Import, 'nextByte' | 'nextRow' | 'counts' | 'workedMs'>

type ProgressOfImport = Progress &
  Pick<Import, 'state' | 'userId' | 'connectionId' | 'callId'> & { tier: Tier }

/** Locks the row, so that no other worker processes the import at the same time. */
function lockProgress(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'import'>,
): Promise<ProgressOfImport | undefined> {
  return tx.maybe(sql`
    select i.state, i.next_byte as "nextByte", i.next_row as "nextRow", i.counts,
      i.worked_ms as "workedMs", i.user_id as "userId", i.connection_id as "connectionId",
      i.call_id as "callId", b.tier
    from imports i join businesses b on b.id = i.business_id
    where i.business_id = ${businessId} and i.id = ${id}
    for no key update of i
  `)
}

/** Writes only the columns that change. */
function saveProgress(
  tx: Tx,
  { businessId, importId }: { businessId: Id<'business'>; importId: Id<'import'> },
  { nextByte, nextRow, counts, workedMs }: Progress,
): Promise<number> {
  return tx.run(sql`
    update imports set next_byte = ${nextByte}, next_row = ${nextRow},
      counts = ${JSON.stringify(counts)}, worked_ms = ${workedMs}
    where business_id = ${businessId} and id = ${importId}
  `)
}

/** Commits without waiting for the disk, for work that is repeated if a crash loses it. */
function commitWithoutWaiting(tx: Tx): Promise<number> {
  return tx.run(sql`set local synchronous_commit = off`)
}
