/** The background jobs of webhooks. `worker.ts` adds them to its list. */

import { limits } from '../../config.ts'
import { keepPartitions, type PartitionedTable } from '../../lib/db/partitions.ts'
import type { Database } from '../../lib/db/types.ts'
import type { JobKinds } from '../../lib/jobs/job.ts'
import { days, hours, later, seconds } from '../../lib/time/clock.ts'
import { forgetDeleted } from '../model/queries.ts'
import { deliverJob } from '../model/webhook.ts'
import { createDelivery, type DeliverDeps } from './deliver.ts'
import { failingJob, tellOfFailing } from './failing.ts'
import { type ReplayDeps, replayDead, replayDeadJob } from './replay-dead.ts'
import { replayInTurns, replayRangeJob } from './replay-range.ts'

export function webhookJobs(deps: DeliverDeps & ReplayDeps): JobKinds {
  const deliver = createDelivery(deps)
  return {
    // Each delivery has its own schedule, and settles every failure itself.
    [deliverJob]: {
      timeoutMs: seconds(30),
      atOnce: limits.deliveriesAtOnce,
      lapses: true,
      run: deliver,
    },
    [failingJob]: { run: (job) => tellOfFailing(deps, job) },
    [replayDeadJob]: { run: (job) => replayDead(deps, job) },
    [replayRangeJob]: { run: (job) => replayInTurns(deps, job) },
    'webhook.keep-partitions': {
      everyMs: hours(1),
      async run() {
        await keepWebhookTables(deps.db, deps.clock.now())
      },
    },
  }
}

/** As long as the events' bodies, which are needed to show or replay a delivery. */
const logKeptDays = 30

const tables: PartitionedTable[] = [
  { name: 'webhook_attempts', column: 'created_at', step: 'day', keepDays: logKeptDays },
  { name: 'dead_letters', column: 'failed_at', step: 'day', keepDays: logKeptDays },
]

/** Creates the partitions of the coming days and drops those past their retention. */
async function keepWebhookTables(db: Database, now: Date): Promise<void> {
  for (const table of tables) await keepPartitions(db, table, now)
  await forgetDeleted(db, later(now, -days(logKeptDays)))
}
