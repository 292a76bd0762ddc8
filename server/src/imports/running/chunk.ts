/**
 * Some rows of a file become contacts, and the place where the next begin is kept, in one
 * transaction: whatever happens, no row is taken twice or left out.
 */

import { setImmediate } from 'node:timers/promises'
import type { ContactToSave } from '../../contacts/model/contact.ts'
import { pickFields } from '../../contacts/saving/field-values.ts'
import type { Change } from '../../contacts/saving/plan.ts'
import { saveTelling } from '../../contacts/saving/save.ts'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { lockStandingCounters } from '../../usage/reserve.ts'
import type { Plan } from '../mapping/plan.ts'
import { keepChanges, keepErrors, type RowError } from '../model/change-queries.ts'
import type { ImportChange } from '../model/changes.ts'
import { type Counts, importLimits, originOf } from '../model/import.ts'
import { lockImport, type RunningImport, saveImport } from '../model/queries.ts'
import type { FileRow } from '../reading/read-rows.ts'
import { rawTextOf, type Window } from '../reading/reader.ts'

/** Rows that are worked out at a time: other calls have their turn between two (decision 0019). */
const rowsAtOnce = 200

export interface Chunk {
  businessId: Id<'business'>
  id: Id<'import'>
  plan: Plan
  window: Window
  rows: readonly FileRow[]
  /** Where the first of the rows begins: who finds another place there was not the only one. */
  from: number
  workedMs: number
}

/** False where the import was stopped, or another worker has come further. */
export async function saveChunk(
  tx: Tx,
  chunk: Chunk,
  { hmac, now }: { hmac: Hmac; now: Date },
): Promise<boolean> {
  const { businessId, id, window, rows, from, workedMs } = chunk
  const one = await lockImport(tx, businessId, id)
  if (one?.state !== 'running' || one.nextByte !== from) return false
  // Nobody else makes contacts meanwhile, so that step after step meets no race.
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const counts: Counts = { ...one.counts }
  const changes = new Map<Id<'contact'>, Omit<ImportChange, 'changedAt'>>()
  const errors: RowError[] = []
  const refuse = (
    row: FileRow,
    place: number,
    fault: NonNullable<FileRow['fault']>,
    isErased = false,
  ) => {
    if (counts.refused++ >= importLimits.errors) return
    const raw = isErased ? null : rawTextOf(window, row, chunk.plan)
    errors.push({ row: place, raw: raw?.slice(0, importLimits.errorCharacters) ?? null, ...fault })
  }
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const step = rows.slice(start, start + rowsAtOnce)
    const placeOf = (row: FileRow) => one.nextRow + start + step.indexOf(row) + 1
    const people = step.filter(({ person }) => person !== undefined)
    for (const row of step) if (row.fault) refuse(row, placeOf(row), row.fault)
    const items = people.map((row) => itemOf(one, chunk, { row, hmac }))
    const tell = (change: Change) => keepChange(changes, change)
    const outcomes = items.length > 0 ? await saveTelling(tx, items, { now, tell }) : []
    for (const [i, outcome] of outcomes.entries()) {
      const row = people[i] as FileRow
      if (isRefusal(outcome)) refuse(row, placeOf(row), faultOf(outcome), isOfErased(outcome))
      else {
        counts[outcome.change]++
        if (outcome.stayedUnsubscribed) counts.stayed_unsubscribed++
        if (row.withoutEvidence) counts.without_evidence++
      }
    }
    await setImmediate()
  }
  const ofImport = { businessId, importId: id }
  if (changes.size > 0) await keepChanges(tx, ofImport, { changes: [...changes.values()], now })
  if (errors.length > 0) await keepErrors(tx, ofImport, errors)
  const nextByte = window.at + (rows.at(-1)?.end ?? 0)
  const nextRow = one.nextRow + rows.length
  await saveImport(tx, businessId, {
    ...one,
    nextByte,
    nextRow,
    counts,
    workedMs: one.workedMs + workedMs,
  })
  return true
}

function itemOf(
  one: RunningImport,
  { businessId, plan }: Chunk,
  { row, hmac }: { row: FileRow; hmac: Hmac },
): ContactToSave {
  const existing =
    plan.mode === 'only_new' ? 'keep' : plan.mode === 'fill_blanks' ? 'fill_blanks' : undefined
  return {
    ...row.person,
    businessId,
    tier: one.tier,
    source: 'import',
    origin: originOf(one),
    hmac,
    ...(existing && { existing }),
  }
}

/** A contact that several rows change keeps what it was before the first of them. */
function keepChange(
  changes: Map<Id<'contact'>, Omit<ImportChange, 'changedAt'>>,
  { entry, kind, changed, values }: Change,
): void {
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
