/**
 * The import of a file: its states, the findings of its dry run, the outcomes of its rows, and the
 * statements on its row. Read the folder in this order:
 *
 * - `create.ts` and `upload.ts`: an import begins, and its file arrives.
 * - `check.ts`: the dry run, with `doubled.ts` (addresses that occur twice).
 * - `confirm.ts`: what the caller chooses, and the start. `view.ts`: the import as callers see it.
 * - `run.ts`: the rows are saved, and `changes.ts` keeps what undoing them needs.
 * - `undo.ts` and `undo-job.ts`; `get.ts`, `list.ts`, `pause.ts`, `cancel.ts`; `errors-csv.ts`.
 * - `jobs.ts`: the jobs, the mail at the end (`mail-words.ts`), and what expires.
 * - `personal-data.ts`: the people of a file that waits or runs are erased.
 *
 * How a file is read: `plan.ts` (formats and targets of columns), `layout.ts` (its beginning),
 * `columns.ts` (which column becomes what), `reader.ts` (piece by piece; what is too long, in
 * `thread/`), then `person-of.ts` or `suppression-rows.ts` for each row; `csv.ts` and `cells.ts` are
 * below all of them.
 */

import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import type { BusinessContext, Locate, Origin, Tier } from '../core/operation.ts'
import { highestId, type Page } from '../core/paging.ts'
import { recordAudit } from '../events/audit.ts'
import { emitAll } from '../events/emit.ts'
import type { Files } from '../files/files.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { enqueue, type NewJob } from '../lib/jobs/job.ts'
import { type Clock, days, later } from '../lib/time/clock.ts'
import type { FaultWords } from './cells.ts'
import { type Encoding, longRow } from './csv.ts'
import type { Choices, ImportKind, Layout, Plan } from './plan.ts'
import type { StoredFile } from './reader.ts'

export const importStates = [
  'awaiting_file',
  'checking',
  'ready',
  'running',
  'paused',
  'done',
  'failed',
  'cancelled',
  'undoing',
  'undone',
] as const
type ImportState = (typeof importStates)[number]

/** The number of rows by outcome. */
export interface Counts {
  created: number
  updated: number
  unchanged: number
  refused: number
  /** Rows that would have resubscribed a person who had left a channel. */
  stayed_unsubscribed: number
  /** Rows that say `subscribed` without a source. They got no consent. */
  without_evidence: number
  /** Cells that could not be read. Their rows were imported without them. */
  left_out: number
  /** The number of contacts by the outcome of undoing. */
  undone?: { deleted: number; restored: number; left: number }
}

export const noCounts: Counts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  refused: 0,
  stayed_unsubscribed: 0,
  without_evidence: 0,
  left_out: 0,
}

export interface FoundRefusal extends FaultWords {
  code: string
  field: string
  count: number
  /** The numbers of the first such rows. */
  rows: number[]
}

/** The findings of the dry run. */
export interface DryRunFindings {
  rows: number
  valid: number
  /** Rows whose address already occurs in an earlier row. */
  doubled: number
  /** Whether the file has more different addresses than were compared. */
  doubledAtLeast: boolean
  known: number
  /** Rows that would be imported, of people who left, who are suppressed, or who were erased. */
  unsubscribed: number
  suppressed: number
  erased: number
  withoutEvidence: number
  refusals: FoundRefusal[]
  /** Cells that would be left out. Absent in findings that are older than it. */
  leftOut?: FoundRefusal[]
  /** Absent in findings about suppressions, and in those that are older than it. */
  addresses?: FoundAddresses
  /** Cells with letters beyond ASCII, if the encoding is a guess. */
  doubtful: string[]
  /** By column, the texts that occur, if they are few. Absent in findings that are older than it. */
  distinct?: (string[] | null)[]
  sample: { cells: string[] }[]
}

interface DomainRows {
  domain: string
  contacts: number
}

/** The email addresses of a file that are probably wrong. */
export interface FoundAddresses {
  without_mail: number
  typos: number
  roles: number
  throw_away: number
  domains: { all: number; asked: number }
  proposals: string[]
  examples: {
    without_mail: DomainRows[]
    typos: (DomainRows & { meant: string })[]
    throw_away: DomainRows[]
  }
}

interface FileText {
  encoding: Encoding
  /** The length of the byte-order mark that declared the encoding. */
  markLength: number
  /** The bytes are not UTF-8 and have no mark, so the uploader has to confirm the encoding. */
  isGuess: boolean
}

