/** Brings jobs forward that were put off until a moment which does not hold any more. */

import { sql } from '../db/db.ts'
import type { Tx } from '../db/types.ts'

interface BringForward {
  kind: string
  /** Only jobs that are due at exactly this moment. */
  from: Date
  to: Date
  /** Only jobs whose payload has this text in this field. */
  part?: readonly [field: string, value: string]
  limit: number
  now: Date
}

/** Returns the payloads of the jobs. A job that a worker holds is left alone. */
export async function bringForward<Payload>(
  tx: Tx,
  { kind, from, to, part, limit, now }: BringForward,
): Promise<Payload[]> {
  const [field = null, value = null] = part ?? []
  const rows = await tx.all<{ payload: Payload }>(sql`
    with found as (
      select job.shard, job.id from lanes cross join lateral (
        select shard, id, payload from jobs
        where shard = lanes.shard and lane = lanes.id and parked_at is null
          and due_at = ${from} and lease is null
        limit ${limit}
      ) as job
      where lanes.kind = ${kind}
        and (${field}::text is null or job.payload ->> ${field}::text = ${value}::text)
      limit ${limit}
    ), moved as (
      update jobs set due_at = ${to} from found
      where jobs.shard = found.shard and jobs.id = found.id and jobs.lease is null
      returning jobs.shard, jobs.lane, jobs.payload
    ), woken as (
      update lanes set next_at = ${to}, touched_at = ${now}
      from (select distinct shard, lane from moved) as of
      where lanes.shard = of.shard and lanes.id = of.lane and lanes.next_at > ${to}
    )
    select payload from moved
  `)
  return rows.map(({ payload }) => payload)
}
