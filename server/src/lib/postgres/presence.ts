/**
 * Each of our processes that uses an embedded server holds one connection to it. Its end reports
 * the server's death at once, and its existence tells the other processes that this one is running.
 * The last process to leave stops the server.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../db/start-error.ts'
import { superuser } from './cluster.ts'
import { durability } from './server.ts'

// All present processes share the lock, and the process that stops the server holds it alone. A
// query of pg_stat_activity would leave a gap before the stop, in which another process could join.
// The lock never leaves the embedded server, so the schema's rule against advisory locks, made for
// distributed engines, does not apply.
const lockKey = '7166195538041234'

export interface Presence {
  /** Resolves when the connection has ended, whether by us or by the server's death. */
  readonly ended: Promise<void>
  query(text: string): Promise<Record<string, unknown>[]>
  /** Leaves. True if this was the last process: then no other can join before the server stops. */
  leaveLast(): Promise<boolean>
  /** Joins again after `leaveLast` reported other processes. */
  stay(): Promise<void>
  close(): Promise<void>
}

/** `absent`: no server listens there. `busy`: a server is starting, stopping or full. */
export async function bePresent(run: string): Promise<Presence | 'absent' | 'busy'> {
  const client = new pg.Client({
    host: run,
    user: superuser,
    database: 'postgres',
    application_name: 'crier supervisor',
    connectionTimeoutMillis: 5000,
  })
  let over = false
  const ended = new Promise<void>((resolve) => {
    client.once('end', () => {
      over = true
      resolve()
    })
  })
  // The end of the connection reports the error. Without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`select pg_advisory_lock_shared(${lockKey})`)
  } catch (error) {
    await client.end().catch(() => {})
    return whyNot(error)
  }
  const query = async (text: string) => (await client.query(text)).rows
  return {
    ended,
    query,
    async leaveLast() {
      if (over) return false
      // Unlock first, then try: of two processes that leave at once the later one gets the lock.
      await query(`select pg_advisory_unlock_shared(${lockKey})`)
      const [row] = await query(`select pg_try_advisory_lock(${lockKey}) as last`)
      return row?.['last'] === true
    },
    async stay() {
      await query(`select pg_advisory_lock_shared(${lockKey})`)
    },
    close: () => client.end(),
  }
}

function whyNot(error: unknown): 'absent' | 'busy' {
  const { code = '', message } = error as { code?: string; message: string }
  if (['ENOENT', 'ECONNREFUSED'].includes(code)) return 'absent'
  // 57P01 to 57P03: stopping, crashed, starting. 53300: all connections are in use.
  if (['ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '53300'].includes(code)) return 'busy'
  if (/^Connection terminated|^timeout expired/.test(message)) return 'busy'
  throw error
}

export async function assertDurable(presence: Presence): Promise<void> {
  for (const [name, value] of Object.entries(durability)) {
    const [row] = await presence.query(`select current_setting('${name}') as setting`)
    if (row?.['setting'] === value) continue
    throw new StartError(
      `The database runs without ${name}, so what it acknowledged could be lost. Stop it, and start Crier again.`,
    )
  }
}

export const serviceRole = 'crier'
export const serviceDatabase = 'crier'

/** Creates the role and the database of the service. Several processes may do this at once. */
export async function makeServiceDatabase(presence: Presence): Promise<void> {
  const query = `select 1 from pg_database where datname = '${serviceDatabase}'`
  for (let attempt = 0; (await presence.query(query)).length === 0; attempt++) {
    try {
      await presence.query(`create role ${serviceRole} login`).catch(unlessThere)
      await presence.query(`create database ${serviceDatabase} owner ${serviceRole}`)
    } catch (error) {
      unlessThere(error)
      if (attempt > 50) throw error
      await sleep(100)
    }
  }
}

/** Ignores a duplicate object or database, and the unique key on which two processes collided. */
function unlessThere(error: unknown): void {
  const code = (error as { code?: string }).code ?? ''
  // 55006: the template database is in use by another `create database`.
  if (!['42710', '42P04', '23505', '55006'].includes(code)) throw error
}
