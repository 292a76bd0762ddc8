/** Turns a piece of a file into people, in steps between which other work can run. */

import type { ConsentSubject, Person } from '../contacts/contact.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import { type LeftOutCell, type RowFault, wordsOf } from './cells.ts'
import { type ColumnProfile, emptyProfile, lookAt } from './columns.ts'
import { isBlankRecord, originalOffsets, readRecords, toUtf8 } from './csv.ts'
import { rowReader } from './person-of.ts'
import type { Plan } from './plan.ts'
import { type SuppressionRow, suppressionReader } from './suppression-rows.ts'

export interface FileRow {
  /** The row's first and last byte, as offsets in the piece. */
  start: number
  end: number
  person?: Person
  suppression?: SuppressionRow
  /** Of the person or the suppression, if only that was asked for. */
  addresses?: RowAddresses
  fault?: RowFault
  withoutEvidence?: ConsentSubject[]
  leftOut?: LeftOutCell[]
  /** Set for the first `withCells` rows. */
  cells?: string[]
}

type RowAddresses = Pick<SuppressionRow, 'email' | 'phone' | 'sha256'>

export interface Rows {
  rows: FileRow[]
  /** The number of bytes read. The next piece begins after them. */
  consumed: number
  profiles: ColumnProfile[]
  /** The first cells with letters beyond ASCII, shortened. */
  doubtful: string[]
}

export interface RowsWanted {
  bytes: Uint8Array
  isLast: boolean
  plan: Plan
  /** Whether only the addresses of people are returned, which is less to send and to keep. */
  addressesAlone: boolean
  /** Whether to profile the cells of each column. */
  withProfiles: boolean
  /** The number of rows to return with their cells. */
  withCells: number
  /** The number of cells with letters beyond ASCII to return. */
  withDoubtful: number
}

const quoteFaults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is opened and never closed.',
  CSV_MAX_RECORD_SIZE:
    'The row is longer than 1 MB: a quotation mark is probably opened and never closed.',
}
const misplaced = 'A quotation mark stands in the wrong place: within quotes it is written twice.'

/** The rows between two pauses, which take some two milliseconds. */
const rowsPerStep = 100

export function readRows(request: RowsWanted): Rows {
  const steps = readInSteps(request)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same, with a pause after each step. */
export function* readInSteps(request: RowsWanted, limit = rowsPerStep): Generator<void, Rows> {
  const { bytes, isLast, plan, withProfiles, withDoubtful } = request
  const { encoding, delimiter, columns } = plan
  const utf8 = toUtf8(bytes, encoding)
  const read = plan.kind === 'suppressions' ? suppressionReader(plan) : rowReader(plan)
  const profiles = withProfiles ? columns.map(emptyProfile) : []
  const result: Rows = { rows: [], consumed: 0, profiles, doubtful: [] }
  const doubtful = new Set<string>()
  const originalOf = originalOffsets(bytes, utf8, encoding)
  let at = 0
  for (let isOver = false; !isOver; ) {
    const piece = utf8.subarray(at)
    const { records, consumed } = readRecords(piece, { delimiter, isLast, limit })
    isOver = records.length < limit || at + consumed >= utf8.length
    for (const record of records) {
      const { cells, fault, end } = record
      const start = result.consumed
      result.consumed = originalOf(at + end)
      if (isBlankRecord(record)) continue
      const range = { start, end: result.consumed }
      if (doubtful.size < withDoubtful) gatherDoubtful(cells, doubtful, withDoubtful)
      if (withProfiles && fault === undefined) lookAt(profiles, cells)
      const sample = result.rows.length < request.withCells ? { cells } : {}
      const row = fault === undefined ? rowFrom(read(cells), request) : { fault: misquoted(fault) }
      result.rows.push({ ...range, ...sample, ...row })
    }
    result.consumed = originalOf(at + consumed)
    at += consumed
    if (!isOver) yield
  }
  if (isLast) result.consumed = bytes.length
  return { ...result, doubtful: [...doubtful] }
}

type ReadRow = Pick<FileRow, 'person' | 'suppression' | 'withoutEvidence' | 'leftOut'>

function rowFrom(row: ReadRow | Refusal, { addressesAlone }: RowsWanted): Partial<FileRow> {
  if (!isRefusal(row)) return addressesAlone ? withoutRest(row) : row
  const { code, details } = row
  return { fault: { code, field: details.field ?? 'row', ...wordsOf(row) } }
}

const misquoted = (fault: string): RowFault => ({
  code: 'invalid_request',
  field: 'row',
  message: quoteFaults[fault] ?? misplaced,
  reason: 'misquoted',
})

const doubtfulLength = 80

function gatherDoubtful(cells: readonly string[], doubtful: Set<string>, limit: number): void {
  for (const cell of cells) {
    if (doubtful.size >= limit) return
    if (/[^\p{ASCII}]/u.test(cell)) doubtful.add(cell.slice(0, doubtfulLength))
  }
}

function withoutRest(row: ReadRow): Pick<FileRow, 'addresses' | 'withoutEvidence' | 'leftOut'> {
  const addresses: RowAddresses = row.person ?? row.suppression ?? {}
  const { email, phone, sha256 } = addresses
  return {
    addresses: {
      ...(email !== undefined && { email }),
      ...(phone !== undefined && { phone }),
      ...(sha256 !== undefined && { sha256 }),
    },
    ...(row.withoutEvidence && { withoutEvidence: row.withoutEvidence }),
    ...(row.leftOut && { leftOut: row.leftOut }),
  }
}

/** The addresses that a row names; undefined of a row that is refused. */
export function addressesOf({ person, suppression, addresses }: FileRow): RowAddresses | undefined {
  return addresses ?? person ?? suppression
}

export interface RawRows {
  /** The rows as they were in the file. Empty if a row was not stored. */
  texts: string[]
  delimiter: string
}

export function splitRows({ texts, delimiter }: RawRows): string[][] {
  return texts.map((text) => {
    const { records } = readRecords(Buffer.from(text), { delimiter, isLast: true, limit: 1 })
    return records[0]?.cells ?? []
  })
}
