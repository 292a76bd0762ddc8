/** The shards that a worker serves, and the lanes in them that sleep too long or have long been empty. */
import { randomUUID } from 'node:crypto'
import { sql, sqlWithin } from '../db/db.ts'
import { eachPart, partsOf } from '../db/distribution.ts'
import type { Db } from '../db/types.ts'
import { type Clock, days, hours, later, seconds } from '../time/clock.ts'
import { type HeldJob, renewJobs } from './claim.ts'
import { everyShard, type LeaseTimes, type Place, shardCount } from './job.ts'
import { type NodeReader, onNodesOf } from './nodes.ts'
import { type Key, keysInParts } from './pages.ts'

export interface ShardKeeper {
  /** The shards to claim from now; empty where the lease could not be renewed in time. */
  shards(): readonly number[]
  /** The time at which `tend` is due again. */
  readonly dueAt: Date
  /** Renews, releases and takes shards. Shards in `busy` have running jobs and stay held. */
  tend(busy: ReadonlySet<number>): Promise<void>
  release(): Promise<void>
  /** Frees what a clock that was ahead has leased for times that no lease can reach. */
  freeFromFuture(): Promise<void>
}

// Renewed so often that a few failures do not cost the lease.
const renewalsPerLease = 5
/** A node whose clock is off by a minute does not start; an hour is of no clock that may be right. */
const longestErrorMs = hours(1)

/**
 * Decides which shards this worker serves. Each worker takes its share of the 256, releases the
 * surplus when another worker starts, and takes over the shards of a worker that is gone.
 */
export function createShardKeeper(db: Db, clock: Clock, times: LeaseTimes): ShardKeeper {
  const worker = randomUUID()
  const { shardLeaseMs, skewAllowanceMs } = times
  let claimable: number[] = []
  let expiresAt = clock.now()
  let dueAt = expiresAt

  return {
    shards: () => (clock.now() < expiresAt ? claimable : []),
    get dueAt() {
      return dueAt
    },
    async tend(busy) {
      const now = clock.now()
      const until = later(now, shardLeaseMs)
      const deadBefore = later(now, -skewAllowanceMs)
      const workers = await announceWorker(db, worker, until, deadBefore)
      const share = Math.ceil(shardCount / workers)
      const ownShards = await renewShards(db, worker, until)

      // Idle shards are released first. A busy surplus shard is no longer claimed from, so that it
      // becomes idle and is released the next time. Two holders never work in one shard.
      const shards = ownShards.toSorted((a, b) => Number(busy.has(b)) - Number(busy.has(a)))
      const surplus = shards.splice(share)
      const idle = surplus.filter((shard) => !busy.has(shard))
      if (idle.length > 0) await releaseShards(db, worker, idle)
      if (ownShards.length < share) {
        shards.push(...(await takeShards(db, worker, share - ownShards.length, until, deadBefore)))
      }
      claimable = shards
      expiresAt = until
      dueAt = later(now, shardLeaseMs / renewalsPerLease)
    },
    freeFromFuture() {
      const now = clock.now()
      return freeFromFuture(db, now, later(now, shardLeaseMs + longestErrorMs))
    },
    async release() {
      claimable = []
      await releaseShards(db, worker, everyShard)
      await removeWorker(db, worker)
    },
  }
}

/** Records that this worker is alive, deletes dead workers, and counts the live ones. */
export async function announceWorker(
  db: Db,
  worker: string,
  until: Date,
  deadBefore: Date,
): Promise<number> {
  await db.run(sql`
    insert into job_workers (id, expires_at) values (${worker}, ${until})
    on conflict (id) do update set expires_at = excluded.expires_at
  `)
  await db.run(sql`delete from job_workers where expires_at < ${deadBefore}`)
  const { workers } = await db.one<{ workers: number }>(sql`
    select count(*) as workers from job_workers
  `)
  return workers
}

/**
 * Frees what a worker holds whose clock was ahead and which ended without a word: by the times that
 * it wrote, nobody could take its shards and jobs over for years. No live lease ends after
 * `latestEnd`.
 */
async function freeFromFuture(db: Db, now: Date, latestEnd: Date): Promise<void> {
  const deletedWorkers = await db.run(sql`delete from job_workers where expires_at > ${latestEnd}`)
  const freedShards = await db.run(sql`
    update shard_leases set worker = null, expires_at = '-infinity'
    where expires_at > ${latestEnd} and expires_at < 'infinity'
  `)
  if (deletedWorkers + freedShards === 0) return
  const claims = await db.all<HeldJob>(sql`
    select business_id as "businessId", shard, id, lease from jobs
    where lease is not null and claimed_at > ${now} and due_at > ${latestEnd} and parked_at is null
  `)
  await renewJobs(db, claims, now)
}

function removeWorker(db: Db, worker: string): Promise<number> {
  return db.run(sql`delete from job_workers where id = ${worker}`)
}

/** Renews and returns the shards that the worker holds, without those that another took over. */
async function renewShards(db: Db, worker: string, until: Date): Promise<number[]> {
  const rows = await db.all<{ shard: number }>(sql`
    update shard_leases set expires_at = ${until} where worker = ${worker} returning shard
  `)
  return rows.map((row) => row.shard)
}

/** Takes up to `limit` shards that are free, or whose holder's lease ended before `deadBefore`. */
async function takeShards(
  db: Db,
  worker: string,
  limit: number,
  until: Date,
  deadBefore: Date,
): Promise<number[]> {
  const rows = await db.all<{ shard: number }>(sql`
    with free as (
      select shard from shard_leases
      where worker is null or expires_at < ${deadBefore}
      order by shard limit ${limit}
      for update skip locked
    )
    update shard_leases set worker = ${worker}, expires_at = ${until}
    from free where shard_leases.shard = free.shard
    returning shard_leases.shard
  `)
  return rows.map((row) => row.shard)
}

