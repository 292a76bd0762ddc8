/**
 * Decides which shards this worker serves. Each worker takes its share of the 256, releases the
 * surplus when another worker starts, and takes over the shards of a worker that is gone.
 */

import { randomUUID } from 'node:crypto'
import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'
import { type Clock, hours, later } from '../time/clock.ts'
import { everyShard, type LeaseTimes, shardCount } from './job.ts'

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
  await db.run(sql`
    update jobs set due_at = ${now}
    where lease is not null and claimed_at > ${now} and due_at > ${latestEnd} and parked_at is null
  `)
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
