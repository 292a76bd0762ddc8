/**
 * PostgreSQL as the domains use it: SQL written as SQL and sent as named prepared statements
 * (named 1.00, unnamed 0.6, query builders 0.33 to 0.46 of the rate).
 */

import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { followed, isFollowed } from '../observing/observed.ts'
import { isRefusal } from '../schema/refusal.ts'
import { bindMessage } from './bind-message.ts'
import { isOfServer, outageOf } from './outage.ts'
import type { Answer, BeginNext, Database, Db, Sql, Tx, TxOptions } from './types.ts'
import { type Field, type RowReader, rowReader } from './values.ts'

const prepared = new WeakMap<TemplateStringsArray, { name: string; text: string }>()

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

/**
 * Channels that report requests for a connection, and transactions that hold one. A transaction
 * that asks for a second connection may wait for others that do the same until all of them give
 * up: tests listen on both channels and fail where that happens.
 */
const loans = channel('crier.db.loan')
const transactions = channel('crier.db.transaction')

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
  pool.on('connect', runCounter())

  const waits: Waits = { seconds: 0 }
  let hear = (_error: unknown): void => {}
  const failed = (error: unknown): void => hear(error)
  const lender: Lender = { pool, waits, patience: options.restartPatience ?? 5000 }
  const lend = <T>(work: (loan: Loan) => Promise<T>) =>
    retrying({ poolSize, failed }, () => onLoan(lender, work))
  return {
    // Not pool.query, which discards a good connection at every unique violation.
    ...statementsOn(
      inTraces((statement) => {
        loans.publish(undefined)
        return lend((loan) =>
          statement.patienceMs === undefined ? alone(loan, statement) : limited(loan, statement),
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
      hear = listener
    },
    poolUse: () => ({
      busy: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      waitedSeconds: waits.seconds,
    }),
    end: () => pool.end(),
  }
}

interface Waits {
  seconds: number
}

interface Lender {
  pool: pg.Pool
  waits: Waits
  /** Milliseconds for which callers wait while the server restarts. */
  patience: number
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

/**
 * In megabytes. With the server's default of 4, PostgreSQL looks up a set of 200,000 contacts one
 * by one, which doubles the time for a million contacts.
 */
const roomForSets = 32

async function limited(loan: Loan, statement: Sql): Promise<Answer> {
  const options = { statementMs: statement.patienceMs ?? 0, workMegabytes: roomForSets }
  const rows = await inTransaction(loan, (tx) => tx.all(statement), options)
  return { command: 'SELECT', rowCount: rows.length, rows }
}

async function alone(loan: Loan, statement: Sql): Promise<Answer> {
  try {
    return await ask(loan.client, statement)
  } catch (error) {
    // Only an error of the server shows that the session is still usable.
    if (!isOfServer(error)) loan.broken ??= error as Error
    throw error
  }
}

const retries = 5

interface Retrying {
  poolSize: number
  failed: (error: unknown) => void
}

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

async function connected({ pool, waits, patience }: Lender): Promise<pg.PoolClient> {
  const hasIdle = pool.idleCount > 0
  const began = performance.now()
  try {
    return await connectedInTime(pool, patience)
  } finally {
    if (!hasIdle) waits.seconds += (performance.now() - began) / 1000
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

/** Transactions on one connection, each of which begins while the one before it commits. */

async function inSeries<T>(loan: Loan, body: (begin: BeginNext) => Promise<T>): Promise<T> {
  let last: Promise<unknown> | undefined
  try {
    return await body((work) => {
      const sent = Promise.withResolvers<void>()
      const committed = inTransaction(loan, once(work), { onSent: sent.resolve })
      committed.catch(sent.reject)
      // The caller may have thrown before it waits for them.
      sent.promise.catch(() => {})
      last = committed
      return { sent: sent.promise, committed }
    })
  } finally {
    await last?.catch(() => {})
  }
}

/** Drops the work and the data that it holds as soon as it has begun, and not after its commit. */
function once<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<T> {
  let left: typeof work | undefined = work
  return (tx) => {
    if (!left) throw new Error('a transaction ran twice')
    const own = left
    left = undefined
    return own(tx)
  }
}

/** One transaction on one connection, in as few round trips as its work allows. */

interface Running extends TxOptions {
  /** Called when the commit has been sent. The connection then takes another transaction. */
  onSent?: () => void
}

async function inTransaction<T>(
  loan: Loan,
  work: (tx: Tx) => Promise<T>,
  { onSent, ...options }: Running = {},
): Promise<T> {
  const unanswered: Promise<unknown>[] = []
  const acts: (() => void)[] = []
  const line = openLine(loan.client, options)
  const send = inTraces(line.send)
  const seeing = statementsOn(send)
  const afterCommit = (act: () => void) => void acts.push(act)
  const runPipelined = async (statement: Sql) => {
    const answer = send(statement)
    // The failure is reported at the end. Until then it must not be an unhandled rejection.
    answer.catch(() => {})
    unanswered.push(answer)
    return 0
  }
  const rest = { inTransaction: true, afterCommit } as const
  // Not an accessor, which would turn the object into a dictionary in V8 (40 µs per transaction).
  const pipelined = { ...seeing, run: runPipelined, ...rest } as Mutable<Tx>
  pipelined.pipelined = pipelined
  let endedApart: Promise<Answer> | undefined
  try {
    const result = await work({ ...seeing, ...rest, pipelined })
    await line.begun
    const ending = line.end(isRefusal(result) ? 'rollback' : 'commit', onSent !== undefined)
    if (onSent) endedApart = ending
    onSent?.()
    const { command } = await ending
    await Promise.all(unanswered)
    if (command === 'ROLLBACK' && !isRefusal(result)) {
      throw new Error('nothing was committed: the error of a statement was swallowed')
    }
    if (command === 'COMMIT') for (const act of acts) act()
    return result
  } catch (error) {
    // If the next transaction may have begun, a rollback would be of that one.
    await (endedApart ?? line.end('rollback')).catch((fault: Error) => {
      // A connection that cannot end a transaction is in an unknown state and must never be reused.
      if (!endedApart || !isOfServer(fault)) loan.broken ??= fault
    })
    throw await causeOf(error, unanswered)
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** An error that follows an earlier one says only that the transaction has failed, not why. */
async function causeOf(error: unknown, unanswered: readonly Promise<unknown>[]): Promise<unknown> {
  if (!(error instanceof pg.DatabaseError && error.code === inFailedTransaction)) return error
  const answers = await Promise.allSettled(unanswered)
  return answers.find((answer) => answer.status === 'rejected')?.reason ?? error
}

const inFailedTransaction = '25P02'

/** Prepared like all others, since there are few of them, including those with limits. */
const plain = (text: string): Sql => ({ name: text.toUpperCase(), text, values: [] })

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 0

/** The number of bytes that keep the server busy while the next statement is prepared. */
const large = 64 * 1024

/**
 * Sends statements in the order of the calls. Statements that are called in the same tick are sent
 * together, because each write wakes the server's process, which costs more than most statements.
 * The second group waits for the answer to `begin`, which is sent with the first one, because
 * statements after a failed `begin` would be committed one by one.
 */
function openLine(client: pg.PoolClient, { lockWaitMs, statementMs, workMegabytes }: TxOptions) {
  let state: 'opening' | 'open' | 'failed' = 'opening'
  let closed = false
  let isFirst = true
  let piece: PipelinedStatement[] = []
  let bytes = 0

  const sendOff = (): void => {
    if (piece.length === 0 || (state === 'opening' && !isFirst)) return
    const all = piece
    piece = []
    bytes = 0
    isFirst = false
    sendTogether(client, all)
  }
  const put = (statement: Sql): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (piece.length === 0) process.nextTick(sendOff)
      piece.push({ statement: settled(client, statement), resolve, reject })
      for (const value of statement.values) bytes += sizeOf(value)
      if (bytes > large) sendOff()
    })

  const begun = put(plain('begin')).then(
    () => {
      state = 'open'
      sendOff()
    },
    (error: unknown) => {
      state = 'failed'
      const all = piece
      piece = []
      for (const { reject } of all) reject(error)
      throw error
    },
  )
  // The caller of the statement gets the error, if there is one.
  begun.catch(() => {})
  // If it fails, everything after it fails too.
  const set = (setting: string) => void put(plain(`set local ${setting}`)).catch(() => {})
  if (lockWaitMs !== undefined) set(`lock_timeout = ${lockWaitMs}`)
  if (statementMs !== undefined) set(`statement_timeout = ${statementMs}`)
  if (workMegabytes !== undefined) set(`work_mem = '${workMegabytes}MB'`)
  return {
    begun,
    async send(statement: Sql): Promise<Answer> {
      if (closed) throw new Error('a statement came after its transaction had ended')
      if (state === 'failed') await begun
      return put(statement)
    },
    /**
     * Sent together with the last statements, or apart, so that it runs even if one of those fails:
     * afterwards the session is in no transaction, whatever happened.
     */
    end(how: 'commit' | 'rollback', isApart = false): Promise<Answer> {
      closed = true
      if (isApart) sendOff()
      return put(plain(how))
    },
  }
}

/** Sends statements over a connection of the pool. */

/** A connection that one caller holds, and whether it may go back to the pool. */
interface Loan {
  client: pg.PoolClient
  broken: Error | undefined
}

type Send = (statement: Sql) => Promise<Answer>

/** The same, with a span of each statement where traces are on. */
function inTraces(send: Send): Send {
  return (statement) => {
    if (!isFollowed()) return send(statement)
    const text = statement.text.trim()
    const details = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, mostText) }
    const name = text.split('\n', 1)[0]?.split(' ', 1)[0] ?? ''
    return followed({ kind: 'statement', name, details }, () => send(statement))
  }
}

/** Characters of a statement in a trace. Values are never among them: they are sent apart. */
const mostText = 2_000

function statementsOn(send: Send): Db {
  return {
    all: async <T>(statement: Sql) => (await send(statement)).rows as T[],
    maybe: async <T>(statement: Sql) => (await send(statement)).rows[0] as T | undefined,
    async one<T>(statement: Sql) {
      const { rows } = await send(statement)
      if (rows.length !== 1) {
        throw new Error(
          `expected one row, got ${rows.length}: ${statement.text.trim().slice(0, 80)}`,
        )
      }
      return rows[0] as T
    },
    run: async (statement) => (await send(statement)).rowCount,
  }
}

/**
 * Runs of a statement, over all connections of a pool, before its plan is cached (see
 * `replanned`).
 */
const mostPlans = 500
const runs = new WeakMap<pg.PoolClient, RunCounts>()

type RunCounts = Map<string, number>

/**
 * Creates the run counter for a pool's connections. The growth of tables is counted once for all of
 * them: with a count for each, ten connections planned 2,500 times.
 */
function runCounter(): (client: pg.PoolClient) => void {
  const counts: RunCounts = new Map()
  return (client) => void runs.set(client, counts)
}

/** Whether the statement is planned anew this time. */
function isUnsettled(client: pg.PoolClient, { name }: Sql): boolean {
  const counts = runs.get(client)
  const count = counts?.get(name) ?? 0
  if (count >= mostPlans) return false
  counts?.set(name, count + 1)
  return true
}

/** The statement as it is sent over this connection. Without its name it is planned anew. */
function settled(client: pg.PoolClient, statement: Sql): Sql {
  return statement.replan && isUnsettled(client, statement) ? { ...statement, name: '' } : statement
}

/** Runs one statement by itself. */
function ask(client: pg.PoolClient, statement: Sql): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sendTogether(client, [{ statement: settled(client, statement), resolve, reject }])
  })
}