export interface ImportFault {
  code: string
  message: string
  /** Absent in faults that were stored before it was. */
  field?: string
}

/** The field of faults that concern the uploaded file as a whole. */
export const fileField = 'file'

export interface Import {
  id: Id<'import'>
  state: ImportState
  kind: ImportKind
  fileName: string
  /** The number of uploads that began. Each writes its own file, and only the last one counts. */
  uploads: number
  bytes: number | null
  sha256: Buffer | null
  hasFile: boolean
  /** The encoding of the file, as the upload detected it. */
  text: FileText | null
  layout: Layout | null
  choices: Choices | null
  found: DryRunFindings | null
  nextByte: number
  nextRow: number
  counts: Counts
  workedMs: number
  fault: ImportFault | null
  userId: Id<'user'> | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  createdAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

export const importLimits = {
  /** The most bytes of a file. */
  fileBytes: 1024 ** 3,
  /** The most bytes of a file that a call brings as text. */
  textBytes: 1024 ** 2,
  /** The most characters of its name. */
  fileName: 200,
  /** The number of hours for which an upload address is valid. */
  uploadHours: 24,
  /** Days for which a file, its errors and its undo data are kept. */
  keptDays: 7,
  /** The most imports of a business that wait for their file, and that have a stored file. */
  awaiting: 200,
  withFile: 20,
  /** The most refused rows and left out cells that `errors.csv` shows, and the most characters of each. */
  errors: 100_000,
  errorCharacters: 65_536,
  /** The most email domains of a file that are counted, and of each kind that are shown. */
  domains: 20_000,
  domainsShown: 20,
  /** The number of rows that the response of a dry run shows. */
  sampleRows: 20,
} as const

export function fileOf(
  businessId: Id<'business'>,
  { id, uploads }: Pick<Import, 'id' | 'uploads'>,
): StoredFile {
  return { businessId, name: `imports/${businessId}/${id}-${uploads}` }
}

/** How its file is read; undefined before that is known. */
export function planOf({ layout, choices, kind, fileName }: Import): Plan | undefined {
  return layout && choices ? { ...layout, ...choices, kind, fileName } : undefined
}

export function originOf({
  connectionId,
  userId,
  callId,
}: Pick<Import, 'connectionId' | 'userId' | 'callId'>): Origin {
  return {
    connectionId,
    ...(userId && { userId }),
    callId: callId ? formatId('request', callId) : '',
  }
}

export const callIdOf = ({ callId }: Origin) => parseId('request', callId) ?? null

/** States that do not change by themselves. The caller may still undo an import. */
export const endStates: readonly ImportState[] = ['done', 'failed', 'cancelled', 'undone']

export const importJobs = {
  check: 'import.check',
  run: 'import.run',
  undo: 'import.undo',
  mail: 'import.mail',
  expire: 'import.expire',
} as const

export interface ImportPayload {
  business_id: Id<'business'>
  import_id: Id<'import'>
}

export function importJob(
  kind: keyof typeof importJobs,
  { businessId, id, dueAt }: { businessId: Id<'business'>; id: Id<'import'>; dueAt?: Date },
): NewJob {
  const payload: ImportPayload = { business_id: businessId, import_id: id }
  const priority = kind === 'mail' ? 'normal' : 'bulk'
  const job = { kind: importJobs[kind], businessId, payload, priority } as const
  return dueAt ? { ...job, dueAt } : job
}

/** The parts of the service that operations on imports need. */
export interface ImportFacility {
  db: Database
  clock: Clock
  files: Files
  vault: Pick<Vault, 'seal' | 'open'>
  gatewayUrl: string
}

/** The fault of a file that has an endless row, or takes more time or memory than any real file. */
export function tooHard({ endlessRow }: { endlessRow: number | undefined }): ImportFault {
  return unreadable(
    endlessRow === undefined
      ? 'The file cannot be read in reasonable time. Export it anew as plain CSV, with a line for each person.'
      : longRow(endlessRow),
  )
}

export function unreadable(message: string): ImportFault {
  return { code: 'invalid_request', field: fileField, message }
}

export const swapped: ImportFault = {
  code: 'conflict',
  field: fileField,
  message:
    'The stored file differs from the one that was uploaded and checked, so the import stopped. Upload it again.',
}

export function tooLarge(): Refusal {
  const text = 'The file is larger than 1 GB. Split it, and import one part after the other.'
  return refuse('too_large', text, { field: fileField, data: { reason: 'file_too_large' } })
}

export function noSuchImport(importId: string): Refusal {
  return refuse('not_found', `This business has no import ${importId}.`, {
    field: 'import_id',
    fix: { tool: 'import.list', arguments: {} },
  })
}

/** Finds the business that has the import `imp_…`. */
export const byImport: Locate = async (db, businesses, text) => {
  const id = parseId('import', text)
  return id && (await findImportOwner(db, businesses, id))?.businessId
}

export async function importOf(
  { db, business }: BusinessContext,
  importId: string,
): Promise<Import> {
  const id = parseId('import', importId)
  const importRow = id && (await findImport(db, business.id, id))
  if (!importRow) throw noSuchImport(importId)
  return importRow
}

export async function steer<T>(
  context: BusinessContext,
  importId: string,
  change: (tx: Tx, importRow: RunningImport) => Promise<T>,
): Promise<T> {
  const existing = await importOf(context, importId)
  return context.write(async (tx) => {
    const importRow = await lockImport(tx, context.business.id, existing.id)
    if (importRow) return change(tx, importRow)
    throw noSuchImport(importId)
  })
}

const wholeImport = sql`
  i.id, i.state, i.kind, i.file_name as "fileName", i.uploads, i.bytes, i.sha256,
  i.has_file as "hasFile", i.text, i.layout, i.choices, i.found, i.next_byte as "nextByte", i.next_row as "nextRow", i.counts,
  i.worked_ms as "workedMs", i.fault, i.user_id as "userId", i.connection_id as "connectionId",
  i.call_id as "callId", i.created_at as "createdAt", i.started_at as "startedAt",
  i.finished_at as "finishedAt"
`

const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value))

