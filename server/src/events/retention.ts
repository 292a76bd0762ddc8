import { keepPartitions, type PartitionedTable } from '../lib/db/partitions.ts'
import type { Database } from '../lib/db/types.ts'

export const eventsKeptDays = 30
export const auditKeptDays = 400

const tables: PartitionedTable[] = [
  // A day longer than its place, which may be of the day after.
  { name: 'events', column: 'created_at', step: 'day', keepDays: eventsKeptDays + 1 },
  { name: 'event_feed', column: 'placed_at', step: 'day', keepDays: eventsKeptDays },
  { name: 'audit_entries', column: 'created_at', step: 'month', keepDays: auditKeptDays },
]

/** Makes room for the days to come and drops those that are over. */
export async function keepEventTables(db: Database, now: Date): Promise<void> {
  for (const table of tables) await keepPartitions(db, table, now)
}
