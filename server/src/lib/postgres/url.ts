/**
 * The operator's own PostgreSQL server, named by DATABASE_URL, with the checks for a pooler in front of
 * it and of the two clocks.
 */

import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import pg from 'pg'
import { outageWords } from '../db/outage.ts'
import { StartError } from '../db/start-error.ts'
import type { Log } from '../process/log.ts'
import { escapes } from '../transport/url-fault.ts'

const oldest = 150_000

/** Returns the connection to use once the server has answered. Never repeats the URL's password. */
export async function connectionOf(databaseUrl: string, log: Log): Promise<pg.ClientConfig> {
  const client = clientOf(databaseUrl)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Server>(
      `select current_setting('server_version') as version,
              current_setting('server_version_num') as number,
              current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as commit,
              current_setting('transaction_read_only') as "readOnly",
              current_setting('server_encoding') as encoding`,
    )
    judge(rows[0] as Server, { log, database: client.database })
    refuseClock(await clockAhead(client))
    await refuseMixedStatements({ connectionString: databaseUrl })
  } catch (error) {
    if (error instanceof StartError) throw error
    const address = `${client.database ?? 'no database named'} at ${client.host}`
    throw new StartError(`DATABASE_URL (${address}): ${inWords(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
  return { connectionString: databaseUrl, application_name: 'crier' }
}

interface Server {
  version: string
  number: string
  fsync: string
  commit: string
  readOnly: string
  encoding: string
}

function judge(
  { version, number, fsync, commit, readOnly, encoding }: Server,
  { log, database }: { log: Log; database: string | undefined },
): void {
  if (Number(number) < oldest) {
    throw new StartError(
      `The server of DATABASE_URL is PostgreSQL ${version}; Crier needs 15 or newer.`,
    )
  }
  if (readOnly === 'on') {
    throw new StartError(
      `The database of DATABASE_URL ${outageWords.read_only.is}. ${outageWords.read_only.mend}`,
    )
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `The database ${database} of DATABASE_URL has the encoding ${encoding}, which cannot hold every name; Crier needs UTF8. Make it anew: create database ${database} encoding 'UTF8' template template0.`,
    )
  }
  // The operator chose this, so it is not refused, but a crash may lose acknowledged writes.
  if (fsync === 'off' || commit === 'off') log.warn({ fsync, commit }, 'database.not_durable')
}

/** Whether it is reached by a socket or over loopback, so that no other machine shares it. */
export function isOnThisMachine(databaseUrl: string): boolean {
  const { host } = clientOf(databaseUrl)
  const isLoopback = isIP(host) === 4 && host.startsWith('127.')
  return isLoopback || host.startsWith('/') || ['localhost', '::1', '[::1]'].includes(host)
}

/** Lets the driver parse the URL, since it knows more forms than a URL parser does. */
function clientOf(databaseUrl: string): pg.Client {
  try {
    if (/^postgres(ql)?:\/\//.test(databaseUrl)) {
      return new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
    }
  } catch {
    // The error quotes the URL, and with it the password.
  }
  throw new StartError(
    `DATABASE_URL must be postgres://user:password@host:port/database. ${escapes}`,
  )
}

function inWords(error: unknown): string {
  const { code = '', message } = error as { code?: string; message: string }
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host has no address. Check its name.'
    case 'ECONNREFUSED':
    case 'ENOENT':
      return 'nothing listens there. Start the server, or check host and port.'
    case '28P01':
    case '28000':
      return 'the server rejects the user or password.'
    case '3D000':
      return 'the server has no such database. Create it, owned by the user of the URL.'
    case '57P03':
      return 'the server is starting or stopping. Try again in a moment.'
    case '53300':
      return 'the server has no connection left. Raise its max_connections.'
    default:
      // Messages of the driver and of TLS hold no secret, and explain more than their codes alone.
      return `the server cannot be used: ${message} ${code && `(${code})`}`.trim()
  }
}

/** The codes of errors where one connection's named statement meets another's. */
const mixedUp = ['42P05', '26000']

/**
 * Crier names its statements. A pooler in transaction mode that does not keep them apart fails
 * occasionally under load. So this is tested in advance: two connections use one name in turn.
 */
export async function refuseMixedStatements(connection: pg.ClientConfig): Promise<void> {
  const name = `crier_try_${randomBytes(6).toString('hex')}`
  const clients = [new pg.Client(connection), new pg.Client(connection)]
  for (const client of clients) client.on('error', () => {})
  try {
    await Promise.all(clients.map((client) => client.connect()))
    for (const client of [...clients, ...clients]) {
      await client.query({ name, text: 'select $1::int as tried', values: [1] })
    }
  } catch (error) {
    if (!mixedUp.includes((error as { code?: string }).code ?? '')) throw error
    throw new StartError(
      'DATABASE_URL goes through a pooler that mixes up the prepared statements of its clients. Use PgBouncer 1.21 or newer with max_prepared_statements = 500, or pool_mode = session, or let DATABASE_URL name the PostgreSQL server itself.',
    )
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

/** Milliseconds by which this machine's clock is ahead of the server's. */
export async function clockAhead(client: Pick<pg.Client, 'query'>): Promise<number> {
  const before = Date.now()
  const { rows } = await client.query(
    'select extract(epoch from clock_timestamp()) * 1000 as "serverMs"',
  )
  return Math.round((before + Date.now()) / 2 - Number((rows[0] as { serverMs: string }).serverMs))
}

/** Nodes compare leases, tokens and schedules by their clocks. */
export const clockTolerance = { warnMs: 2_000, refuseMs: 60_000 }

export function refuseClock(aheadMs: number): void {
  if (Math.abs(aheadMs) < clockTolerance.refuseMs) return
  throw new StartError(
    `The clock of this machine is ${clockWords(aheadMs)} that of the database. Leases and schedules would not hold: set both by NTP (timedatectl set-ntp true), and start again.`,
  )
}

export function clockWords(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`
}
