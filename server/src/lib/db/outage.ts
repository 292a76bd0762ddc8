/**
 * Distinguishes an outage of the database from an invalid statement. Code that retries rows one by
 * one, or continues without the database, must know which of them happened. An outage has a kind,
 * so that callers and the operator are told what it is.
 */

import pg from 'pg'

/** Why the database cannot do its work now, regardless of the statement. */
export type Outage =
  | 'away'
  | 'starting'
  | 'read_only'
  | 'disk_full'
  | 'no_memory'
  | 'no_connection'
  | 'faulty'

// SQLSTATEs (PostgreSQL, appendix A). 53400 is missing: that limit concerns one statement.
const kinds: Readonly<Record<string, Outage>> = {
  '25006': 'read_only',
  '53000': 'faulty',
  '53100': 'disk_full',
  '53200': 'no_memory',
  '53300': 'no_connection',
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'starting',
  '57P05': 'away',
  // Codes of the connection. ENOENT may also be about a file, so its system call decides.
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  EPIPE: 'away',
}
// Classes of SQLSTATE: connection, and errors of the server's system.
const classes: Readonly<Record<string, Outage>> = { '08': 'away', '58': 'faulty' }
const sqlState = /^[0-9A-Z]{5}$/

// The driver gives these errors no code.
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after)/

/** The kind of the outage that the error reports; undefined for every other error. */
export function outageOf(error: unknown): Outage | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code !== 'string') return driverMessages.test(error.message) ? 'away' : undefined
  if (code === 'ENOENT' && syscall === 'connect') return 'away'
  return kinds[code] ?? (sqlState.test(code) ? classes[code.slice(0, 2)] : undefined)
}

/** Whether the error means that the database cannot work now, regardless of the statement. */
export function isOutage(error: unknown): boolean {
  if (outageOf(error) !== undefined) return true
  // Node's own errors, such as EHOSTUNREACH.
  return error instanceof Error && 'syscall' in error
}

/** Whether the server refused a statement, and the session goes on. */
export function isOfServer(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR'
}

/**
 * Whether the server answers and cannot work for a reason that no statement causes: it can be asked
 * again until it works. Statements can end a server or use up its memory.
 */
export function isPatientOutage(error: unknown): boolean {
  const outage = outageOf(error)
  return outage !== undefined && patient.has(outage)
}

const patient = new Set<Outage>(['starting', 'read_only', 'disk_full', 'no_connection'])

/** What each outage is, as a clause with the database as its subject, and how to end it. */
export const outageWords: Readonly<Record<Outage, { is: string; mend: string }>> = {
  away: {
    is: 'cannot be reached',
    mend: 'Check that the server is running and reachable from this machine.',
  },
  starting: { is: 'is starting or stopping', mend: 'Wait until it is up again.' },
  read_only: {
    is: 'is read-only',
    mend: 'Set default_transaction_read_only = off, or let DATABASE_URL name the primary server if this is a standby.',
  },
  disk_full: { is: 'has no disk space left', mend: 'Free up disk space for the database.' },
  no_memory: {
    is: 'has no memory left',
    mend: 'Give the server more memory, or lower its work_mem and shared_buffers.',
  },
  no_connection: {
    is: 'has no free connections',
    mend: 'Raise its max_connections, or lower DATABASE_POOL.',
  },
  faulty: { is: 'cannot use its files or other resources', mend: 'See the log of PostgreSQL.' },
}
