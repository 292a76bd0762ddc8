/**
 * Turns some rows of a file into contacts and saves the position of the next row, in one
 * transaction. Whatever happens, no row is processed twice or skipped.
 */
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { Change, NamesOfPerson } from '../../contacts/changes.ts'
import {
  type ConsentSubject,
  type ContactToSave,
  consentSubjects,
  type SavedContact,
} from '../../contacts/contact.ts'
import { pickFields } from '../../contacts/field-values.ts'
import {
  endSaving,
  type FoundAhead,
  type ImportedContact,
  nothingLeft,
  type ReadAhead,
  readAhead,
  saveImported,
} from '../../contacts/save.ts'
import { type Addressed, markOf } from '../../contacts/suppressions/suppression.ts'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { inEvenParts } from '../../lib/text/even-parts.ts'
import { type HeldCounters, lockStandingCounters } from '../../usage/reserve.ts'
import type { LeftOutCell } from '../mapping/person-of.ts'
import type { Plan } from '../mapping/plan.ts'
import { keepChanges, keepErrors, type RowError } from '../model/change-queries.ts'
import type { ImportChange } from '../model/changes.ts'
import { type Counts, importLimits, noCounts, originOf } from '../model/import.ts'
import { leftOutFault } from '../model/left-out.ts'
import {
  commitWithoutWaiting,
  lockProgress,
  type ProgressOfImport,
  saveProgress,
} from '../model/progress-queries.ts'
import type { FileRow, RowFault } from '../reading/read-rows.ts'
import { rawTextOf, type Window } from '../reading/reader.ts'
import type { Pause } from './pause.ts'

/**
 * The rows that are processed at a time. Other calls get a turn between two steps (decision 0019).
 * Statements for more rows do not fit into the socket, so the database would wait in mid-statement.
 */
const rowsAtOnce = 112
const rowsAtFirst = 32

