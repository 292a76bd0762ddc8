/** Dead jobs: the facts that an operator sees, and how to revive them. */

import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'

export interface DeadJobs {
  kind: string
  /** The class and code of the last error; `poison` where the job's workers died. */
  fault: string | null
  jobs: number
  oldest: Date
}

export function listDead(db: Db): Promise<DeadJobs[]> {
  return db.all<DeadJobs>(sql`
    select kind, fault, count(*)::int as jobs, min(parked_at) as oldest
    from jobs where parked_at is not null
    group by kind, fault order by kind, fault
  `)
}

/** Makes dead jobs of one kind due again, as if they were new, and returns their number. */
export async function releaseDead(db: Db, kind: string, now: Date): Promise<number> {
  const { released } = await db.one<{ released: number }>(sql`
    with released as (
      update jobs set
        parked_at = null, lease = null, fault = null, attempt = 0, claims = 0, due_at = ${now}
      where kind = ${kind} and parked_at is not null
      returning shard, lane
    ), woken as (
      update lanes set next_at = ${now}, touched_at = ${now}
      from (select distinct shard, lane from released) as lane
      where lanes.shard = lane.shard and lanes.id = lane.lane and lanes.next_at > ${now}
    )
    select count(*)::int as released from released
  `)
  return released
}
