/** The background jobs of bounces; `worker.ts` adds them to its list. */

import type { Db } from '../lib/db/types.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import { type Clock, days, hours, later } from '../lib/time/clock.ts'
import { deleteReports, deleteSoftBounces } from './queries.ts'

/** Longer than any server retries to send a report (RFC 5321: days). */
const reportsKeptFor = days(90)
/** Soft bounces further apart are not consecutive. */
const softBouncesKeptFor = days(180)

export function reportJobs({ db, clock }: { db: Db; clock: Clock }): JobKinds {
  return {
    'feedback.sweep': {
      everyMs: hours(1),
      async run() {
        const now = clock.now()
        await deleteReports(db, later(now, -reportsKeptFor))
        await deleteSoftBounces(db, later(now, -softBouncesKeptFor))
      },
    },
  }
}
