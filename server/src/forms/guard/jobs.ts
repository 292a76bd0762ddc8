/** The background work of guarded forms; `worker.ts` adds it to the list. */
import type { Database } from '../../lib/db/types.ts'
import type { Job, JobKinds, Verdict } from '../../lib/jobs/job.ts'
import { type Clock, hours, later, seconds } from '../../lib/time/clock.ts'
import { checkGuard, type GuardPayload, guardCheckJob } from './guard.ts'
import { type GuardedMailDeps, guardedMailJob, sendGuardedMail } from './guarded-mail.ts'
import { guardLimits } from './limits.ts'

export interface GuardJobDeps extends GuardedMailDeps {
  db: Database
  clock: Clock
}

const mailRetries = [seconds(30), seconds(300), hours(1), hours(6)]

export function guardJobs(deps: GuardJobDeps): JobKinds {
  const { db, clock } = deps
  return {
    [guardCheckJob]: {
      async run({ payload }): Promise<Verdict> {
        const { business_id: businessId, form_id: formId } = payload as GuardPayload
        const now = clock.now()
        const stays = await db.tx((tx) => checkGuard(tx, { businessId, formId }, now))
        return stays
          ? { outcome: 'again', at: later(now, guardLimits.checkMs) }
          : { outcome: 'done' }
      },
    },
    [guardedMailJob]: {
      retryDelays: mailRetries,
      timeoutMs: seconds(60),
      run: (job) =>
        sendGuardedMail(deps, job as Job<Parameters<typeof sendGuardedMail>[1]['payload']>),
    },
  }
}
