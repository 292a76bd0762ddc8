/** The background jobs of tracking. `worker.ts` adds them to its list. */

import type { FeedbackDeps } from '../bounces/ingest-reports.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import { type Clock, days, hours, later, minutes } from '../lib/time/clock.ts'
import { type JudgePayload, judgeJob } from './clicks.ts'
import { judgeClicks } from './judge-clicks.ts'
import { sweepLinks } from './keep-links.ts'
import { deleteVisits, findUnjudged } from './visit-queries.ts'

const visitsKeptFor = days(1)

export function visitJobs(deps: FeedbackDeps & { clock: Clock }): JobKinds {
  const { db, clock } = deps
  return {
    [judgeJob]: {
      async run({ payload }) {
        const { business_id, message_id, since } = payload as JudgePayload
        const message = { businessId: business_id, messageId: message_id }
        await judgeClicks(deps, message, { since: new Date(since), now: clock.now() })
      },
    },
    // For rare clicks whose transaction took longer than their job waited.
    'feedback.judge-late-clicks': {
      everyMs: minutes(5),
      async run() {
        const now = clock.now()
        for (const { since, ...message } of await findUnjudged(db, later(now, -minutes(1)))) {
          await judgeClicks(deps, message, { since, now })
        }
      },
    },
    'tracking.sweep': {
      everyMs: hours(1),
      async run() {
        const now = clock.now()
        await deleteVisits(db, later(now, -visitsKeptFor))
        await sweepLinks(db, now)
      },
    },
  }
}
