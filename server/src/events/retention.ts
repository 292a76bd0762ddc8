import { keepPartitions, type PartitionedTable } from '../lib/db/partitions.ts'
import type { Database } from '../lib/db/types.ts'

export const eventsKeptDays = 30
export const auditKeptDays = 400

const tables: PartitionedTable[] = [
  // A day longer than the feed, because the event's position may fall on the day after the event.
  { name: 'events', column: 'created_at', step: 'day', keepDays: eventsKeptDays + 1 },
  { name: 'event_feed', column: 'placed_at', step: 'day', keepDays: eventsKeptDays },
  { name: 'audit_entries', column: 'created_at', step: 'month', keepDays: auditKeptDays },
]

/** Creates the partitions of the coming days and drops those past their retention. */
export async function keepEventTables(db: Database, now: Date): Promise<void> {
  for (const table of tables) await keepPartitions(db, table, now)
}
