/** The statements by which processes tell one another of what they committed. */

import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'

/** One for all installations: PostgreSQL keeps those of two databases apart. */
export const channel = 'crier_jobs'

/**
 * A transaction of its own, since commits that notify wait for one another. Nothing is lost with
 * it, so that it does not wait for the disk.
 */
export function notify(db: Db, payload: string): Promise<number> {
  return db.run(sql`
    select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${payload})
  `)
}
