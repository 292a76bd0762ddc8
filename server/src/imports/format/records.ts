/**
 * Reads the records of a piece of a CSV file, with the byte at which each record ends, so that a
 * later read can start there. A record with invalid quotes costs only its first line: reading
 * continues with the next line.
 */

import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Loaded with the first file, because the source has 70 kB that an idle service does not need. */
const csvParser = () => require('csv-parse') as typeof import('csv-parse')

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
  limit?: number
}

/** `bytes` must be UTF-8 and begin at the start of a record. */
export function readRecords(
  bytes: Buffer,
  { delimiter, isLast, limit = Infinity }: Reading,
): Piece {
  const records: CsvRecord[] = []
  let at = 0
  while (at < bytes.length && records.length < limit) {
    const fault = parseFrom(bytes, at, { delimiter, records, limit })
    at = records.at(-1)?.end ?? at
    if (fault === undefined) break
    const isOpen = fault === 'CSV_QUOTE_NOT_CLOSED' && bytes.length - at < longestRecord
    if (isOpen && !isLast) break
    const end = endOfLine(bytes, at)
    const line = bytes.toString('utf8', at, end).replace(endOfLines, '')
    const mended = fault === misplacedQuote ? cellsOfMended(line, delimiter) : undefined
    records.push(mended ? { cells: mended, end } : { cells: [line], fault, end })
    at = end
  }
  const isWhole = records.length < limit
  if (isLast && isWhole) return { records, consumed: bytes.length }
  if (!isLast) takeBackUnended(bytes, records)
  // Blank lines are not records, and are skipped.
  const nothing = records.length === 0 && isBlank(bytes) ? bytes.length : 0
  return { records, consumed: records.at(-1)?.end ?? nothing }
}

const misplacedQuote = 'INVALID_OPENING_QUOTE'

/**
 * The cells of a line that has `="00123"` without quotes around it, as other services and people
 * write what a spreadsheet must keep as text. Undefined if the line is wrong in another way.
 */
function cellsOfMended(line: string, delimiter: string): string[] | undefined {
  const mended = withQuotedFormulas(line, delimiter)
  if (mended === undefined) return undefined
  const records: CsvRecord[] = []
  const fault = parseFrom(Buffer.from(mended), 0, { delimiter, records, limit: 1 })
  return fault === undefined ? records[0]?.cells : undefined
}

/** The line with quotes around each cell `="…"`; undefined if it has none. */
function withQuotedFormulas(line: string, delimiter: string): string | undefined {
  let text = ''
  let isChanged = false
  for (let at = 0; at <= line.length; ) {
    const isFormula = line.startsWith('="', at)
    const opening = isFormula ? at + 1 : at
    const end = line[opening] === '"' ? afterQuotes(line, opening) : endOfCell(line, at, delimiter)
    const cell = line.slice(at, end)
    const isWhole = end === line.length || line.startsWith(delimiter, end)
    if (isFormula && isWhole && cell.endsWith('"') && cell.length > 2) {
      text += `"${cell.replaceAll('"', '""')}"`
      isChanged = true
    } else text += cell
    if (end >= line.length) break
    const next = isWhole ? delimiter : ''
    // What follows a quotation mark that was closed too early is left to the parser.
    text += next || line.slice(end)
    if (!isWhole) break
    at = end + next.length
  }
  return isChanged ? text : undefined
}

/** The place after the quotation mark that closes the one at `opening`. */
function afterQuotes(line: string, opening: number): number {
  for (let at = line.indexOf('"', opening + 1); at !== -1; at = line.indexOf('"', at + 2)) {
    if (line[at + 1] !== '"') return at + 1
  }
  return line.length
}

function endOfCell(line: string, from: number, delimiter: string): number {
  const end = line.indexOf(delimiter, from)
  return end === -1 ? line.length : end
}

/** Adds the readable records to `records`. Returns the code of the fault that stopped it. */
function parseFrom(
  bytes: Buffer,
  start: number,
  { delimiter, records, limit }: { delimiter: string; records: CsvRecord[]; limit: number },
): string | undefined {
  const parse = parsers.get(delimiter) ?? createParser(delimiter)
  parsers.set(delimiter, parse)
  const to = limit < Infinity ? limit - records.length : -1
  return parse(bytes.subarray(start), to, (cells, read) => {
    records.push({ cells, end: start + read })
  })
}

type Parse = (
  bytes: Buffer,
  to: number,
  onRecord: (cells: string[], read: number) => void,
) => string | undefined

/** By delimiter, of which there are few (layout.ts). */
const parsers = new Map<string, Parse>()

/** The parts of csv-parse's parser that are used here, which its types lack. */
interface ParserParts {
  api: {
    parse(bytes: Buffer, isLast: boolean, push: () => void, close: () => void): Error | undefined
  }
  state: { field: { size: number; reset(): void }; record: string[] }
  options: { to: number }
  info: object
}

/** A longer cell leaves so much room in the parser that it is not kept. */
const mostRoom = 64 * 1024

/**
 * A parser that is used for one piece after another. The package makes all functions of a parser
 * anew, and V8 compiles and optimises those of each again: for pieces of 128 kB this took more time
 * than the reading.
 */
function createParser(delimiter: string): Parse {
  let take: Parameters<Parse>[2] = () => {}
  const parser = new (csvParser().Parser)({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: longestRecord,
    on_record(cells: string[], { bytes: read }) {
      take(cells, read)
      return null
    },
  }) as unknown as ParserParts
  const { api, state, options, info } = parser
  const [newState, newInfo] = [{ ...state }, { ...info }]
  return (bytes, to, onRecord) => {
    take = onRecord
    Object.assign(state, newState, { record: [] })
    Object.assign(info, newInfo)
    state.field.reset()
    options.to = to
    const nothing = () => {}
    try {
      const error = api.parse(bytes, true, nothing, nothing)
      if (error === undefined) return undefined
      if (error instanceof csvParser().CsvError) return error.code
      throw error
    } finally {
      take = nothing
      if (state.field.size > mostRoom) parsers.delete(delimiter)
    }
  }
}

/** A row of separators alone: Excel saves rows that were used once in this way. */
export function isBlankRecord({ cells, fault }: CsvRecord): boolean {
  return fault === undefined && cells.every((cell) => cell.trim() === '')
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