export interface Chunk {
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

/** The byte at which the rows after the chunk begin. */
export const endOf = ({ window, rows }: Chunk): number => window.at + (rows.at(-1)?.end ?? 0)

export interface SavingChunk {
  hmac: Hmac
  now: Date
  /** Whether all contacts of the chunk are read first, so that later steps need no reads. */
  readsAhead: boolean
}

/** Returns false if the import was stopped, or if another worker has advanced it. */
export async function saveChunk(
  tx: Tx,
  chunk: Chunk,
  { now, readsAhead, ...saving }: SavingChunk,
): Promise<boolean> {
  const { businessId, id, window, rows, from, workedMs } = chunk
  const hmac = remembering(saving.hmac)
  const named = readsAhead ? namedIn(chunk, hmac) : undefined
  // If a database crash loses this chunk, it is repeated from the position committed before it.
  await commitWithoutWaiting(tx.pipelined)
  // The locks come first. They stop other creations of contacts, so that the steps meet no race. All
  // of this is sent at once, so that the database waits for nothing before the first step.
  const [one, counters, read] = await Promise.all([
    lockProgress(tx, businessId, id),
    lockStandingCounters(tx, [{ businessId, metric: 'contacts' }]),
    named && readAhead(tx, named),
  ])
  if (one?.state !== 'running' || one.nextByte !== from) return false
  const counts: Counts = { ...noCounts, ...one.counts }
  const changes: Changes = new Map()
  const errors: RowError[] = []
  const list = (row: FileRow, fault: RowFault, isErased = false) => {
    if (counts.refused + counts.left_out > importLimits.errors) return
    const raw = isErased ? null : rawTextOf(window, row, chunk.plan)
    const place = one.nextRow + rows.indexOf(row) + 1
    errors.push({ row: place, raw: raw?.slice(0, importLimits.errorCharacters) ?? null, ...fault })
  }
  const refuse = (row: FileRow, fault: RowFault, isErased = false) => {
    counts.refused++
    list(row, fault, isErased)
  }
  const leaveOut = (row: FileRow, cells: readonly LeftOutCell[]) => {
    const fault = leftOutFault(cells, chunk.plan.columns)
    if (!fault) return
    counts.left_out += cells.length
    list(row, fault)
  }
  const items = itemsOf(one, chunk, hmac)
  const ahead = read && readAheadOf(items, read, counters)
  const tell = (change: Change) => keepChange(changes, change)
  const left = nothingLeft()
  await chunk.pause.during(async () => {
    for (const step of stepsOf(rows)) {
      for (const row of step) if (row.fault) refuse(row, row.fault)
      const people = step.filter(({ person }) => person !== undefined)
      const asked = people.map((row) => items.get(row) as ImportedContact)
      const how = { now, tell, left, ...(ahead && { ahead }) }
      const outcomes = await saveWithout(asked, (items) => saveImported(tx, items, how))
      for (const [i, { outcome, without }] of outcomes.entries()) {
        const row = people[i] as FileRow
        if (isRefusal(outcome)) refuse(row, faultOf(outcome), isOfErased(outcome))
        else {
          counts[outcome.change]++
          if (outcome.stayedUnsubscribed) counts.stayed_unsubscribed++
          if (row.withoutEvidence) counts.without_evidence++
          const more = without.map((refusal) => cellOf(chunk.plan, refusal))
          leaveOut(row, [...(row.leftOut ?? []), ...more])
        }
      }
      await turnOfLoop()
    }
  })
  await endSaving(tx, left, now)
  const ofImport = { businessId, importId: id }
  const writes = tx.pipelined
  if (changes.size > 0) await keepChanges(writes, ofImport, { changes: [...changes.values()], now })
  if (errors.length > 0) await keepErrors(writes, ofImport, errors)
  await saveProgress(writes, ofImport, {
    nextByte: endOf(chunk),
    nextRow: one.nextRow + rows.length,
    counts,
    workedMs: one.workedMs + workedMs,
  })
  return true
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
  let open = items.map((item, place) => ({ item, place }))
  while (open.length > 0) {
    const outcomes = await save(open.map(({ item }) => item))
    open = open.flatMap(({ item, place }, i) => {
      const outcome = outcomes[i] as SavedContact | Refusal
      const without = results[place]?.without ?? []
      results[place] = { outcome, without }
      const less = isRefusal(outcome) ? withoutRefused(item, outcome) : undefined
      if (!isRefusal(outcome) || !less) return []
      without.push(outcome)
      return [{ item: less, place }]
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
      const subject = consentSubjects.find((one) => one === channel)
      const consent = subject && item.consent?.[subject]
      if (!consent) return undefined
      // Whoever left has left, also where a topic that they left is not known.
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
function cellOf({ targets }: Plan, { message, details }: Refusal): LeftOutCell {
  const field = details.field ?? 'row'
  const [part = ''] = field.split(/[.[]/, 1)
  const [whole = ''] = field.split('[', 1)
  const own = targets.lastIndexOf(whole)
  const column = own >= 0 ? own : targets.findIndex((target) => target?.startsWith(part))
  return { column, field, message }
}

/** The first step is small, because the database has nothing to do until it has been prepared. */
function stepsOf(rows: readonly FileRow[]): (readonly FileRow[])[] {
  const first = rows.slice(0, rowsAtFirst)
  return first.length < rows.length
    ? [first, ...inEvenParts(rows.slice(rowsAtFirst), rowsAtOnce)]
    : [first]
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
    const { email, phone, name, first_name, last_name, language } = row.person
    const names = { name, first_name, last_name, language }
    return [{ row, item: { businessId, hmac, email, phone, ...names } }]
  })
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

const existingOf = { update: undefined, only_new: 'keep', fill_blanks: 'fill_blanks' } as const

function itemsOf(
  one: ProgressOfImport,
  { businessId, plan, rows }: Chunk,
  hmac: Hmac,
): Map<FileRow, ImportedContact> {
  const existing = existingOf[plan.mode]
  const common = {
    businessId,
    tier: one.tier,
    source: 'import' as const,
    origin: originOf(one),
    hmac,
    ...(existing && { existing }),
  }
  const items = new Map<FileRow, ImportedContact>()
  for (const row of rows) if (row.person) items.set(row, { ...row.person, ...common })
  return items
}

type Changes = Map<Id<'contact'>, Omit<ImportChange, 'changedAt'>>

/** A contact that several rows change keeps the state from before the first of them. */
function keepChange(changes: Changes, { entry, kind, changed, values }: Change): void {
  if (kind === 'unchanged') return
  const known = changes.get(entry.id)
  const isNew = known ? known.before === null : entry.stored === undefined
  if (isNew) {
    changes.set(entry.id, { contactId: entry.id, before: null, after: null })
    return
  }
  const stored = entry.stored ?? values
  const before = { ...pickFields(stored, changed), ...known?.before }
  const after = { ...known?.after, ...pickFields(values, changed) }
  changes.set(entry.id, { contactId: entry.id, before, after })
}

function faultOf({ code, message, details }: Refusal) {
  return { code, message, field: details.field ?? 'row' }
}

const isOfErased = ({ details }: Refusal) => details.data?.['reason'] === 'erased'

/** `hmac`, which computes each hash once. For few texts: it forgets none of them. */
function remembering(hmac: Hmac): Hmac {
  const byPurpose = new Map<string, Map<string, Buffer>>()
  return (purpose, text) => {
    let known = byPurpose.get(purpose)
    if (!known) {
      known = new Map()
      byPurpose.set(purpose, known)
    }
    let hash = known.get(text)
    if (!hash) {
      hash = hmac(purpose, text)
      known.set(text, hash)
    }
    return hash
  }
}

/** `hmac` remembers. */
function hashAll(rows: readonly FileRow[], businessId: Id<'business'>, hmac: Hmac): void {
  for (const { person } of rows) {
    if (person?.email !== undefined) markOf(hmac, businessId, person.email)
    if (person?.phone !== undefined) markOf(hmac, businessId, person.phone)
  }
}
