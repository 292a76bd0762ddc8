/** The cost of a claim while retries wait for their time in the same lane. */

import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { placeOf } from '../../server/src/lib/jobs/job.ts'
import { systemClock } from '../../server/src/lib/time/clock.ts'
import { put, take } from '../../tests/support/jobs/jobs.ts'
import { median } from '../support/bench.ts'
import { sizes } from '../support/sizes.ts'

const kind = 'bench.retries'
const { claims } = sizes.webhooks

/** Future retries, as after a receiver's outage of a day. */
export async function addRetries(db: Database, n: number): Promise<void> {
  const { shard, laneId } = placeOf({ kind, businessId: null })
  await db.run(sql`
    insert into jobs (shard, id, lane, kind, payload, due_at, attempt, created_at)
    select ${shard}, uuidv7(), ${laneId}, ${kind}, '{}',
      now() + make_interval(hours => 1, secs => i * 0.01), 3, now()
    from generate_series(1, ${n}::int) as i
  `)
  await db.run(sql`analyze jobs`)
}

/** Milliseconds for claiming one job, the median of many. */
export async function claimMs(db: Database): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < claims; i++) {
    await put(db, [{ businessId: null, kind }], systemClock.now())
    const began = performance.now()
    const jobs = await take(db, systemClock, { kind })
    times.push(performance.now() - began)
    const [job] = jobs
    if (!job || jobs.length > 1) throw new Error(`a claim of one took ${jobs.length}`)
    // Deletes by the key, as a settle does: searching a million rows here would push the pages that
    // the next claim reads out of the caches.
    await db.run(sql`delete from jobs where shard = ${job.shard} and id = ${job.id}`)
  }
  return median(times)
}
