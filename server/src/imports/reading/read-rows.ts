/** A piece of a file becomes people. This runs in a thread: what a stranger's file takes, it takes there. */

import type { Channel, Person } from '../../contacts/model/contact.ts'
import { isRefusal } from '../../core/errors.ts'
import { lengthBefore, toUtf8 } from '../format/encoding.ts'
import { readRecords } from '../format/records.ts'
import { rowReader } from '../mapping/person-of.ts'
import type { Plan } from '../mapping/plan.ts'
import { type ColumnProfile, emptyProfile, lookAt } from '../mapping/profile.ts'

export interface RowFault {
  code: string
  field: string
  message: string
}

export interface FileRow {
  /** Bytes of the piece. */
  start: number
  end: number
  person?: Person
  fault?: RowFault
  withoutEvidence?: Channel[]
  /** With `wantsCells`, of the first rows. */
  cells?: string[]
}

export interface Rows {
  rows: FileRow[]
  /** Bytes that were read; the next piece begins with what follows. */
  consumed: number
  profiles: ColumnProfile[]
}

export interface RowsWanted {
  bytes: Uint8Array
  isLast: boolean
  plan: Plan
  /** Also tells what stands in the columns. */
  withProfiles: boolean
  /** Rows whose cells are wanted. */
  withCells: number
}

const quoteFaults: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'A quotation mark is opened and never closed.',
  CSV_MAX_RECORD_SIZE:
    'The row is longer than 1 MB: a quotation mark is probably opened and never closed.',
}
const misplaced = 'A quotation mark stands in the wrong place: within quotes it is written twice.'

export function readRows({ bytes, isLast, plan, withProfiles, withCells }: RowsWanted): Rows {
  const { encoding, delimiter, columns } = plan
  const utf8 = toUtf8(bytes, encoding)
  const { records, consumed } = readRecords(utf8, { delimiter, isLast })
  const read = rowReader(plan)
  const profiles = withProfiles ? columns.map(emptyProfile) : []
  const rows: FileRow[] = []
  let [before, start] = [0, 0]
  for (const { cells, fault, end } of records) {
    const place = {
      start,
      end: start + lengthBefore(utf8.subarray(before), end - before, encoding),
    }
    before = end
    start = place.end
    const wanted = rows.length < withCells ? { cells } : {}
    if (fault !== undefined) {
      const message = quoteFaults[fault] ?? misplaced
      rows.push({ ...place, ...wanted, fault: { code: 'invalid_request', field: 'row', message } })
      continue
    }
    if (withProfiles) lookAt(profiles, cells)
    const row = read(cells)
    if (!isRefusal(row)) rows.push({ ...place, ...wanted, ...row })
    else {
      const { code, message, details } = row
      rows.push({ ...place, ...wanted, fault: { code, field: details.field ?? 'row', message } })
    }
  }
  const rest = lengthBefore(utf8.subarray(before), consumed - before, encoding)
  return { rows, consumed: isLast ? bytes.length : start + rest, profiles }
}
