import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../server/src/lib/db/db.ts'
import type { Database } from '../../../server/src/lib/db/types.ts'

/** The jobs must have run within this time. */
const patience = 60_000

/**
 * Waits until every event has its place in the feed, so that no contender leaves work to the time
 * of the next one. Returns the milliseconds of the wait.
 */
export const feedSettled = (db: Database) => jobsDone(db, 'event.fanout')

/** Waits until no job of the kind is left. Returns the milliseconds of the wait. */
export async function jobsDone(db: Database, kind: string): Promise<number> {
  const started = performance.now()
  for (;;) {
    const { left } = await db.one<{ left: number }>(sql`
      select count(*) as left from jobs where kind = ${kind}
    `)
    const taken = performance.now() - started
    if (left === 0) return taken
    if (taken > patience) throw new Error(`${left} jobs ${kind} were still waiting`)
    await sleep(10)
  }
}

/** Counts events of these types that are written, and those that have their place. */
export async function eventsPlaced(db: Database, types: readonly string[]): Promise<number> {
  const { written, placed } = await db.one<{ written: number; placed: number }>(sql`
    select (select count(*) from events where type = any (${types})) as written,
      (select count(*) from event_feed where type = any (${types})) as placed
  `)
  if (written !== placed) throw new Error(`${written} events, of which ${placed} have a place`)
  return placed
}
