/** An import as callers see it. */

import { importedReasons } from '../contacts/suppressions/import.ts'
import { formatId } from '../core/ids.ts'
import { untrusted } from '../core/untrusted.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import { commonTarget, plainName } from './cells.ts'
import {
  type FoundAddresses,
  fileField,
  type findSameFile,
  type Import,
  importLimits,
  importStates,
  noCounts,
} from './import.ts'
import { importKinds, knownSources, modes } from './plan.ts'

export const importIdInput = Type.String({ pattern: '^imp_[0-9a-hjkmnp-tv-z]{26}$' })
const refusal = Type.Object({
  code: Type.String(),
  field: Type.String(),
  message: Type.String(),
  reason: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Number()),
  count: Type.Integer(),
  rows: Type.Array(Type.Integer()),
})

const domainRows = { domain: Type.String(), contacts: Type.Integer() }

export const importFields = {
  import_id: Type.String(),
  state: Type.Enum(importStates),
  kind: Type.Enum(importKinds),
  file_name: Type.String(),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  bytes: Type.Optional(Type.Integer()),
  progress: Type.Optional(
    Type.Object({
      percent: Type.Integer(),
      rows: Type.Integer(),
      rows_per_second: Type.Optional(Type.Integer()),
      seconds_left: Type.Optional(Type.Integer()),
    }),
  ),
  text: Type.Optional(
    Type.Object({
      encoding: Type.String(),
      is_guess: Type.Boolean(),
      delimiter: Type.Optional(Type.String()),
      exported_by: Type.Optional(Type.Enum(knownSources)),
    }),
  ),
  found: Type.Optional(
    Type.Object({
      rows: Type.Integer(),
      valid: Type.Integer(),
      doubled: Type.Integer(),
      doubled_at_least: Type.Boolean(),
      known: Type.Integer(),
      unsubscribed: Type.Integer(),
      suppressed: Type.Integer(),
      erased: Type.Integer(),
      without_evidence: Type.Integer(),
      refusals: Type.Array(refusal),
      left_out: Type.Array(refusal),
      addresses: Type.Optional(
        Type.Object({
          without_mail: Type.Integer(),
          typos: Type.Integer(),
          roles: Type.Integer(),
          throw_away: Type.Integer(),
          domains: Type.Object({
            all: Type.Integer(),
            asked: Type.Integer(),
          }),
          proposals: Type.Array(Type.String()),
        }),
      ),
    }),
  ),
  choices: Type.Optional(
    Type.Object({
      tags: Type.Array(Type.String()),
      mode: Type.Enum(modes),
      blanks_erase: Type.Boolean(),
      consent: Type.Record(
        Type.String(),
        Type.Object({ source: Type.String(), text: Type.String() }),
      ),
      reason: Type.Optional(Type.Enum(importedReasons)),
      country: Type.Optional(Type.String()),
      values: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))),
      defaults: Type.Optional(Type.Record(Type.String(), Type.String())),
      remembered: Type.Optional(Type.Boolean()),
    }),
  ),
  result: Type.Optional(
    Type.Object({
      created: Type.Integer(),
      updated: Type.Integer(),
      unchanged: Type.Integer(),
      refused: Type.Integer(),
      stayed_unsubscribed: Type.Integer(),
      without_evidence: Type.Integer(),
      left_out: Type.Integer(),
      undone: Type.Optional(
        Type.Object({
          deleted: Type.Integer(),
          restored: Type.Integer(),
          left: Type.Integer(),
        }),
      ),
    }),
  ),
  undo_until: Type.Optional(Type.String({ description: 'ISO 8601, UTC.' })),
  finished_at: Type.Optional(Type.String({ description: 'ISO 8601, UTC.' })),
  fault: Type.Optional(
    Type.Object({ code: Type.String(), field: Type.String(), message: Type.String() }),
  ),
  untrusted: Type.Optional(
    untrusted({
      columns: Type.Array(
        Type.Object({
          column: Type.String(),
          becomes: Type.Union([Type.String(), Type.Null()]),
          examples: Type.Array(Type.String()),
          values: Type.Optional(Type.Array(Type.String())),
          national_numbers: Type.Optional(Type.Boolean()),
        }),
      ),
      rows: Type.Optional(Type.Array(Type.Array(Type.String()))),
      doubtful: Type.Optional(Type.Array(Type.String())),
      addresses: Type.Optional(
        Type.Object({
          without_mail: Type.Array(Type.Object(domainRows)),
          typos: Type.Array(Type.Object({ ...domainRows, meant: Type.String() })),
          throw_away: Type.Array(Type.Object(domainRows)),
        }),
      ),
    }),
  ),
}

type ImportView = Static<ReturnType<typeof viewSchema>>
const viewSchema = () => Type.Object(importFields)

interface ViewExtent {
  /** Whether to include the columns and the findings. */
  whole: boolean
  /** Whether to include the first rows as they are in the file. */
  rows?: boolean
}

export function fieldsOf(importRow: Import, { whole, rows = false }: ViewExtent): ImportView {
  const { id, state, kind, fileName, createdAt, bytes, finishedAt, fault } = importRow
  return {
    import_id: formatId('import', id),
    state,
    kind,
    file_name: fileName,
    created_at: createdAt.toISOString(),
    ...(bytes !== null && { bytes }),
    ...progressOf(importRow),
    ...(whole && detailsOf(importRow, rows)),
    ...resultOf(importRow),
    ...(finishedAt && { finished_at: finishedAt.toISOString() }),
    ...(fault && { fault: { field: fileField, ...fault } }),
  }
}

