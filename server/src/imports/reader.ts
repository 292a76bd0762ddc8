/**
 * Reads files piece by piece, in short steps between which other work runs. A thread, which
 * businesses share evenly, reads what is too long for a step (decision 0035).
 */

import { setImmediate as turnOfLoop } from 'node:timers/promises'
import type { ConsentSubject, Person } from '../contacts/contact.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Files } from '../files/files.ts'
import { createThread, isStopped } from '../lib/threads/thread.ts'
import { type LeftOutCell, type RowFault, wordsOf } from './cells.ts'
import { type ColumnProfile, emptyProfile, lookAt } from './columns.ts'
import {
  isBlankRecord,
  longestRecord,
  originalOffsets,
  readRecords,
  recordEnds,
  toUtf8,
} from './csv.ts'
import { type Beginning, beginnings, findLayout, type LayoutFound } from './layout.ts'
import { rowReader } from './person-of.ts'
import type { Plan } from './plan.ts'
import { type SuppressionRow, suppressionReader } from './suppression-rows.ts'

/** What is asked of the thread, or answered here where it is short. */
export type Question = { layout: Beginning } | { rows: RowsWanted } | { rawRows: RawRows }
export type Answer = LayoutFound | Rows | string[][]

/** Consecutive rows of a file. */
export interface Window extends Rows {
  /** The offset in the file at which the window begins, in bytes. */
  at: number
  /** The window's bytes, for rows that have to be shown unchanged. */
  bytes: Buffer
}

interface WindowsRequest {
  plan: Plan
  from: number
  /** Whether only the addresses of people are returned. */
  addressesAlone?: boolean
  withProfiles?: boolean
  /** The number of rows of the first window to return with their cells. */
  withCells?: number
  /** The number of cells with letters beyond ASCII to return for each window. */
  withDoubtful?: number
  /** Awaited between two steps of the reading; by default other work gets a turn. */
  pause?: () => Promise<void>
  /** Receives all bytes that are read, in order. */
  onBytes?: (bytes: Uint8Array) => void
}

export interface FileReader {
  layoutOf(
    file: StoredFile,
    format: Pick<Beginning, 'encoding' | 'markLength' | 'kind'>,
  ): Promise<LayoutFound>
  /** Reads from a byte to the end. The next window is read while the caller processes this one. */
  windows(file: StoredFile, request: WindowsRequest): AsyncGenerator<Window>
  /** Splits single rows, given as they were in a file, into their cells. */
  cellsOf(businessId: Id<'business'>, rows: RawRows): Promise<string[][]>
  close(): Promise<void>
}

/** The file cannot be read: it has an endless row, or needs more time or memory than real files do. */
export class TooHard extends Error {
  override name = 'TooHard'
  /** The byte at which the endless row begins, if that is the reason. */
  readonly endlessRow: number | undefined

  constructor(endlessRow?: number) {
    super()
    this.endlessRow = endlessRow
  }
}

/** Bytes of some 250 rows, which are saved in one transaction. */
const windowBytes = 64 * 1024
/** A record of which more than this is read and whose end is not found is endless. */
const mostAhead = longestRecord + 2 * windowBytes
/** The most bytes of a question that is answered without the thread: some 20 ms, whatever they hold. */
const mostHere = 128 * 1024
const deadlineMs = 20_000
const heapMb = 96

