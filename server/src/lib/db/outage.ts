/**
 * Tells a database that is away from a statement that is wrong. Whoever retries
 * rows one by one, or goes on without the database, must know which it was.
 */

// Classes of SQLSTATE (PostgreSQL, appendix A): connection, resources, shutdown, system.
const classes = new Set(['08', '53', '58'])
const shutdowns = new Set(['57P01', '57P02', '57P03', '57P05'])
const sqlState = /^[0-9A-Z]{5}$/

// The driver gives these no code.
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after)/

/** Whether the error says that the database cannot be reached now, whatever was asked of it. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return driverMessages.test(error.message)
  if (sqlState.test(code)) return shutdowns.has(code) || classes.has(code.slice(0, 2))
  // Node's own, such as ECONNREFUSED, or ENOENT of a unix socket.
  return 'syscall' in error
}
