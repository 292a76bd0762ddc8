/**
 * Reads the records of a piece of a CSV file, with the byte at which each record ends, so that a
 * later read can start there. A record with invalid quotes costs only its first line: reading
 * continues with the next line.
 */

import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loaded with the first file, because the source has 70 kB that an idle service does not need. */
const csvParser = () => require('csv-parse/sync') as typeof import('csv-parse/sync')

/** The most bytes of one record, enough for over 100 attributes of 4,000 characters each. */
export const longestRecord = 1024 * 1024

export interface CsvRecord {
  /** The whole line as one cell if `fault` says why it cannot be split into records. */
  cells: string[]
  fault?: string
  /** The offset in the piece at which this record ends, in bytes. */
  end: number
}

export interface Piece {
  records: CsvRecord[]
  /** The number of bytes read. The bytes after them belong to a record that is still incomplete. */
  consumed: number
}

interface Reading {
  delimiter: string
  /** Whether the file ends with these bytes. */
  isLast: boolean
  /** The most records to read. */
  most?: number
}

/** `bytes` must be UTF-8 and begin at the start of a record. */
export function readRecords(bytes: Buffer, { delimiter, isLast, most = Infinity }: Reading): Piece {
  const records: CsvRecord[] = []
  let at = 0
  while (at < bytes.length && records.length < most) {
    const fault = parseFrom(bytes, at, { delimiter, records, most })
    at = records.at(-1)?.end ?? at
    if (fault === undefined) break
    const isOpen = fault === 'CSV_QUOTE_NOT_CLOSED' && bytes.length - at < longestRecord
    if (isOpen && !isLast) break
    const end = endOfLine(bytes, at)
    const cells = [bytes.toString('utf8', at, end).replace(endOfLines, '')]
    records.push({ cells, fault, end })
    at = end
  }
  const isWhole = records.length < most
  if (isLast && isWhole) return { records, consumed: bytes.length }
  if (isWhole) takeBackUnended(bytes, records)
  // Blank lines are not records, and are skipped.
  const nothing = records.length === 0 && isBlank(bytes) ? bytes.length : 0
  return { records, consumed: records.at(-1)?.end ?? nothing }
}

/** Adds the readable records to `records`. Returns the code of the fault that stopped it. */
function parseFrom(
  bytes: Buffer,
  start: number,
  { delimiter, records, most }: { delimiter: string; records: CsvRecord[]; most: number },
): string | undefined {
  try {
    csvParser().parse(bytes.subarray(start), {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: longestRecord,
      ...(most < Infinity && { to: most - records.length }),
      on_record(cells: string[], { bytes: read }) {
        records.push({ cells, end: start + read })
        return null
      },
    })
    return undefined
  } catch (error) {
    if (error instanceof csvParser().CsvError) return error.code
    throw error
  }
}

/** Removes the last record if no end of line followed it, because more of it may still arrive. */
function takeBackUnended(bytes: Buffer, records: CsvRecord[]): void {
  const last = records.at(-1)
  if (last && last.end >= bytes.length && bytes.at(-1) !== newline) records.pop()
}

const endOfLines = /[\r\n]{1,2}$/
export const newline = 10
export const carriageReturn = 13

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(newline, from)
  if (end !== -1) return end + 1
  const other = bytes.indexOf(carriageReturn, from)
  return other === -1 ? bytes.length : other + 1
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === newline || byte === carriageReturn)
}
