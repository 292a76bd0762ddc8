/**
 * PostgreSQL as the domains use it: SQL written as SQL and sent as named prepared statements
 * (named 1.00, unnamed 0.6, query builders 0.33 to 0.46 of the rate), over a pool of connections.
 * `connection.ts` has what happens on one of them. Columns of rows for `unnest` are at the end.
 */
import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Id } from '../text/uuid.ts'
import {
  inSeries,
  inTraces,
  inTransaction,
  type Loan,
  quoted,
  runAlone,
  runWithin,
  type SharedByPool,
  shareRuns,
  statementsOn,
} from './connection.ts'
import { readIsDistributed } from './distribution.ts'
import { outageOf } from './outage.ts'
import type { Database, Sql } from './types.ts'

/** A statement: values become parameters, never text. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  let statement = prepared.get(strings)
  if (!statement) {
    const text = strings.reduce((all, part, i) => (i === 0 ? part : `${all}$${i}${part}`), '')
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    statement = { name, text }
    prepared.set(strings, statement)
  }
  return { name: statement.name, text: statement.text, values }
}

/**
 * Like `sql`, but a value may be a statement itself: its text is inserted, with its parameters
 * renumbered.
 */
export function sqlWithin(strings: TemplateStringsArray, ...inserts: unknown[]): Sql {
  const values: unknown[] = []
  let text = ''
  for (const [i, string] of strings.entries()) {
    text += string
    if (i === inserts.length) break
    const insert = inserts[i]
    if (isStatement(insert)) {
      text += countedOn(insert, values.length)
      values.push(...insert.values)
    } else {
      values.push(insert)
      text += `$${values.length}`
    }
  }
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  return { name, text, values }
}

/**
 * Joins conditions by `and` or `or`. The statement that contains them must be sent unnamed
 * (`plannedAnew`), because callers can create any number of different ones.
 */
export function joined(conditions: readonly Sql[], word: 'and' | 'or'): Sql {
  const values: unknown[] = []
  const texts = conditions.map((condition) => {
    const text = countedOn(condition, values.length)
    values.push(...condition.values)
    return text
  })
  return { name: '', text: `(${texts.join(` ${word} `)})`, values }
}

/** The statement's text with its parameters renumbered to follow `before` others. */
function countedOn(statement: Sql, before: number): string {
  return statement.text.replace(/\$(\d+)/g, (_, n) => `$${Number(n) + before}`)
}

function isStatement(part: unknown): part is Sql {
  return typeof part === 'object' && part !== null && 'text' in part && 'values' in part
}

const prepared = new WeakMap<TemplateStringsArray, { name: string; text: string }>()

/**
 * A statement that is planned anew until its tables can be expected to have grown. A prepared plan
 * is cached. A plan made while the tables were empty, where any index looks as good as the right
 * one, would read the whole of them until the next analyze.
 */
export function replanned(statement: Sql): Sql {
  return { ...statement, replan: true }
}

/**
 * A statement that is planned anew each time, for sets of rows in a table that may have grown by a
 * million since the last one: next to such a set the planning costs nothing. The statement must
 * find its rows by the key whatever the planner believes about the table, which until the next
 * analyze it may take for one row.
 */
export function plannedAnew(statement: Sql): Sql {
  return { ...statement, name: '' }
}

/** A reading statement that the server cancels after `patienceMs` milliseconds. */
export function within(patienceMs: number, statement: Sql): Sql {
  return { ...statement, patienceMs }
}