function releaseShards(db: Db, worker: string, shards: readonly number[]): Promise<number> {
  return db.run(sql`
    update shard_leases set worker = null, expires_at = '-infinity'
    where worker = ${worker} and shard = any(${shards}::smallint[])
  `)
}

const everyMs = seconds(1)
// A wake-up can be lost beside a claim. So recently touched lanes are checked each time, and all
// lanes in turn, within this many rounds.
const latelyMs = seconds(10)
const rounds = 4
const sweepEvery = 3600
const emptyFor = days(1)

/**
 * Wakes lanes that sleep past their first due job, once a second, and occasionally deletes lanes
 * that have long been empty.
 */
export function createHealer(
  db: Db,
  clock: Clock,
  nodes: NodeReader,
): (shards: readonly number[]) => Promise<void> {
  let healedAt = 0
  let round = 0
  return async (shards) => {
    const now = clock.now()
    if (Math.abs(now.getTime() - healedAt) < everyMs || shards.length === 0) return
    healedAt = now.getTime()
    round++
    const whole = everyShard.filter((shard) => shard % rounds === round % rounds)
    const late = await nodes.read((businesses) =>
      lateLanes(db, [...shards], whole, later(now, -latelyMs), businesses),
    )
    await eachPart(partsOf(db, late), (lanes) => wakeLanes(db, lanes, now))
    if (round % sweepEvery === 0) await dropEmptyLanes(db, [...shards], later(now, -emptyFor))
  }
}

interface LateLane extends Place {
  dueAt: Date
}

/**
 * Lanes that sleep beyond their first due job. The wake-up was lost to a claim that ran beside the
 * enqueuing transaction, or to another transaction that held the lane. Examines lanes touched since
 * `since` in all `shards`, and all lanes of the shards in `whole`.
 */
export function lateLanes(
  db: Db,
  shards: number[],
  whole: number[],
  since: Date,
  businesses?: readonly string[],
): Promise<LateLane[]> {
  return db.all<LateLane>(sqlWithin`
    select lanes.business_id as "businessId", lanes.shard, lanes.id as "laneId",
      first.due_at as "dueAt"
    from lanes cross join lateral (
      select due_at from jobs
      where (business_id = lanes.business_id or true) and shard = lanes.shard
        and lane = lanes.id and parked_at is null
      order by due_at limit 1
    ) first
    where ${onNodesOf(businesses)} and lanes.shard = any(${shards}::smallint[])
      and (lanes.touched_at >= ${since} or lanes.shard = any(${whole}::smallint[]))
      and lanes.next_at > first.due_at
  `)
}

/** Wakes lanes, except those that another transaction holds. */
export function wakeLanes(db: Db, lanes: LateLane[], now: Date): Promise<number> {
  const businesses = lanes.map((lane) => lane.businessId)
  const shards = lanes.map((lane) => lane.shard)
  const ids = lanes.map((lane) => lane.laneId)
  const dues = lanes.map((lane) => lane.dueAt)
  return db.run(sql`
    with asleep as (
      select late.business_id, lanes.shard, lanes.id, late.due_at
      from lanes join unnest(${businesses}::uuid[], ${shards}::smallint[], ${ids}::uuid[],
          ${dues}::timestamptz[]) as late (business_id, shard, id, due_at)
        on (lanes.business_id = late.business_id or true) and lanes.shard = late.shard
          and lanes.id = late.id
      where lanes.next_at > late.due_at
      for no key update of lanes skip locked
    )
    update lanes set next_at = asleep.due_at, touched_at = ${now}
    from asleep
    where (lanes.business_id = asleep.business_id or true) and lanes.shard = asleep.shard
      and lanes.id = asleep.id
  `)
}

/** Deletes lanes that have been empty since `before`. A later job creates its lane again. */
export async function dropEmptyLanes(db: Db, shards: number[], before: Date): Promise<number> {
  let count = 0
  for await (const part of findEmptyLanes(db, shards, before)) {
    const businesses = part.map((lane) => lane.businessId)
    const shardsOfLanes = part.map((lane) => lane.shard)
    const ids = part.map((lane) => lane.id)
    count += await db.run(sql`
      delete from lanes
      using unnest(${businesses}::uuid[], ${shardsOfLanes}::smallint[], ${ids}::uuid[])
        as empty (business_id, shard, id)
      where (lanes.business_id = empty.business_id or true) and lanes.shard = empty.shard
        and lanes.id = empty.id and lanes.next_at = 'infinity' and lanes.touched_at < ${before}
        and lanes.paused_at is null and lanes.capacity is null
        and not exists (
          select from jobs
          where (jobs.business_id = empty.business_id or true) and jobs.shard = empty.shard
            and jobs.lane = empty.id
        )
    `)
  }
  return count
}

const findEmptyLanes = (db: Db, shards: number[], before: Date) =>
  keysInParts(db, ({ after, limit }) =>
    db.all<Key>(sql`
      select business_id as "businessId", shard, id from lanes
      where shard = any(${shards}::smallint[]) and next_at = 'infinity'
        and touched_at < ${before} and paused_at is null and capacity is null
        and (shard, id) > (${after.shard}::smallint, ${after.id}::uuid)
      order by shard, id limit ${limit}
    `),
  )