export function insertImport(
  tx: Tx,
  businessId: Id<'business'>,
  importRow: Import,
): Promise<number> {
  return tx.run(sql`
    insert into imports (business_id, id, state, kind, file_name, uploads, has_file,
      next_byte, next_row, counts, worked_ms, user_id, connection_id, call_id, created_at)
    values (${businessId}, ${importRow.id}, ${importRow.state}, ${importRow.kind}, ${importRow.fileName}, ${importRow.uploads}, false,
      0, 0,
      ${JSON.stringify(importRow.counts)}, 0, ${importRow.userId}, ${importRow.connectionId}, ${importRow.callId},
      ${importRow.createdAt})
  `)
}

export function findImport(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'import'>,
): Promise<Import | undefined> {
  return db.maybe(sqlWithin`
    select ${wholeImport} from imports i where i.business_id = ${businessId} and i.id = ${id}
  `)
}

export type RunningImport = Import & { tier: Tier; businessName: string }

/** Locks the row, so that no other worker or caller changes the import at the same time. */
export function lockImport(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'import'>,
): Promise<RunningImport | undefined> {
  return tx.maybe(sqlWithin`
    select ${wholeImport}, b.tier, b.name as "businessName"
    from imports i join businesses b on b.id = i.business_id
    where i.business_id = ${businessId} and i.id = ${id}
    for no key update of i
  `)
}

export function saveImport(tx: Tx, businessId: Id<'business'>, importRow: Import): Promise<number> {
  return tx.run(sql`
    update imports set state = ${importRow.state}, bytes = ${importRow.bytes}, sha256 = ${importRow.sha256},
      has_file = ${importRow.hasFile}, text = ${jsonOrNull(importRow.text)},
      layout = ${jsonOrNull(importRow.layout)}, choices = ${jsonOrNull(importRow.choices)}, found = ${jsonOrNull(importRow.found)},
      next_byte = ${importRow.nextByte}, next_row = ${importRow.nextRow},
      counts = ${JSON.stringify(importRow.counts)}, worked_ms = ${importRow.workedMs},
      fault = ${jsonOrNull(importRow.fault)}, user_id = ${importRow.userId},
      connection_id = ${importRow.connectionId}, call_id = ${importRow.callId},
      started_at = ${importRow.startedAt}, finished_at = ${importRow.finishedAt}
    where business_id = ${businessId} and id = ${importRow.id}
  `)
}

