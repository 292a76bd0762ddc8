import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'
import { type HeldJob, rewriteJobs } from './claim-queries.ts'
import type { Outcome } from './job.ts'

export interface Settlement {
  job: HeldJob
  outcome: Outcome
}

/**
 * Ends claims in the caller's transaction, and returns those of the given jobs that were still
 * held. A job whose lease was lost is not changed. The caller must not commit its own writes for
 * that job, since another worker has it now. It returns the jobs and not their ids, since the same
 * job may occur a second time under an old lease.
 */
export async function settle(
  db: Db,
  settlements: Settlement[],
  now: Date,
): Promise<ReadonlySet<HeldJob>> {
  const allDone = settlements.every(({ outcome }) => outcome.outcome === 'done')
  const rows = await (allDone ? removeDone(db, settlements) : endClaims(db, settlements, now))
  return heldOf(settlements, rows)
}

/**
 * Records in the caller's transaction that part of some jobs is done: the payload becomes the
 * remaining work, and the claim continues. Returns the jobs that were still held, as `settle` does.
 */
export async function keepOn(
  db: Db,
  jobs: { job: HeldJob; payload: unknown }[],
): Promise<ReadonlySet<HeldJob>> {
  return heldOf(jobs, await rewriteJobs(db, jobs))
}

type Claimed = Pick<HeldJob, 'id' | 'lease'>

function heldOf(all: readonly { job: HeldJob }[], rows: readonly Claimed[]): ReadonlySet<HeldJob> {
  const keys = new Set(rows.map(keyOf))
  return new Set(all.map(({ job }) => job).filter((job) => keys.has(keyOf(job))))
}

const keyOf = ({ id, lease }: Claimed) => `${lease} ${id}`

/** The settle of most jobs, at a third of the cost. */
function removeDone(db: Db, settlements: Settlement[]): Promise<Claimed[]> {
  const shards = settlements.map(({ job }) => job.shard)
  const ids = settlements.map(({ job }) => job.id)
  const leases = settlements.map(({ job }) => job.lease)
  return db.all(sql`
    delete from jobs
    using unnest(${shards}::smallint[], ${ids}::uuid[], ${leases}::uuid[]) as ended (shard, id, lease)
    where jobs.shard = ended.shard and jobs.id = ended.id and jobs.lease = ended.lease
    returning jobs.id, jobs.lease
  `)
}

function endClaims(db: Db, settlements: Settlement[], now: Date): Promise<Claimed[]> {
  const shards = settlements.map(({ job }) => job.shard)
  const ids = settlements.map(({ job }) => job.id)
  const leases = settlements.map(({ job }) => job.lease)
  const outcomes = settlements.map(({ outcome }) => outcome.outcome)
  const dues = settlements.map(({ outcome }) => ('at' in outcome ? outcome.at : now))
  const faults = settlements.map(({ outcome }) => ('fault' in outcome ? outcome.fault : null))
  return db.all(sql`
    with ended (shard, id, lease, outcome, due_at, fault) as (
      select * from unnest(${shards}::smallint[], ${ids}::uuid[], ${leases}::uuid[],
        ${outcomes}::text[], ${dues}::timestamptz[], ${faults}::text[])
    ), removed as (
      delete from jobs using ended
      where jobs.shard = ended.shard and jobs.id = ended.id and jobs.lease = ended.lease
        and ended.outcome = 'done'
      returning jobs.id, jobs.lease
    ), kept as (
      update jobs set
        lease = null,
        due_at = ended.due_at,
        attempt = case ended.outcome
          when 'again' then 0 when 'returned' then jobs.attempt else jobs.attempt + 1 end,
        claims = case ended.outcome when 'returned' then greatest(0, jobs.claims - 1) else 0 end,
        lost = case ended.outcome when 'returned' then jobs.lost end,
        parked_at = case ended.outcome when 'dead' then ${now}::timestamptz end,
        fault = ended.fault
      from ended
      where jobs.shard = ended.shard and jobs.id = ended.id and jobs.lease = ended.lease
        and ended.outcome <> 'done'
      returning jobs.shard, jobs.id, ended.lease, jobs.lane, jobs.due_at, jobs.parked_at
    ), asleep as (
      select lanes.shard, lanes.id, first.due_at
      from lanes join (
        select shard, lane, min(due_at) as due_at from kept
        where parked_at is null group by shard, lane
      ) first on lanes.shard = first.shard and lanes.id = first.lane
      where lanes.next_at > first.due_at
      for no key update of lanes skip locked
    ), woken as (
      update lanes set next_at = asleep.due_at, touched_at = ${now}
      from asleep where lanes.shard = asleep.shard and lanes.id = asleep.id
    )
    select id, lease from removed union all select id, lease from kept
  `)
}