/** The server cancelled the statement at its time limit: 57014, `query_canceled`. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}

interface DatabaseOptions {
  /** A `postgres://` URL, or the folder of a unix socket with user and database. */
  connection: pg.ClientConfig
  /** The maximum number of connections; each costs PostgreSQL about 2 MB. */
  poolSize?: number
  /** Milliseconds for which callers wait while the server restarts. The default is 5000. */
  restartPatience?: number
  /** Called for idle connections that broke; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void
}

export function openDatabase(options: DatabaseOptions): Database {
  const poolSize = options.poolSize ?? 10
  const pool = new pg.Pool({
    ...options.connection,
    // Statements that a transaction issues at the same time are sent together.
    pipeline: true,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  })
  pool.on('error', (error) => options.onIdleError?.(error))
  // A listener for the moments when neither pool nor borrower listens, because a connection that
  // breaks then would end the process. Its next statement reports the error.
  pool.on('connect', (client) => client.on('error', () => {}))
  const shared: SharedByPool = { runs: new Map(), isDistributed: false }
  pool.on('connect', shareRuns(shared))

  const waits: Waits = { seconds: 0 }
  let report = (_error: unknown): void => {}
  const failed = (error: unknown): void => report(error)
  const lender: Lender = { pool, waits, patience: options.restartPatience ?? 5000 }
  const lend = <T>(work: (loan: Loan) => Promise<T>) =>
    retrying({ poolSize, failed }, () => onLoan(lender, work))
  const database: Database = {
    // Not pool.query, which discards a good connection at every unique violation.
    ...statementsOn(
      inTraces((statement) => {
        loans.publish(undefined)
        return lend((loan) =>
          statement.patienceMs === undefined
            ? runAlone(loan, statement)
            : runWithin(loan, statement),
        )
      }),
    ),
    tx: (work, options) => {
      loans.publish(undefined)
      return transactions.runStores({}, () => lend((loan) => inTransaction(loan, work, options)))
    },
    series: (body) => {
      loans.publish(undefined)
      return transactions.runStores({}, () =>
        onLoan(lender, (loan) => inSeries(loan, body)).catch((error: unknown) => {
          failed(error)
          throw error
        }),
      )
    },
    onError: (listener) => {
      report = listener
    },
    poolUse: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      waitedSeconds: waits.seconds,
    }),
    isDistributed: () => shared.isDistributed,
    async findNodes() {
      shared.isDistributed = await readIsDistributed(database)
      return shared.isDistributed
    },
    end: () => pool.end(),
  }
  return database
}

/**
 * Channels that report requests for a connection, and transactions that hold one. A transaction
 * that asks for a second connection may wait for others that do the same until all of them give
 * up: tests listen on both channels and fail where that happens.
 */
const loans = channel('crier.db.loan')
const transactions = channel('crier.db.transaction')

interface Retrying {
  poolSize: number
  failed: (error: unknown) => void
}

const retries = 5

async function retrying<T>({ poolSize, failed }: Retrying, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      // Every connection of the pool may hold the stale plan; each is retried once.
      if (isStalePlan(error) && attempt <= poolSize) continue
      if (!isConflict(error) || attempt > retries) {
        failed(error)
        throw error
      }
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/** Serialisation failure or deadlock: PostgreSQL has rolled back and asks for another try. */
function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['40001', '40P01'].includes(error.code ?? '')
}

/**
 * A migration by another node changed what a prepared statement returns; the statement did not
 * run.
 */
function isStalePlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '0A000' &&
    error.routine === 'RevalidateCachedQuery'
  )
}

interface Lender {
  pool: pg.Pool
  waits: Waits
  /** Milliseconds for which callers wait while the server restarts. */
  patience: number
}

interface Waits {
  seconds: number
}

async function onLoan<T>(lender: Lender, work: (loan: Loan) => Promise<T>): Promise<T> {
  const loan: Loan = { client: await connected(lender), broken: undefined }
  try {
    return await work(loan)
  } catch (error) {
    // A session keeps the default with which it began, and its server may have become a standby.
    if (isStalePlan(error) || outageOf(error) === 'read_only') loan.broken = error as Error
    throw error
  } finally {
    loan.client.release(loan.broken)
  }
}

async function connected({ pool, waits, patience }: Lender): Promise<pg.PoolClient> {
  const hasIdle = pool.idleCount > 0
  const began = performance.now()
  try {
    return await connectedInTime(pool, patience)
  } finally {
    if (!hasIdle) waits.seconds += (performance.now() - began) / 1000
  }
}

