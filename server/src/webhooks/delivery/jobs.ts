/** The background jobs of webhooks. `worker.ts` adds them to its list. */
import { limits } from '../../config.ts'
import type { JobKinds } from '../../lib/jobs/job.ts'
import { hours, seconds } from '../../lib/time/clock.ts'
import { deliverJob } from '../model/webhook.ts'
import { createDelivery, type DeliverDeps } from './deliver.ts'
import { type ReplayDeps, replayDead, replayDeadJob } from './replay-dead.ts'
import { keepWebhookTables } from './retention.ts'

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
    [replayDeadJob]: { run: (job) => replayDead(deps, job) },
    'webhook.keep-partitions': {
      everyMs: hours(1),
      async run() {
        await keepWebhookTables(deps.db, deps.clock.now())
      },
    },
  }
}
