/** What a claim costs while retries wait for their time, in the lane that it claims from. */

import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { placeOf } from '../../server/src/lib/jobs/shard.ts'
import { systemClock } from '../../server/src/lib/time/clock.ts'
import { put, take } from '../../tests/support/jobs/jobs.ts'
import { median } from '../support/bench.ts'

const kind = 'bench.retries'
const claims = 100

/** Future retries, as a receiver that was down for a day leaves them. */
export async function addRetries(db: Database, n: number): Promise<void> {
  const { shard, laneId } = placeOf({ kind })
  await db.run(sql`
    insert into jobs (shard, id, lane, kind, payload, due_at, attempt, created_at)
    select ${shard}, uuidv7(), ${laneId}, ${kind}, '{}',
      now() + make_interval(hours => 1, secs => i * 0.01), 3, now()
    from generate_series(1, ${n}::int) as i
  `)
  await db.run(sql`analyze jobs`)
}

/** Milliseconds of a claim of one job, the median of many. */
export async function claimMs(db: Database): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < claims; i++) {
    await put(db, [{ kind }], systemClock.now())
    const began = performance.now()
    const jobs = await take(db, systemClock, { kind })
    times.push(performance.now() - began)
    const [job] = jobs
    if (!job || jobs.length > 1) throw new Error(`a claim of one took ${jobs.length}`)
    // As a settle does it, by its key: to search a million rows for it here would push out of
    // the caches what the next claim reads.
    await db.run(sql`delete from jobs where shard = ${job.shard} and id = ${job.id}`)
  }
  return median(times)
}