/**
 * Sends several statements over a connection in one piece, with a single `Sync` after them. The
 * driver sends a `Sync` with every statement, and the server writes an answer to each, which wakes
 * this process. The driver also requests the description of the columns every time, which never
 * changes for a prepared statement.
 */

interface PipelinedStatement {
  /** The name is empty where the statement is to be planned anew. Once it is sent, its values go. */
  statement: Sql
  /**
   * A callback rather than a promise. The objects that the driver's own promises held survived
   * until the next full collection (3,000 answers of 30 rows left 30 MB in the old heap, and leave
   * nothing so), which doubled the service's memory under load.
   */
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Sends statements. Those after a failed one do not run and fail with its error. */
function sendTogether(client: pg.PoolClient, statements: readonly PipelinedStatement[]): void {
  client.query(new Pipeline(statements) as unknown as pg.Submittable)
}

/** The part of the driver's connection that is used here, which its types lack. */
interface Transport {
  readonly stream: { cork(): void; uncork(): void; write(bytes: Buffer): void }
  /** The texts of existing prepared statements, and of those being prepared, by name. */
  readonly parsedStatements: Record<string, string | undefined>
  readonly submittedNamedStatements: Record<string, string | undefined>
  parse(message: { name: string; text: string }): void
}

/**
 * How rows of prepared statements are parsed, by statement name; null for statements without rows.
 */
type Readers = Map<string, RowReader | null>
const readersOn = new WeakMap<Transport, Readers>()

// The messages without values: describe the bound statement, execute it, and sync.
const describe = Buffer.from('D\0\0\0\x06P\0', 'latin1')
const execute = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1')
const sync = Buffer.from('S\0\0\0\x04', 'latin1')

// In a pipeline the driver accepts only queries of its own class.
const DriverQuery = pg.Query as unknown as new (text: string) => object

/** The values of a sent statement would take their memory once more until it is answered. */
const withoutValues = ({ name, text }: Sql): Sql => ({ name, text, values: [] })

/** A query as the driver knows it: it calls `submit`, then `handle…` for each answer. */
class Pipeline extends DriverQuery {
  /** Name and text of the statement being answered; the driver records those that were parsed. */
  name = ''
  text = ''
  private readonly asked: readonly PipelinedStatement[]
  private readers: Readers = new Map()
  /** Why the remaining statements were not sent: a value could not be serialised. */
  private fault: unknown
  private readonly answers: (Answer | { unreadable: unknown })[] = []
  private read: unknown[] = []
  private reader: RowReader | null = null
  private unreadable: unknown