function progressOf({ state, bytes, nextByte, nextRow, workedMs }: Import) {
  if (state !== 'checking' && state !== 'running' && state !== 'paused') return {}
  const share = bytes ? Math.min(1, nextByte / bytes) : 0
  const base = { percent: Math.floor(share * 100), rows: nextRow }
  if (workedMs < 500 || share === 0) return { progress: base }
  const rate = Math.round((nextRow * 1000) / workedMs)
  const seconds = Math.ceil((workedMs * (1 - share)) / share / 1000)
  return { progress: { ...base, rows_per_second: rate, seconds_left: seconds } }
}

function resultOf({ state, counts, startedAt, finishedAt }: Import) {
  const hasSaved = counts.created + counts.updated + counts.unchanged + counts.refused > 0
  if (!startedAt || !(hasSaved || state === 'done')) return {}
  const until = finishedAt && later(finishedAt, days(importLimits.keptDays))
  const canUndo = until && (state === 'done' || state === 'failed' || state === 'cancelled')
  return { result: { ...noCounts, ...counts }, ...(canUndo && { undo_until: until.toISOString() }) }
}

const exampleCells = 3
const exampleLength = 40

function detailsOf({ text, layout, choices, found: findings }: Import, rows: boolean) {
  const columns = layout?.columns.map((column, i) => ({
    column,
    becomes: choices?.targets[i] ?? null,
    examples: examplesOf(i, findings?.sample ?? []),
    ...valuesIn(choices?.targets[i] ?? null, findings?.distinct?.[i]),
    ...(isNational(column, i, choices) && { national_numbers: true }),
  }))
  return {
    ...(text && {
      text: {
        encoding: text.encoding,
        is_guess: text.isGuess,
        ...(layout && { delimiter: layout.delimiter }),
        ...(layout?.known && { exported_by: layout.known }),
      },
    }),
    ...(findings && { found: foundFields(findings) }),
    ...(choices && {
      choices: {
        tags: choices.tags,
        mode: choices.mode,
        blanks_erase: choices.blanksErase,
        consent: choices.consent,
        ...(choices.reason && { reason: choices.reason }),
        ...(choices.country !== undefined && { country: choices.country }),
        ...(choices.values && { values: choices.values }),
        ...(choices.defaults && { defaults: choices.defaults }),
        ...(choices.isRemembered && { remembered: true }),
      },
    }),
    ...(columns && {
      untrusted: {
        columns,
        ...(rows && { rows: (findings?.sample ?? []).map(({ cells }) => cells) }),
        ...(text?.isGuess && { doubtful: findings?.doubtful ?? [] }),
        ...(findings?.addresses && { addresses: findings.addresses.examples }),
      },
    }),
  }
}

/** The texts of a column of which each may stand for another one, such as a word for a status. */
function valuesIn(target: string | null, distinct: readonly string[] | null | undefined) {
  const isTranslated =
    target?.startsWith('attributes.') ||
    target === 'tags' ||
    target === 'language' ||
    target === 'consent.email' ||
    target === 'consent.sms' ||
    target === 'consent.tracking'
  return isTranslated && distinct && distinct.length > 0 ? { values: [...distinct] } : {}
}

/** Whether a column is named like one of phone numbers, which need a country to be read. */
function isNational(column: string, index: number, choices: Import['choices']): boolean {
  if (!choices || choices.targets.includes('phone')) return false
  const isOwnField = choices.targets[index]?.startsWith('attributes.') === true
  return isOwnField && commonTarget(plainName(column)) === 'phone'
}

function foundFields(findings: NonNullable<Import['found']>) {
  const { rows, valid, doubled, doubledAtLeast, known: knownContacts, unsubscribed } = findings
  const { suppressed, erased, withoutEvidence, refusals, leftOut = [] } = findings
  return {
    rows,
    valid,
    doubled,
    doubled_at_least: doubledAtLeast,
    known: knownContacts,
    unsubscribed,
    suppressed,
    erased,
    without_evidence: withoutEvidence,
    refusals,
    left_out: leftOut,
    ...(findings.addresses && { addresses: countsOf(findings.addresses) }),
  }
}

const countsOf = ({ examples: _examples, ...counts }: FoundAddresses) => counts

function examplesOf(column: number, sample: readonly { cells: string[] }[]): string[] {
  const cells = sample
    .map(({ cells }) => (cells[column] ?? '').trim())
    .filter((text) => text !== '')
  return [...new Set(cells)].slice(0, exampleCells).map((text) => text.slice(0, exampleLength))
}

/** An earlier import of exactly the same file. */
type SameFile = Awaited<ReturnType<typeof findSameFile>>

export const sameFileFields = {
  same_file: Type.Optional(
    Type.Object({ import_id: Type.String(), state: Type.String(), created_at: Type.String() }),
  ),
}

export function sameFile(same: SameFile | null) {
  if (!same) return {}
  const { id, state, createdAt } = same
  const import_id = formatId('import', id)
  return { same_file: { import_id, state, created_at: createdAt.toISOString() } }
}
