/** Reads the beginning of a file: its separator, its columns, and their probable targets. */

import { isRefusal } from '../core/errors.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import {
  type ColumnProfile,
  emptyProfile,
  guessTargets,
  isSha256,
  knownSourceOf,
  longestAddress,
  lookAt,
} from './columns.ts'
import {
  type CsvRecord,
  type Encoding,
  isBlankRecord,
  longestRecord,
  longRow,
  originalOffsets,
  readRecords,
  toUtf8,
} from './csv.ts'
import type { ImportKind, KnownSource, Layout } from './plan.ts'
import { guessSuppressionTargets } from './suppression-rows.ts'

/**
 * The numbers of bytes to examine: first what nearly every file has enough records in, and for the
 * others one record of the greatest length, and some more.
 */
export const beginnings = [128 * 1024, longestRecord + 256 * 1024] as const

export const mostColumns = 500

export interface Beginning {
  /** The beginning of the file, without a byte-order mark. */
  bytes: Uint8Array
  encoding: Encoding
  /** The length of the byte-order mark before these bytes. */
  markLength: number
  isWhole: boolean
  kind: ImportKind
}

export type LayoutFound =
  | { layout: Layout; targets: (string | null)[]; isSure: boolean }
  | { unreadable: string }

const delimiters = [',', ';', '\t', '|']
const recordsTried = 50
const recordsGuessedFrom = 200

export function findLayout({ bytes, encoding, markLength, isWhole, kind }: Beginning): LayoutFound {
  const utf8 = toUtf8(bytes, encoding)
  if (
    /^\s*(?:\[\s*(?:[[{"\d\]-]|(?:true|false|null)\b)|\{\s*["}]|<[!?a-zA-Z])/.test(
      utf8.toString('utf8', 0, 100),
    )
  ) {
    return { unreadable: 'It is JSON, XML or a web page, and no CSV file. Export it as CSV.' }
  }
  const separatorLine = /^sep=([,;|\t])\r?\n/i.exec(utf8.toString('utf8', 0, 8))
  const skipped = separatorLine?.[0].length ?? 0
  const text = utf8.subarray(skipped)
  const delimiter = separatorLine?.[1] ?? chooseDelimiter(text, isWhole)
  const reading = { delimiter, isLast: isWhole, limit: recordsGuessedFrom }
  const { records: read, consumed } = readRecords(text, reading)
  const records = read.filter((record) => !isBlankRecord(record))
  const [first] = records
  if (!first) {
    return { unreadable: read.length > 0 || consumed === text.length ? blank : longRow(0) }
  }
  const fault = faultOf(first)
  if (fault !== undefined) return { unreadable: fault }
  const hasHeader = !first.cells.some(isAddress)
  if (hasHeader && isWhole && records.length === 1) {
    return {
      unreadable: 'It has a line of headings, and no rows below. Add a line for each person.',
    }
  }
  const columns = hasHeader ? namesOf(first.cells) : first.cells.map((_, i) => `Column ${i + 1}`)
  const profiles = columns.map(emptyProfile)
  for (const { cells, fault: misquote } of hasHeader ? records.slice(1) : records) {
    if (misquote === undefined) lookAt(profiles, cells)
  }
  const source = hasHeader ? knownSourceOf(columns) : null
  const before = skipped + (hasHeader ? first.end : 0)
  const start = markLength + originalOffsets(bytes, utf8, encoding)(before)
  const layout = { encoding, delimiter, columns, hasHeader, start, known: source }
  // More bytes would change nothing, because no more records are looked at.
  const isSure = read.length === recordsGuessedFrom
  return { layout, targets: guessFor(kind, columns, { profiles, source }), isSure }
}

function isAddress(cell: string): boolean {
  if (cell.length > longestAddress) return false
  return !isRefusal(normaliseEmail(cell)) || isSha256(cell)
}

/** A target for each column, by what the file holds. */
export function guessFor(
  kind: ImportKind,
  columns: readonly string[],
  { profiles, source }: { profiles: readonly ColumnProfile[]; source: KnownSource | null },
): (string | null)[] {
  return kind === 'suppressions'
    ? guessSuppressionTargets(columns, profiles)
    : guessTargets(columns, profiles, source)
}

function faultOf(first: CsvRecord): string | undefined {
  if (first.fault === 'CSV_MAX_RECORD_SIZE' || first.end > longestRecord) return longRow(0)
  if (first.fault === 'CSV_QUOTE_NOT_CLOSED') {
    return 'A quotation mark in its first line is never closed. Close it, or leave it out.'
  }
  if (first.fault !== undefined) {
    return 'Its first line has a quotation mark in the wrong place. Within quotes it is written twice.'
  }
  if (first.cells.length <= mostColumns) return undefined
  return `It has ${first.cells.length} columns; the limit is ${mostColumns}. Leave out those that you do not need.`
}

const blank =
  'It begins with blank lines, and nothing follows. Upload a file with a line for each person.'

/** Chooses the delimiter that gives the most lines as many cells as the first line has. */
function chooseDelimiter(text: Buffer, isWhole: boolean): string {
  const scores = delimiters.map((delimiter) => {
    const { records } = readRecords(text, { delimiter, isLast: isWhole, limit: recordsTried })
    const cells = records[0]?.cells.length ?? 0
    const alike = records.filter(
      (record) => record.cells.length === cells && record.fault === undefined,
    )
    return cells < 2 ? 0 : alike.length * Math.min(cells, 10)
  })
  const best = Math.max(...scores)
  return best === 0 ? ',' : (delimiters[scores.indexOf(best)] ?? ',')
}

/** Columns of the same name get a number to distinguish them. */
function namesOf(cells: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return cells.map((cell, i) => {
    const name = cell.trim().slice(0, 200) || `Column ${i + 1}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}
