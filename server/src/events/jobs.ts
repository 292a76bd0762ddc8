/** The background jobs of events; `worker.ts` adds them to its list. */

import type { JobKinds } from '../lib/jobs/job.ts'
import { days, hours, minutes, seconds } from '../lib/time/clock.ts'
import { fanOutJob } from './emit.ts'
import { createFanOut, type FanOutDeps } from './fan-out.ts'
import { keepEventTables } from './retention.ts'

// Nobody sees an event until it has a position, so the job is retried for a day before a person
// must look.
const fanOutRetries = [
  seconds(1),
  seconds(5),
  seconds(30),
  minutes(2),
  minutes(10),
  ...Array.from({ length: days(1) / hours(1) }, () => hours(1)),
]

export function eventJobs(deps: FanOutDeps): JobKinds {
  const fanOut = createFanOut(deps)
  return {
    [fanOutJob]: {
      retryDelays: fanOutRetries,
      // Jobs that run at the same time share a transaction.
      perLane: 20,
      perTurn: 20,
      async run(job) {
        await fanOut(job)
        return { outcome: 'settled' }
      },
    },
    'event.keep-partitions': {
      everyMs: hours(1),
      async run() {
        await keepEventTables(deps.db, deps.clock.now())
      },
    },
  }
}
