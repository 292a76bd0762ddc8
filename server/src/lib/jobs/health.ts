/** What an operator sees of the queue: how long jobs wait, and dead jobs, which only a person revives. */
import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'
import type { JobKey } from './job.ts'
import { keysInParts } from './pages.ts'

export interface QueueHealth {
  /** Live workers. Without a worker no job runs. */
  workers: number
  /** Kinds with a due job that waits, and the time since which the oldest one does. */
  waiting: { kind: string; oldestDueAt: Date }[]
  /** Kinds with dead jobs, which only a person revives. */
  dead: { kind: string; jobs: number }[]
}

/** Above it jobs are not counted, which would take longer than a scrape may. */
const countedUpTo = 500_000

/** Counts each job. A scrape of the metrics has time for that, and a page that is watched has not. */
export async function queueDepths(db: Db): Promise<{ kind: string; jobs: number }[] | undefined> {
  const { jobs } = await db.one<{ jobs: number }>(sql`
    select count(*)::int as jobs from (select 1 from jobs limit ${countedUpTo + 1}) counted
  `)
  if (jobs > countedUpTo) return undefined
  return db.all(sql`
    select kind, count(*)::int as jobs from jobs where parked_at is null group by kind order by kind
  `)
}

/**
 * How many workers are alive. On a distributed database the coordinator knows, so that a node that is
 * away makes no process unready.
 */
export async function countWorkers(db: Db, now: Date): Promise<number> {
  const { workers } = await db.one<{ workers: number }>(sql`
    select count(*) as workers from job_workers where expires_at > ${now}
  `)
  return workers
}

/** Costs one lookup for each lane that is awake, however many jobs wait in it. */
export async function queueHealth(db: Db, now: Date): Promise<QueueHealth> {
  const workers = await countWorkers(db, now)
  const waiting = await db.all<QueueHealth['waiting'][number]>(sql`
    select lanes.kind, min(first.due_at) as "oldestDueAt"
    from lanes cross join lateral (
      select due_at from jobs
      where (business_id = lanes.business_id or true) and shard = lanes.shard
        and lane = lanes.id and parked_at is null and due_at <= ${now}
      order by due_at limit 1
    ) first
    where lanes.next_at <= ${now} and lanes.paused_at is null
    group by lanes.kind order by lanes.kind
  `)
  const dead = await db.all<QueueHealth['dead'][number]>(sql`
    select kind, count(*) as jobs from jobs
    where parked_at is not null group by kind order by kind
  `)
  return { workers, waiting, dead }
}

/**
 * Revives dead jobs of a kind once their cause is fixed; workers see them within seconds. Returns
 * their number.
 */
export async function reviveDead(db: Db, kind: string, now: Date): Promise<number> {
  let revived = 0
  for await (const part of findDead(db, kind)) {
    const { businesses, shards, ids } = columnsOf(part)
    revived += await db.run(sql`
      update jobs set parked_at = null, attempt = 0, claims = 0, due_at = ${now},
        -- The next claim is to know of the run that was never settled.
        lease = case when fault = 'poison' then jobs.lease end
      from unnest(${businesses}::uuid[], ${shards}::smallint[], ${ids}::uuid[])
        as dead (business_id, shard, id)
      where (jobs.business_id = dead.business_id or true) and jobs.shard = dead.shard
        and jobs.id = dead.id and jobs.parked_at is not null
    `)
  }
  return revived
}

const findDead = (db: Db, kind: string) =>
  keysInParts(db, ({ after, limit }) =>
    db.all<JobKey>(sql`
      select business_id as "businessId", shard, id from jobs
      where kind = ${kind} and parked_at is not null
        and (shard, id) > (${after.shard}::smallint, ${after.id}::uuid)
      order by shard, id limit ${limit}
    `),
  )

const columnsOf = (jobs: readonly JobKey[]) => ({
  businesses: jobs.map((job) => job.businessId),
  shards: jobs.map((job) => job.shard),
  ids: jobs.map((job) => job.id),
})

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
  let count = 0
  for await (const part of findDead(db, kind)) {
    const { businesses, shards, ids } = columnsOf(part)
    const { released } = await db.one<{ released: number }>(sql`
      with released as (
        update jobs set
          parked_at = null, lease = null, fault = null, attempt = 0, claims = 0, due_at = ${now}
        from unnest(${businesses}::uuid[], ${shards}::smallint[], ${ids}::uuid[])
          as dead (business_id, shard, id)
        where (jobs.business_id = dead.business_id or true) and jobs.shard = dead.shard
          and jobs.id = dead.id and jobs.parked_at is not null
        returning dead.business_id, jobs.shard, jobs.lane
      ), woken as (
        update lanes set next_at = ${now}, touched_at = ${now}
        from (select distinct business_id, shard, lane from released) as lane
        where (lanes.business_id = lane.business_id or true) and lanes.shard = lane.shard
          and lanes.id = lane.lane and lanes.next_at > ${now}
      )
      select count(*)::int as released from released
    `)
    count += released
  }
  return count
}
