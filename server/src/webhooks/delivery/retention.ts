import { keepPartitions, type PartitionedTable } from '../../lib/db/partitions.ts'
import type { Database } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import { forgetDeleted } from '../model/queries.ts'

/** As long as the events' bodies, which are needed to show or replay a delivery. */
export const logKeptDays = 30

const tables: PartitionedTable[] = [
  { name: 'webhook_attempts', column: 'created_at', step: 'day', keepDays: logKeptDays },
  { name: 'dead_letters', column: 'failed_at', step: 'day', keepDays: logKeptDays },
]

/** Creates the partitions of the coming days and drops those past their retention. */
export async function keepWebhookTables(db: Database, now: Date): Promise<void> {
  for (const table of tables) await keepPartitions(db, table, now)
  await forgetDeleted(db, later(now, -days(logKeptDays)))
}
