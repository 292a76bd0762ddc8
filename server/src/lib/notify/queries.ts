/** The statements with which processes notify each other of what they committed. */

import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'

/** One channel for all installations: PostgreSQL separates the channels of two databases. */
export const channel = 'crier_jobs'

/**
 * Sends in a transaction of its own, since commits that notify wait for each other. It does not
 * wait for the disk, because losing it loses no data.
 */
export function notify(db: Db, payload: string): Promise<number> {
  return db.run(sql`
    select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${payload})
  `)
}
