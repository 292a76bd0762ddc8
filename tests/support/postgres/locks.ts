import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'

/** Resolves once a connection to this database waits for a lock; fails after a minute. */
export async function someoneWaits(db: Db): Promise<void> {
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    const { n } = await db.one<{ n: number }>(sql`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `)
    if (n > 0) return
  }
  throw new Error('nobody waits for a lock')
}