export function createFileReader(files: Files): FileReader {
  const thread = createThread<Question, Answer>({
    module: new URL('./thread/main.ts', import.meta.url),
    heapMb,
    mostWaiting: { each: 8, all: 200 },
  })

  const ask = async <T extends Answer>(
    tenant: string,
    question: Question,
    pause: () => Promise<void> = turnOfLoop,
  ): Promise<T> => {
    if (sizeOf(question) <= mostHere) return (await answerHere(question, pause)) as T
    const answer = await thread.ask(question, { tenant, deadlineMs })
    if (!isStopped(answer)) return answer as T
    if (answer.stopped === 'deadline' || answer.stopped === 'memory') throw new TooHard()
    throw new Error(`no thread reads the file: ${answer.stopped}`)
  }

  async function* windows(file: StoredFile, request: WindowsRequest): AsyncGenerator<Window> {
    const { plan, from, addressesAlone = false, withProfiles = false } = request
    const { withDoubtful = 0, onBytes } = request
    let { withCells = 0 } = request
    const source = piecesOf(files.read(file.name, from), onBytes)
    let at = from
    let rest: Buffer = Buffer.alloc(0)
    let least = windowBytes
    let endsIn: ReturnType<typeof recordEnds> | undefined
    const next = async (): Promise<Window | undefined> => {
      for (;;) {
        const { bytes, isLast } = await source.fill(rest, least)
        if (bytes.length === 0) return undefined
        // A long record is parsed once its end has arrived, not again with each piece of it.
        const isOpenStill = endsIn !== undefined && !endsIn(bytes.subarray(rest.length))
        if (isOpenStill && !isLast && bytes.length <= mostAhead) {
          rest = bytes
          least += windowBytes
          continue
        }
        const extent = { plan, addressesAlone, withProfiles, withCells, withDoubtful }
        const question = { ...extent, bytes, isLast }
        const rows = await ask<Rows>(file.businessId, { rows: question }, request.pause)
        const window = { ...rows, at, bytes: bytes.subarray(0, rows.consumed) }
        at += rows.consumed
        rest = bytes.subarray(rows.consumed)
        least = windowBytes
        if (rows.consumed > 0) endsIn = undefined
        else {
          // The record is incomplete, so more of the file is read at once.
          least += bytes.length
          if (!endsIn) {
            endsIn = recordEnds()
            endsIn(bytes)
          }
        }
        if (rows.consumed === 0 && bytes.length > mostAhead) {
          throw new TooHard(at)
        }
        withCells = Math.max(0, withCells - rows.rows.length)
        if (rows.consumed > 0) return window
      }
    }
    let ahead = next()
    try {
      for (;;) {
        const window = await ahead
        if (!window) return
        ahead = next()
        // If the caller stops early, an error of the window read ahead goes unreported.
        ahead.catch(() => undefined)
        yield window
      }
    } finally {
      await ahead.catch(() => undefined)
      await source.close()
    }
  }

  return {
    windows,
    async layoutOf(file, { encoding, markLength, kind }) {
      const source = piecesOf(files.read(file.name, markLength))
      try {
        let rest: Buffer = Buffer.alloc(0)
        for (const size of beginnings) {
          const { bytes, isLast } = await source.fill(rest, size)
          const isWhole = isLast && bytes.length <= size
          const beginning = { bytes: bytes.subarray(0, size), encoding, markLength, kind, isWhole }
          const layout = await ask<LayoutFound>(file.businessId, { layout: beginning })
          const isEnough = isWhole || ('isSure' in layout && layout.isSure)
          if (isEnough || size === beginnings.at(-1)) return layout
          rest = bytes
        }
        throw new Error('a file has no beginning')
      } finally {
        await source.close()
      }
    },
    cellsOf: (businessId, rawRows) => ask<string[][]>(businessId, { rawRows }),
    close: () => thread.close(),
  }
}

function sizeOf(question: Question): number {
  if ('rows' in question) return question.rows.bytes.length
  if ('layout' in question) return question.layout.bytes.length
  return question.rawRows.texts.reduce((sum, { length }) => sum + length, 0)
}

async function answerHere(question: Question, pause: () => Promise<void>): Promise<Answer> {
  await pause()
  if ('layout' in question) return findLayout(question.layout)
  if ('rawRows' in question) return splitRows(question.rawRows)
  const steps = readInSteps(question.rows)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pause()
  }
}

/** The raw text of a row, as UTF-8. */
export function rawTextOf({ bytes }: Window, { start, end }: FileRow, { encoding }: Plan): string {
  const raw = bytes.subarray(start, end)
  return new TextDecoder(encoding).decode(raw).replaceAll('\0', '\ufffd')
}

function piecesOf(stream: AsyncIterable<Uint8Array>, onBytes?: (bytes: Uint8Array) => void) {
  const source = stream[Symbol.asyncIterator]()
  let isOver = false
  let spare: Uint8Array = new Uint8Array()
  const next = async (): Promise<Uint8Array | undefined> => {
    const { value, done } = await source.next()
    if (done) isOver = true
    else onBytes?.(value)
    return value
  }
  return {
    /** Returns so many bytes including `rest`, or all that are left if there are fewer. */
    async fill(rest: Buffer, size: number): Promise<{ bytes: Buffer; isLast: boolean }> {
      const pieces: Uint8Array[] = [rest]
      for (let length = rest.length; length < size; ) {
        if (spare.length === 0) spare = (await next()) ?? spare
        if (isOver && spare.length === 0) break
        const piece = spare.subarray(0, size - length)
        spare = spare.subarray(piece.length)
        pieces.push(piece)
        length += piece.length
      }
      return { bytes: Buffer.concat(pieces), isLast: isOver && spare.length === 0 }
    },
    async close() {
      await source.return?.()
    },
  }
}

export interface StoredFile {
  businessId: Id<'business'>
  /** The name under which `Files` stores it. */
  name: string
}

export interface Pause {
  /** Lasts until `work` has ended. */
  during<T>(work: () => Promise<T>): Promise<T>
  /** Resolves in a later turn of the loop, and not during a pause. */
  pass(): Promise<void>
}

export function createPause(): Pause {
  let ended: Promise<void> | undefined
  return {
    async during(work) {
      const own = Promise.withResolvers<void>()
      ended = own.promise
      try {
        return await work()
      } finally {
        ended = undefined
        own.resolve()
      }
    },
    async pass() {
      await turnOfLoop()
      while (ended) await ended
    },
  }
}

export interface FileRow {
  /** The row's first and last byte, as offsets in the piece. */
  start: number
  end: number
  person?: Person
  suppression?: SuppressionRow
  /** The addresses of the person or the suppression, if only they were asked for. */
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
