/**
 * The bytes of a CSV file: how they encode text, its records, and how long its lines are.
 *
 * Files are of three kinds: those that begin with a byte-order mark, those that are valid UTF-8 from
 * the first byte to the last, and all others. The last kind is assumed to be windows-1252, and the
 * uploader has to confirm that or name another encoding.
 */

import { createRequire } from 'node:module'

/** What a file may be in that neither has a mark nor is UTF-8, by the names of the WHATWG standard. */
export const olderEncodings = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-13',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'shift_jis',
  'gbk',
  'big5',
  'euc-kr',
] as const
type OlderEncoding = (typeof olderEncodings)[number]
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | OlderEncoding

export const isOlderEncoding = (name: string): name is OlderEncoding =>
  olderEncodings.some((encoding) => encoding === name)

const marks: readonly { encoding: Encoding; bytes: readonly number[] }[] = [
  { encoding: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
]

/** The encoding that a byte-order mark at the beginning declares, and the length of the mark. */
export function markOf(start: Uint8Array): { encoding: Encoding; length: number } | undefined {
  const mark = marks.find(({ bytes }) => bytes.every((byte, i) => start[i] === byte))
  return mark && { encoding: mark.encoding, length: mark.bytes.length }
}

/** Whether each character has two bytes or four, of which many are NUL. */
export const isUtf16 = (encoding: Encoding): boolean => encoding.startsWith('utf-16')

/** Their characters have one byte, two or more. */
const multibyte: readonly Encoding[] = ['shift_jis', 'gbk', 'big5', 'euc-kr']

/** Converts the text to UTF-8, because the parser reads nothing else. */
export function toUtf8(bytes: Uint8Array, encoding: Encoding): Buffer {
  const own = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (encoding === 'utf-8') return own
  const text = isLatin1(own, encoding)
    ? own.toString('latin1')
    : new TextDecoder(encoding, { ignoreBOM: true }).decode(own)
  // PostgreSQL stores no NUL in a text. A file of a one-byte encoding with a NUL was refused.
  return Buffer.from(text.replaceAll('\0', '\ufffd'))
}

/**
 * Whether the text is the same in ISO 8859-1, which Node decodes several times as fast: the two
 * differ at 32 bytes alone.
 */
function isLatin1(bytes: Buffer, encoding: Encoding): boolean {
  if (encoding !== 'windows-1252') return false
  for (const byte of bytes) if (byte >= 0x80 && byte <= 0x9f) return false
  return true
}

/**
 * The offset in the original bytes of each offset in their UTF-8 at which a record ends. The offsets
 * must rise: each is counted from the one before it.
 */
export function originalOffsets(
  bytes: Uint8Array,
  utf8: Buffer,
  encoding: Encoding,
): (offset: number) => number {
  if (encoding === 'utf-8') return (offset) => offset
  const step = multibyte.includes(encoding) ? lineBreaks(bytes, utf8) : codeUnits(utf8, encoding)
  let [from, at] = [0, 0]
  return (offset) => {
    at = step(from, offset, at)
    from = offset
    return at
  }
}

type Step = (from: number, to: number, at: number) => number

function codeUnits(utf8: Buffer, encoding: Encoding): Step {
  const width = isUtf16(encoding) ? 2 : 1
  return (from, to, at) => {
    let units = 0
    for (let index = from; index < to; index++) {
      const byte = utf8[index] ?? 0
      // Each character has one byte that does not continue it, and two units if it has four bytes.
      if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
    }
    return at + units * width
  }
}

/**
 * A record ends at a line break, which is one byte in every encoding and never a part of another
 * character. How many bytes a wrong character had cannot be told from its replacement.
 */
function lineBreaks(bytes: Uint8Array, utf8: Buffer): Step {
  return (from, to, start) => {
    if (to === utf8.length) return bytes.length
    let breaks = 0
    for (let index = from; index < to; index++) if (isBreak(utf8[index])) breaks++
    let at = start
    for (; breaks > 0; at++) if (isBreak(bytes[at])) breaks--
    return at
  }
}

const isBreak = (byte: number | undefined) => byte === 0x0a || byte === 0x0d

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

interface Piece {
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

const quote = 34

/**
 * Returns a function that takes the bytes of a record in order, and tells of each piece whether it
 * has a line break outside of quotes. A quote within quotes is written twice, which leaves them
 * open. Where the quotes are wrong, the answer may be wrong too.
 */
export function recordEnds(): (bytes: Uint8Array) => boolean {
  let isQuoted = false
  return (bytes) => {
    let ends = false
    for (const byte of bytes) {
      if (byte === quote) isQuoted = !isQuoted
      else if (!isQuoted && (byte === newline || byte === carriageReturn)) ends = true
    }
    return ends
  }
}

interface LineMeter {
  /** Returns the length of the longest line that ends in this chunk or is still open after it. */
  take(chunk: Uint8Array): number
  /** The offset at which the line begins that the last call measured. */
  startOfLine(): number
}

/** Lines within one chunk are not measured: chunks are smaller than the length that matters. */
export function lineMeter(): LineMeter {
  let [read, lineStart, measuredStart] = [0, 0, 0]
  return {
    take(chunk) {
      const first = firstBreak(chunk)
      const ended = (first === -1 ? read + chunk.length : read + first) - lineStart
      measuredStart = lineStart
      if (first !== -1) lineStart = read + lastBreak(chunk) + 1
      read += chunk.length
      return ended
    },
    startOfLine: () => measuredStart,
  }
}

function firstBreak(chunk: Uint8Array): number {
  const end = chunk.indexOf(newline)
  return end === -1 ? chunk.indexOf(carriageReturn) : end
}

function lastBreak(chunk: Uint8Array): number {
  const end = chunk.lastIndexOf(newline)
  return end === -1 ? chunk.lastIndexOf(carriageReturn) : end
}

/** Why a file with such a row is refused. */
export function longRow(at: number): string {
  const which = at === 0 ? 'Its first line' : `The row that begins at byte ${at}`
  return `${which} is longer than 1 MB. A CSV file has a line for each person, and each line ends with a line break.`
}
