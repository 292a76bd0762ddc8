/**
 * The records of a piece of a CSV file, with the byte at which each ends, so that whoever reads
 * on later can begin there. A record that breaks the rules of quotes costs its first line and
 * nothing else: reading goes on with the line after it.
 */

import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Read when the first file is: 70 kB of source that an idle service does not need. */
const csvParser = () => require('csv-parse/sync') as typeof import('csv-parse/sync')

/** Bytes of one record at most: 100 attributes of 4,000 characters and more fit. */
export const longestRecord = 1024 * 1024

export interface CsvRecord {
  /** One text for the whole line, where `fault` says why it cannot be split into records. */
  cells: string[]
  fault?: string
  /** Bytes of the piece, from its beginning to the end of this record. */
  end: number
}

export interface Piece {
  records: CsvRecord[]
  /** Bytes that were read: what follows belongs to a record that has not come as a whole. */
  consumed: number
}

interface Reading {
  delimiter: string
  /** Nothing comes after these bytes. */
  isLast: boolean
  /** Records to read at most. */
  most?: number
}

/** `bytes` is UTF-8, and begins where a record does. */
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
  // Lines without anything in them are no records, and are passed over.
  const nothing = records.length === 0 && isBlank(bytes) ? bytes.length : 0
  return { records, consumed: records.at(-1)?.end ?? nothing }
}

/** Adds what can be read to `records`; gives the code of the fault that it stopped at. */
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

/** The last record may go on in what has not come yet, where no end of a line was seen. */
function takeBackUnended(bytes: Buffer, records: CsvRecord[]): void {
  const last = records.at(-1)
  if (last && last.end >= bytes.length && bytes.at(-1) !== newline) records.pop()
}

const endOfLines = /[\r\n]{1,2}$/
const newline = 10
const carriageReturn = 13

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(newline, from)
  if (end !== -1) return end + 1
  const other = bytes.indexOf(carriageReturn, from)
  return other === -1 ? bytes.length : other + 1
}

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === newline || byte === carriageReturn)
}
