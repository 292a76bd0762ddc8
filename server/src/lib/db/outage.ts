/**
 * Distinguishes an outage of the database from an invalid statement. Code that retries rows one by
 * one, or continues without the database, must know which of them happened.
 */

// Classes of SQLSTATE (PostgreSQL, appendix A): connection, resources, shutdown, system.
const classes = new Set(['08', '53', '58'])
const shutdowns = new Set(['57P01', '57P02', '57P03', '57P05'])
const sqlState = /^[0-9A-Z]{5}$/

// The driver gives these errors no code.
const driverMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after)/

/** Whether the error means that the database cannot be reached now, regardless of the statement. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return driverMessages.test(error.message)
  if (sqlState.test(code)) return shutdowns.has(code) || classes.has(code.slice(0, 2))
  // Node's own errors, such as ECONNREFUSED, or ENOENT for a unix socket.
  return 'syscall' in error
}
