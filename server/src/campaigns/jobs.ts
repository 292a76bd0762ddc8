/** The background jobs of campaigns; `worker.ts` adds them to its list. */

import type { Job, JobKind, JobKinds, Verdict } from '../lib/jobs/job.ts'
import type { Log } from '../lib/process/log.ts'
import { minutes, seconds } from '../lib/time/clock.ts'
import { type ApprovalMailDeps, approvalMailJobs, refusalMailJobs } from './approvals/mail.ts'
import { type CampaignPayload, freezeJob, runJobKind } from './sending/campaign-job.ts'
import { type FreezeDeps, freezeTick } from './sending/freeze.ts'
import { waitLogJobs } from './sending/log-waits.ts'
import { type RunDeps, runTick } from './sending/run.ts'
import { silenceJob, silenceTick } from './sending/silence.ts'
import { type StartDeps, startJobs } from './sending/start.ts'

export type CampaignJobDeps = StartDeps & FreezeDeps & RunDeps & ApprovalMailDeps & { log: Log }

/** A campaign's job is never given up: a failed run is retried until it succeeds. */
const retryDelays = [
  seconds(1),
  seconds(5),
  seconds(30),
  ...Array.from({ length: 10_000 }, () => minutes(2)),
]

export function campaignJobs(deps: CampaignJobDeps): JobKinds {
  const kind = (turn: (job: Job<CampaignPayload>) => Promise<Verdict>): JobKind => ({
    perLane: 1,
    // Ticks are short and only use the database: two at once leave room for the jobs that send.
    atOnce: 2,
    retryDelays,
    run: (job) => turn(job as Job<CampaignPayload>),
  })
  return {
    ...startJobs(deps),
    ...approvalMailJobs(deps),
    ...refusalMailJobs(deps),
    ...waitLogJobs(deps),
    [freezeJob]: kind((job) => freezeTick(deps, job)),
    [runJobKind]: kind((job) => runTick(deps, job)),
    [silenceJob]: kind((job) => silenceTick(deps, job)),
  }
}