/** Begins an upload if the import waits for a file. */
export function beginUpload(
  db: Db,
  businessId: Id<'business'>,
  { id, since }: { id: Id<'import'>; since: Date },
): Promise<{ id: Id<'import'>; uploads: number } | undefined> {
  return db.maybe(sql`
    update imports set uploads = uploads + 1
    where business_id = ${businessId} and id = ${id} and state = 'awaiting_file'
      and created_at > ${since}
    returning id, uploads
  `)
}

export function listImports(
  db: Db,
  businessId: Id<'business'>,
  { before, limit }: Page<'import'>,
): Promise<Import[]> {
  return db.all(sqlWithin`
    select ${wholeImport} from imports i
    where i.business_id = ${businessId} and i.id < ${before ?? highestId}
    order by i.id desc limit ${limit}
  `)
}

export function countInStates(
  db: Db,
  businessId: Id<'business'>,
  states: readonly ImportState[],
): Promise<{ n: number }> {
  return db.one(sql`
    select count(*) as n from imports
    where business_id = ${businessId} and state = any(${states}::text[])
  `)
}

/** Finds an earlier import of exactly the same file. */
export function findSameFile(
  db: Db,
  businessId: Id<'business'>,
  { id, sha256 }: { id: Id<'import'>; sha256: Buffer },
): Promise<{ id: Id<'import'>; createdAt: Date; state: ImportState } | undefined> {
  return db.maybe(sql`
    select id, created_at as "createdAt", state from imports
    where business_id = ${businessId} and sha256 = ${sha256} and id < ${id}
      and state in ('running', 'paused', 'done', 'undoing', 'undone')
    order by id desc limit 1
  `)
}

/** Imports among which one with the same headings is looked for. */
const lookedBack = 200

/** What was chosen for the last imported file with exactly these headings. */
export function findLastChoices(
  db: Db,
  businessId: Id<'business'>,
  { kind, columns }: { kind: ImportKind; columns: readonly string[] },
): Promise<{ choices: Choices } | undefined> {
  return db.maybe(sql`
    select choices from (
      select id, choices, layout from imports
      where business_id = ${businessId} and kind = ${kind} and started_at is not null
        and state in ('running', 'paused', 'done', 'undoing', 'undone')
      order by id desc limit ${lookedBack}
    ) latest
    where (layout->'columns')::text = ${JSON.stringify(columns)}
      and layout->>'hasHeader' = 'true' and choices is not null
    order by id desc limit 1
  `)
}

/** Finds the imports of the business whose file is stored. */
export function findWithFiles(db: Db, businessId: Id<'business'>): Promise<Import[]> {
  return db.all(sqlWithin`
    select ${wholeImport} from imports i
    where i.business_id = ${businessId} and i.has_file order by i.id
  `)
}

function findImportOwner(
  db: Db,
  businesses: readonly Id<'business'>[],
  id: Id<'import'>,
): Promise<{ businessId: Id<'business'> } | undefined> {
  return db.maybe(sql`
    select business_id as "businessId" from imports
    where business_id = any(${businesses}::uuid[]) and id = ${id}
  `)
}

/**
 * Ends an import, successful or not: writes its event, its audit entry and the job of the one mail
 * about it. `ended` has the final state. The caller removes the file once the
 * transaction has committed.
 */
export async function endImport(
  tx: Tx,
  businessId: Id<'business'>,
  { ended, now }: { ended: Import; now: Date },
): Promise<void> {
  const { id, state, kind, counts } = ended
  const origin = originOf(ended)
  await saveImport(tx, businessId, { ...ended, hasFile: false, finishedAt: now })
  const subject = formatId('import', id)
  const { created, updated, unchanged, refused, stayed_unsubscribed } = counts
  const totals = { created, updated, unchanged, refused, stayed_unsubscribed }
  const entry = {
    businessId,
    action: 'import.finish',
    subject,
    details: { state, kind, ...totals },
  }
  await recordAudit(tx, [{ ...entry, origin }], now)
  if (state !== 'done' && state !== 'failed' && state !== 'cancelled') return
  const data = { import_id: subject, state, kind, ...totals }
  await emitAll(tx, [{ businessId, origin, type: 'import.completed', data }], now)
  const dueAt = later(now, days(importLimits.keptDays))
  await enqueue(
    tx,
    [importJob('mail', { businessId, id }), importJob('expire', { businessId, id, dueAt })],
    now,
  )
}