async function connectedInTime(pool: pg.Pool, patience: number): Promise<pg.PoolClient> {
  for (const until = Date.now() + patience; ; ) {
    try {
      return await pool.connect()
    } catch (error) {
      // Nothing was sent yet, so trying again is safe.
      if (!isRestarting(error) || Date.now() >= until) throw error
      await sleep(50 + Math.random() * 50)
    }
  }
}

/**
 * Whether the server is about to answer. 57P03: it is starting up. A connection that it had not taken
 * yet when it was killed ends without an answer, which the driver tells without a code.
 */
function isRestarting(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string }
  if (code === undefined) return message === 'Connection terminated unexpectedly'
  return ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P03'].includes(code)
}

/** Short texts, for `text[]`. */
export function texts(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : quoted(value))).join()}}`
}

/** Numbers of any kind. */
export function numbers(values: readonly number[]): string {
  return `{${values.join()}}`
}

/**
 * Texts of any length, such as JSON, for `text[]` only. This form is binary: the server copies long
 * texts and ids instead of parsing them character by character (a text of 600 in 3 µs, an id in half
 * of one). The driver would check the type of each value. A set of rows as one JSON text costs the
 * server half as much again, because it parses it twice.
 */
export function longTexts(values: readonly (string | null)[]): Buffer {
  let bytes = 0
  // Counted: three bytes for each character would be room for most texts three times over.
  for (const value of values) bytes += 4 + (value === null ? 0 : Buffer.byteLength(value))
  const array = openArray(textType, values.length, bytes)
  let at = header
  for (const value of values) {
    const length = value === null ? -1 : array.write(value, at + 4)
    array.writeInt32BE(length, at)
    at += 4 + Math.max(0, length)
  }
  return array
}

/** Bytes, for `bytea[]`. */
export function byteStrings(values: readonly (Uint8Array | null)[]): Buffer {
  let bytes = 0
  for (const value of values) bytes += 4 + (value?.length ?? 0)
  const array = openArray(byteaType, values.length, bytes)
  let at = header
  for (const value of values) {
    array.writeInt32BE(value === null ? -1 : value.length, at)
    at += 4
    if (value === null) continue
    array.set(value, at)
    at += value.length
  }
  return array
}

/** Ids, for `uuid[]`. */
export function ids(values: readonly (Id<string> | null)[]): Buffer {
  const array = openArray(uuidType, values.length, values.length * 20)
  let at = header
  for (const value of values) {
    array.writeInt32BE(value === null ? -1 : 16, at)
    at += 4
    if (value === null) continue
    writeUuid(array, at, value)
    at += 16
  }
  return array.subarray(0, at)
}

const byteaType = 17
const textType = 25
const uuidType = 2950
/** The bytes of the header before the first value. */
const header = 20

/** Begins an array with one dimension that starts at 1 and may contain nulls. */
function openArray(type: number, length: number, bytes: number): Buffer {
  const array = Buffer.allocUnsafe(header + bytes)
  array.writeInt32BE(1, 0)
  array.writeInt32BE(1, 4)
  array.writeInt32BE(type, 8)
  array.writeInt32BE(length, 12)
  array.writeInt32BE(1, 16)
  return array
}

function writeUuid(array: Buffer, at: number, id: string): void {
  const digits = id.replaceAll('-', '')
  const isUuid = digits.length === 32 && array.write(digits, at, 'hex') === 16
  if (!isUuid) throw new TypeError('an id is no uuid')
}

/** Fewer rows than this count as a page of the usual size, regardless of their content. */
const fewRows = 50
const sampled = 5

/** Bytes of JSON, extrapolated from a few rows at even distances. */
export function bytesOfRows(rows: readonly unknown[]): number {
  if (rows.length < fewRows) return 0
  let bytes = 0
  for (let n = 0; n < sampled; n++) {
    bytes += JSON.stringify(rows[Math.floor((rows.length * n) / sampled)]).length
  }
  return (bytes / sampled) * rows.length
}
