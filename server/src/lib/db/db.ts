/**
 * PostgreSQL as the domains see it: SQL written as SQL, sent as named prepared
 * statements (named 1.00, unnamed 0.6, query builders 0.33 to 0.46 of the rate).
 */

import { createHash } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { ask, type Loan, runCounter, statementsOn } from './statements.ts'
import { inTransaction } from './transaction.ts'
import type { Answer, Database, Sql } from './types.ts'

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
 * The statement, planned anew until its tables can be taken to have grown. A prepared plan
 * is kept, and one made when they were empty, where any index looks as good as the right
 * one, goes on reading the whole of them until the next analyze.
 */
export function replanned(statement: Sql): Sql {
  return { ...statement, replan: true }
}

/**
 * The statement, planned anew each time: for sets of rows in a table that may have grown by a
 * million since the last one, beside which a plan costs nothing. Such a set must find its rows
 * by the key whatever the planner believes of the table; until the next analyze it may take a
 * million for one.
 */
export function plannedAnew(statement: Sql): Sql {
  return { ...statement, name: '' }
}

/** The statement, which reads and which the server gives up after so many milliseconds. */
export function within(patienceMs: number, statement: Sql): Sql {
  return { ...statement, patienceMs }
}

/** The server ended a statement whose time was over: 57014, `query_canceled`. */
export function isGivenUp(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '57014'
}

export interface DatabaseOptions {
  /** A `postgres://` URL, or the folder of a unix socket with user and database. */
  connection: pg.ClientConfig
  /** Connections at most; each costs PostgreSQL about 2 MB. */
  poolSize?: number
  /** Milliseconds that callers wait for a server that is being started again; 5000. */
  restartPatience?: number
  /** Told of idle connections that broke; the pool replaces them by itself. */
  onIdleError?: (error: Error) => void
}

/**
 * Who asks for a connection, and that a transaction holds one. A transaction that asks for a
 * second connection may wait for others that do the same, until all of them give up: tests
 * listen on both channels and fail where that happens.
 */
const loans = channel('crier.db.loan')
const transactions = channel('crier.db.transaction')

export function openDatabase(options: DatabaseOptions): Database {
  const poolSize = options.poolSize ?? 10
  const pool = new pg.Pool({
    ...options.connection,
    // What a transaction asks for at once is sent at once.
    pipeline: true,
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
  })
  pool.on('error', (error) => options.onIdleError?.(error))
  // For the moments when neither pool nor borrower listens: a connection that breaks
  // then would end the process. Its next statement reports it.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('connect', runCounter())

  const lend = <T>(work: (loan: Loan) => Promise<T>) =>
    retrying(poolSize, () => onLoan(pool, options.restartPatience ?? 5000, work))
  return {
    // Not pool.query, which throws a good connection away at every unique violation.
    ...statementsOn((statement) => {
      loans.publish(undefined)
      return lend((loan) =>
        statement.patienceMs === undefined ? alone(loan, statement) : limited(loan, statement),
      )
    }),
    tx: (work, options) => {
      loans.publish(undefined)
      return transactions.runStores({}, () => lend((loan) => inTransaction(loan, work, options)))
    },
    end: () => pool.end(),
  }
}

async function onLoan<T>(
  pool: pg.Pool,
  patience: number,
  work: (loan: Loan) => Promise<T>,
): Promise<T> {
  const loan: Loan = { client: await connected(pool, patience), broken: undefined }
  try {
    return await work(loan)
  } catch (error) {
    if (isStalePlan(error)) loan.broken = error as Error
    throw error
  } finally {
    loan.client.release(loan.broken)
  }
}

/**
 * Megabytes: with the server's 4 a set of 200,000 contacts is looked up one by one, which takes a
 * million contacts twice as long.
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
    // Only the server can say that its session outlives an error.
    const sound = error instanceof pg.DatabaseError && error.severity === 'ERROR'
    if (!sound) loan.broken ??= error as Error
    throw error
  }
}

const retries = 5

async function retrying<T>(poolSize: number, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      // Every connection of the pool may hold the stale plan; each is met once.
      if (isStalePlan(error) && attempt <= poolSize) continue
      if (!isConflict(error) || attempt > retries) throw error
      await sleep(Math.random() * 10 * 2 ** attempt)
    }
  }
}

/** Serialisation failure or deadlock: PostgreSQL has rolled it back and asks for another try. */
function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && ['40001', '40P01'].includes(error.code ?? '')
}

/** A migration by another node changed what a prepared statement returns; it has not run. */
function isStalePlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === '0A000' &&
    error.routine === 'RevalidateCachedQuery'
  )
}

async function connected(pool: pg.Pool, patience: number): Promise<pg.PoolClient> {
  for (const until = Date.now() + patience; ; ) {
    try {
      return await pool.connect()
    } catch (error) {
      // Nothing was sent yet, so trying again is safe. 57P03: starting up.
      const { code = '' } = error as { code?: string }
      const restarting = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', '57P03'].includes(code)
      if (!restarting || Date.now() >= until) throw error
      await sleep(50 + Math.random() * 50)
    }
  }
}