  constructor(statements: readonly PipelinedStatement[]) {
    super('')
    this.asked = statements
  }

  submit(transport: Transport): void {
    this.readers = readersOn.get(transport) ?? new Map()
    readersOn.set(transport, this.readers)
    transport.stream.cork()
    try {
      for (const one of this.asked) {
        this.put(transport, one.statement)
        one.statement = withoutValues(one.statement)
      }
    } catch (error) {
      this.fault = error
    }
    transport.stream.write(sync)
    transport.stream.uncork()
    this.expect()
  }

  private put(transport: Transport, { name, text, values }: Sql): void {
    const isKnown =
      name !== '' &&
      (transport.parsedStatements[name] ?? transport.submittedNamedStatements[name]) !== undefined
    if (!isKnown) transport.parse({ name, text })
    if (!isKnown && name !== '') transport.submittedNamedStatements[name] = text
    transport.stream.write(bindMessage(name, values))
    if (!this.readers.has(name)) transport.stream.write(describe)
    transport.stream.write(execute)
  }

  private expect(): void {
    const { name = '', text = '' } = this.asked[this.answers.length]?.statement ?? {}
    this.name = name
    this.text = text
    this.reader = this.readers.get(name) ?? null
    this.read = []
    this.unreadable = undefined
  }

  handleRowDescription({ fields }: { fields: Field[] }): void {
    this.reader = rowReader(fields)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.unreadable !== undefined) return
    try {
      if (this.reader) this.read.push(this.reader(fields))
    } catch (error) {
      this.unreadable = error
    }
  }

