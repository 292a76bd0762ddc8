import type { Db } from '../db/types.ts'
import { type Clock, later } from '../time/clock.ts'
import { type JobKinds, priorities } from './job.ts'
import { insertPeriodic } from './queue-queries.ts'
import { periodicId, placeOf } from './shard.ts'

/**
 * Ensures that each periodic kind has its one job, whatever the number of workers. A dead job is
 * revived when a worker starts.
 */
export async function ensurePeriodic(db: Db, kinds: JobKinds, clock: Clock): Promise<void> {
  const now = clock.now()
  for (const [kind, { everyMs }] of Object.entries(kinds)) {
    if (everyMs === undefined) continue
    const { shard, laneId } = placeOf({ kind })
    const job = {
      id: periodicId(kind),
      laneId,
      kind,
      payload: 'null',
      dueAt: later(now, everyMs),
      failures: 0,
      priority: priorities.normal,
    }
    await insertPeriodic(db, shard, job, now)
  }
}
