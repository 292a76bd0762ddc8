/** The statements with which workers divide the shards among themselves. */

import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'

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
export async function freeFromFuture(db: Db, now: Date, latestEnd: Date): Promise<void> {
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

export function removeWorker(db: Db, worker: string): Promise<number> {
  return db.run(sql`delete from job_workers where id = ${worker}`)
}

/** Renews and returns the shards that the worker holds, without those that another took over. */
export async function renewShards(db: Db, worker: string, until: Date): Promise<number[]> {
  const rows = await db.all<{ shard: number }>(sql`
    update shard_leases set expires_at = ${until} where worker = ${worker} returning shard
  `)
  return rows.map((row) => row.shard)
}

/** Takes up to `limit` shards that are free, or whose holder's lease ended before `deadBefore`. */
export async function takeShards(
  db: Db,
  worker: string,
  limit: number,
  until: Date,
  deadBefore: Date,
): Promise<number[]> {
  const taken = await db.all<{ shard: number }>(sql`
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
  return taken.map((row) => row.shard)
}

export function releaseShards(db: Db, worker: string, shards: readonly number[]): Promise<number> {
  return db.run(sql`
    update shard_leases set worker = null, expires_at = '-infinity'
    where worker = ${worker} and shard = any(${shards}::smallint[])
  `)
}
