/** The jobs of closings: the deletion of a business, and the mails to those who owned it. */
import { deletionJob } from '../accounts/businesses/closing.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import { hours, seconds } from '../lib/time/clock.ts'
import type { DeletionDeps } from './delete.ts'
import { type ClosingMailDeps, closingMailJob } from './mail.ts'

export function closingJobs(deps: DeletionDeps & ClosingMailDeps): JobKinds {
  return {
    [deletionJob]: {
      perLane: 1,
      atOnce: 1,
      // Loaded only when a business is deleted, which few services ever do.
      async run(job) {
        const { runDeletion } = await import('./delete.ts')
        return runDeletion(deps, job)
      },
    },
    [closingMailJob]: {
      retryDelays: [seconds(30), seconds(300), hours(1), hours(6)],
      timeoutMs: seconds(60),
      async run(job) {
        const { sendClosingMail } = await import('./send-mail.ts')
        await sendClosingMail(deps, job)
      },
    },
  }
}
