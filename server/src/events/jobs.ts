/** The background work of events; `worker.ts` adds it to the list. */

import type { JobKinds } from '../lib/jobs/job.ts'
import { days, hours, minutes, seconds } from '../lib/time/clock.ts'
import { fanOutJob } from './emit.ts'
import { createFanOut, type FanOutDeps } from './fan-out.ts'
import { keepEventTables } from './retention.ts'

// Without its place an event is seen by nobody: the job is tried for a day before a
// person must look.
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
      // Those in hand at once share a transaction.
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
