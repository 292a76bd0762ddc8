/** The background jobs of webhooks. `worker.ts` adds them to its list. */

import { type RightsBack, rightsBackJob } from '../../accounts/identities/holds.ts'
import { limits } from '../../config.ts'
import { sql } from '../../lib/db/db.ts'
import { keepPartitions, type PartitionedTable } from '../../lib/db/partitions.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Job, JobKinds } from '../../lib/jobs/job.ts'
import { resumeLane } from '../../lib/jobs/lanes.ts'
import { days, hours, later, seconds } from '../../lib/time/clock.ts'
import { laneOf } from '../model/delivery.ts'
import { forgetDeleted, lockWebhook, updateWebhook } from '../model/queries.ts'
import { withoutRight } from '../model/rights.ts'
import { deliverJob, type Webhook } from '../model/webhook.ts'
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
    [rightsBackJob]: { run: (job) => goOn(deps, (job as Job<RightsBack>).payload) },
    'webhook.keep-partitions': {
      everyMs: hours(1),
      async run() {
        await keepWebhookTables(deps.db, deps.clock.now())
      },
    },
  }
}

/** Webhooks that wait since their holder had lost their rights, and now has them again, go on. */
async function goOn(
  { db, clock, rights }: DeliverDeps & ReplayDeps,
  { business_id: businessId, user_id: userId }: RightsBack,
): Promise<void> {
  await db.tx(async (tx) => {
    const waiting = await tx.all<Pick<Webhook, 'id'>>(sql`
      select id from webhooks w
      where w.business_id = ${businessId} and w.paused_because = 'connection_ended'
        and w.deleted_at is null and (
          w.holder_id = ${userId} or exists (
            select from connections c where c.id = w.holder_id and c.user_id = ${userId}
          )
        )
      order by id
    `)
    for (const { id } of waiting) {
      const webhook = await lockWebhook(tx, businessId, id)
      if (webhook?.pausedBecause !== 'connection_ended') continue
      if ((await withoutRight(rights, tx, businessId, [webhook])).size > 0) continue
      const now = clock.now()
      await updateWebhook(tx, businessId, { ...webhook, pausedBecause: null }, now)
      await resumeLane(tx, laneOf({ businessId, webhookId: id }), now)
    }
  })
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
