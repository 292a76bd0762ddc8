/**
 * One connection of the pool, which one caller holds: a statement by itself, a transaction, or a
 * series of transactions, each in as few round trips as its work allows.
 */

import pg from 'pg'
import { followed, isFollowed } from '../observing/observed.ts'
import { isRefusal } from '../schema/refusal.ts'
import { placeStatement } from './distribution.ts'
import { isOfServer } from './outage.ts'
import type { Answer, BeginNext, Db, Sql, Tx, TxOptions } from './types.ts'

/** A connection that one caller holds, and whether it may go back to the pool. */
export interface Loan {
  client: pg.PoolClient
  broken: Error | undefined
}

/** A statement by itself, which is its own transaction. */
export async function runAlone(loan: Loan, statement: Sql): Promise<Answer> {
  try {
    return await new Promise((resolve, reject) => {
      const { client } = loan
      sendTogether(client, [{ statement: settled(client, statement), resolve, reject }])
    })
  } catch (error) {
    // Only an error of the server shows that the session is still usable.
    if (!isOfServer(error)) loan.broken ??= error as Error
    throw error
  }
}

/** A statement of `within` in `db.ts`: only in a transaction can it have settings of its own. */
export async function runWithin(loan: Loan, statement: Sql): Promise<Answer> {
  const options = { statementMs: statement.patienceMs ?? 0, workMegabytes: roomForSets }
  const rows = await inTransaction(loan, (tx) => tx.all(statement), options)
  return { command: 'SELECT', rowCount: rows.length, rows }
}

/**
 * In megabytes. With the server's default of 4, PostgreSQL looks up a set of 200,000 contacts one
 * by one, which doubles the time for a million contacts.
 */
const roomForSets = 32

interface Running extends TxOptions {
  /** Called when the commit has been sent. The connection then takes another transaction. */
  onSent?: () => void
}

/**
 * Commits what `work` did, unless it throws or returns a refusal. `begin` and the first statements,
 * and the last statements and `commit`, share a round trip.
 */
