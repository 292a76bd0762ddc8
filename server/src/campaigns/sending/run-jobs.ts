/** The background work of campaigns; `worker.ts` adds it to the list. */

import type { Job, JobKind, JobKinds, Verdict } from '../../lib/jobs/job.ts'
import { minutes, seconds } from '../../lib/time/clock.ts'
import { type ApprovalMailDeps, approvalMailJobs } from './approval-mail.ts'
import { type FreezeDeps, freezeTurn } from './freeze.ts'
import { type CampaignPayload, freezeJob } from './queue.ts'
import { type RunDeps, runTurn } from './run.ts'
import { runJobKind } from './run-job.ts'
import { type StartDeps, startJobs } from './start.ts'

export type CampaignJobDeps = StartDeps & FreezeDeps & RunDeps & ApprovalMailDeps

/** A campaign is never laid aside: what fails is tried until it does not. */
const retryDelays = [
  seconds(1),
  seconds(5),
  seconds(30),
  ...Array.from({ length: 10_000 }, () => minutes(2)),
]

export function campaignJobs(deps: CampaignJobDeps): JobKinds {
  const kind = (turn: (job: Job<CampaignPayload>) => Promise<Verdict>): JobKind => ({
    perLane: 1,
    // Turns are short, and all of the database: two leave room for what sends.
    atOnce: 2,
    retryDelays,
    run: (job) => turn(job as Job<CampaignPayload>),
  })
  return {
    ...startJobs(deps),
    ...approvalMailJobs(deps),
    [freezeJob]: kind((job) => freezeTurn(deps, job)),
    [runJobKind]: kind((job) => runTurn(deps, job)),
  }
}
