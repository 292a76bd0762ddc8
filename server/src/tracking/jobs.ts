/** The background work on visits: of links in mail, and of images; `worker.ts` adds it to the list. */

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
    // A click whose transaction took longer than its job waited, of which there are few.
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
