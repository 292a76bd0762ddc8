/** Checks for a pooler in front of the server of DATABASE_URL, and compares the clocks. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { StartError } from '../db/start-error.ts'

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
