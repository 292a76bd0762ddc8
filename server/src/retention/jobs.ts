/** The nightly deletion of each business in its own time zone, in turns, one batch at a time. */
import type { Job, JobKinds, Verdict } from '../lib/jobs/job.ts'
import { hours, minutes } from '../lib/time/clock.ts'
import { type RetentionPayload, retentionJob } from './job.ts'
import type { RetentionDeps } from './run.ts'

export function retentionJobs(deps: RetentionDeps): JobKinds {
  return {
    'retention.begin-nights': {
      everyMs: minutes(30),
      // Loaded only when needed, because this code runs only at night.
      async run() {
        const { beginNights } = await import('./nights.ts')
        await beginNights(deps)
      },
    },
    'test-mode.empty': {
      everyMs: hours(1),
      async run() {
        const { emptyTestMode } = await import('./test-data.ts')
        await emptyTestMode(deps)
      },
    },
    [retentionJob]: {
      perLane: 1,
      atOnce: 2,
      async run({ payload }: Job): Promise<Verdict> {
        const { runBatch } = await import('./run.ts')
        const isMore = await runBatch(deps, (payload as RetentionPayload).business_id)
        // The job is released after each batch, so that a large business delays no small one.
        return isMore ? { outcome: 'again', at: deps.clock.now() } : { outcome: 'done' }
      },
    },
  }
}