export async function inTransaction<T>(
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
  const isDistributed = () => pools.get(loan.client)?.isDistributed ?? false
  const rest = { inTransaction: true, isDistributed, afterCommit } as const
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

/** Transactions on one connection, each of which begins while the one before it commits. */
export async function inSeries<T>(loan: Loan, body: (begin: BeginNext) => Promise<T>): Promise<T> {
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
  let pending: typeof work | undefined = work
  return (tx) => {
    if (!pending) throw new Error('a transaction ran twice')
    const own = pending
    pending = undefined
    return own(tx)
  }
}

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

/** Prepared like all others, since there are few of them, including those with limits. */
const plain = (text: string): Sql => ({ name: text.toUpperCase(), text, values: [] })

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 0

/** The number of bytes that keep the server busy while the next statement is prepared. */
const large = 64 * 1024

/** The ways to read the answer of a statement. */
export function statementsOn(send: Send): Db {
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

type Send = (statement: Sql) => Promise<Answer>

/** `send`, with a span of each statement where traces are on. */
export function inTraces(send: Send): Send {
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

/**
 * Creates what the connections of a pool share. The growth of tables is counted once for all of
 * them: with a count for each, ten connections planned 2,500 times.
 */
export function shareRuns(pool: SharedByPool): (client: pg.PoolClient) => void {
  return (client) => void pools.set(client, pool)
}

export interface SharedByPool {
  /** Runs of each statement by name. */
  runs: Map<string, number>
  isDistributed: boolean
}

const pools = new WeakMap<pg.PoolClient, SharedByPool>()

/**
 * Runs of a statement, over all connections of a pool, before its plan is cached (`replanned`
 * in `db.ts`).
 */
const mostPlans = 500

/** The statement as it is sent over this connection. Without its name it is planned anew. */
function settled(client: pg.PoolClient, original: Sql): Sql {
  const statement = pools.get(client)?.isDistributed ? placeStatement(original) : original
  return statement.replan && isUnsettled(client, statement) ? { ...statement, name: '' } : statement
}

/** Whether the statement is planned anew this time. */
function isUnsettled(client: pg.PoolClient, { name }: Sql): boolean {
  const counts = pools.get(client)?.runs
  const count = counts?.get(name) ?? 0
  if (count >= mostPlans) return false
  counts?.set(name, count + 1)
  return true
}

/**
 * Sends several statements in one piece, with a single `Sync` after them. Those after a failed one
 * do not run and fail with its error. The driver would send a `Sync` with every statement, and the
 * server writes an answer to each, which wakes this process. It would also request the description
 * of the columns every time, which never changes for a prepared statement.
 */
function sendTogether(client: pg.PoolClient, statements: readonly PipelinedStatement[]): void {
  client.query(new Pipeline(statements) as unknown as pg.Submittable)
}

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
  private readonly statements: readonly PipelinedStatement[]
  private readers: Readers = new Map()
  /** Why the remaining statements were not sent: a value could not be serialised. */
  private fault: unknown
  private readonly answers: (Answer | { unreadable: unknown })[] = []
  private read: unknown[] = []
  private reader: RowReader | null = null
  private unreadable: unknown

  constructor(statements: readonly PipelinedStatement[]) {
    super('')
    this.statements = statements
  }

  submit(transport: Transport): void {
    this.readers = readersOn.get(transport) ?? new Map()
    readersOn.set(transport, this.readers)
    transport.stream.cork()
    try {
      for (const entry of this.statements) {
        this.put(transport, entry.statement)
        entry.statement = withoutValues(entry.statement)
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
    const { name = '', text = '' } = this.statements[this.answers.length]?.statement ?? {}
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
    for (const { statement } of this.statements.slice(this.answers.length)) {
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
    const isUnsure = error !== undefined && this.statements.length === 1
    for (const [i, { resolve, reject }] of this.statements.entries()) {
      const answer = this.answers[i]
      if (!answer || isUnsure) reject(error)
      else if ('unreadable' in answer) reject(answer.unreadable)
      else resolve(answer)
    }
  }
}

const unnamed = 0
const asText = 0
const asBytes = 1

/** The length of a value that is null. */
const none = -1

/**
 * The message that gives a prepared statement its values (PostgreSQL, "Message Formats", Bind). The
 * driver grows its buffer step by step, which for a hundred rows takes three times their memory.
 */
export function bindMessage(statement: string, values: readonly unknown[]): Buffer {
  const spelt = values.map(spell)
  const lengths = spelt.map(lengthOf)
  const nameLength = Buffer.byteLength(statement)
  // Type, length, portal, name, and three counts, of which the last has one format behind it.
  let size = 1 + 4 + 1 + nameLength + 1 + 2 + 2 + 4
  for (const length of lengths) size += 2 + 4 + Math.max(0, length)
  const message = Buffer.allocUnsafe(size)
  let at = message.write('B')
  at = message.writeInt32BE(size - 1, at)
  at = message.writeUInt8(unnamed, at)
  at += message.write(statement, at)
  at = message.writeUInt8(0, at)
  at = message.writeUInt16BE(spelt.length, at)
  for (const value of spelt)
    at = message.writeUInt16BE(Buffer.isBuffer(value) ? asBytes : asText, at)
  at = message.writeUInt16BE(spelt.length, at)
  for (const [n, value] of spelt.entries()) {
    at = message.writeInt32BE(lengths[n] ?? none, at)
    if (typeof value === 'string') at += message.write(value, at)
    else if (value !== null) at += value.copy(message, at)
  }
  at = message.writeUInt16BE(1, at)
  message.writeUInt16BE(asText, at)
  return message
}

function lengthOf(value: string | Buffer | null): number {
  if (value === null) return none
  return typeof value === 'string' ? Buffer.byteLength(value) : value.length
}

/** Serialises a parameter as PostgreSQL reads it: text, or raw bytes. */
function spell(value: unknown): string | Buffer | null {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return spellArray(value)
  if (ArrayBuffer.isView(value)) return bytesOf(value)
  return JSON.stringify(value)
}

function spellArray(values: readonly unknown[]): string {
  let text = ''
  for (const value of values) text += text === '' ? spellElement(value) : `,${spellElement(value)}`
  return `{${text}}`
}

function spellElement(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return spellArray(value)
  const spelt = spell(value)
  if (spelt === null) return 'NULL'
  if (typeof spelt !== 'string') return `"\\\\x${spelt.toString('hex')}"`
  return typeof value === 'object' ? quoted(spelt) : spelt
}

/** Quotes a text within an array. */
export function quoted(text: string): string {
  return `"${special.test(text) ? text.replace(everySpecial, '\\$&') : text}"`
}

const special = /["\\]/
const everySpecial = /["\\]/g

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** A column as the server describes it. */
interface Field {
  name: string
  dataTypeID: number
}

type RowReader = (values: readonly (string | null)[]) => unknown

/** Builds rows from the values of these columns. */
function rowReader(fields: readonly Field[]): RowReader {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
  return (values) => {
    const row: Record<string, unknown> = {}
    let i = 0
    for (const { name, parse } of columns) {
      const value = values[i++]
      row[name] = value === null || value === undefined ? null : parse(value)
    }
    return row
  }
}

function parserOf(oid: number): (text: string) => unknown {
  if (oid === pg.types.builtins.INT8) return wholeNumber
  // A day has no time zone. The driver's Date would be midnight on this machine.
  if (oid === pg.types.builtins.DATE) return asItIs
  return pg.types.getTypeParser(oid, 'text')
}

const asItIs = (text: string) => text

/** Counts fit a double up to 2^53; beyond that, an error is better than a wrong number. */
function wholeNumber(text: string): number {
  const n = Number(text)
  if (!Number.isSafeInteger(n)) throw new RangeError('an int8 beyond 2^53 was read')
  return n
}