  /** In `INSERT 0 3`, `UPDATE 3` and `COMMIT` the last word is the count, where there is one. */
  handleCommandComplete({ text }: { text: string }): void {
    const [command = '', ...counts] = text.split(' ')
    const rowCount = Number(counts.at(-1) ?? 0)
    const { unreadable, read: rows } = this
    this.answers.push(unreadable === undefined ? { command, rowCount, rows } : { unreadable })
    if (this.name !== '') this.readers.set(this.name, this.reader)
    this.expect()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    this.end(this.fault)
  }

  /** Handles an error of the server, which skips the rest, or of the lost connection. */
  handleError(error: unknown, transport: Transport): void {
    for (const { statement } of this.asked.slice(this.answers.length)) {
      delete transport.submittedNamedStatements[statement.name]
    }
    this.end(error)
  }

  /**
   * A single statement commits after its answer, when the server reads the `Sync`. If an error
   * comes in between, such as a crash during the commit, it is unknown whether the statement
   * committed. Within a transaction the answer to `commit` decides.
   */
  private end(error: unknown): void {
    const isUnsure = error !== undefined && this.asked.length === 1
    for (const [i, { resolve, reject }] of this.asked.entries()) {
      const answer = this.answers[i]
      if (!answer || isUnsure) reject(error)
      else if ('unreadable' in answer) reject(answer.unreadable)
      else resolve(answer)
    }
  }
}
