/** Runs the fan-out by hand, for tests that read the feed without a worker. */

import { randomUUID } from 'node:crypto'
import { fanOutJob } from 'crier-server/events/emit.ts'
import { createFanOut, type FanOutDeps } from 'crier-server/events/fan-out.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import type { Job } from 'crier-server/lib/jobs/job.ts'

/** Gives every waiting event its position in the feed. */
export async function placeEvents(deps: FanOutDeps): Promise<void> {
  await Promise.all((await claimFanOuts(deps.db)).map(createFanOut(deps)))
}

/** Claims all waiting fan-outs, as a worker would. */
export function claimFanOuts(db: Db): Promise<Job[]> {
  const lease = randomUUID()
  return db.all<Job>(sql`
    update jobs set lease = ${lease} where kind = ${fanOutJob} and lease is null
    returning business_id as "businessId", shard, id, kind, lane as "laneId", payload, due_at as "dueAt",
      attempt + 1 as attempt, lease, 20 as capacity
  `)
}
