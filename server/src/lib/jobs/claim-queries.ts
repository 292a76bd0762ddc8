/** Statements with which a worker claims jobs and renews its leases. */

import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'
import { later } from '../time/clock.ts'
import { type Job, type LostClaim, maxClaims, maxRests, priorities, restMs } from './job.ts'
import type { Place } from './shard.ts'

/** The jobs that a worker can claim: its kinds with their limits, and its running jobs by lane. */
export interface Appetite {
  kinds: string[]
  /** The kinds whose bulk lanes may be claimed as well. */
  bulkKinds: string[]
  perLane: number[]
  perTurn: number[]
  heldLanes: string[]
  heldJobs: number[]
}

const allPriorities = Object.values(priorities)

export interface DueLane extends Place {
  priority: number
  /** The lane's limit of jobs in flight. */
  capacity: number
  nextAt: Date
}

/**
 * Lanes that are due by `horizon` and have room, the most urgent first. Examines only the first
 * lane of each shard and priority, so that fifty thousand due lanes cost no more than a few. Limits
 * are looked up in arrays, because a join in each of 768 lookups costs more than the lookups.
 */
export function dueLanes(
  db: Db,
  shards: readonly number[],
  { kinds, bulkKinds, perLane, heldLanes, heldJobs }: Appetite,
  horizon: Date,
): Promise<DueLane[]> {
  return db.all<DueLane>(sql`
    select mine.shard, first.id as "laneId", class.priority, first.capacity,
      first.next_at as "nextAt"
    from unnest(${shards}::smallint[]) as mine (shard)
    cross join unnest(${allPriorities}::smallint[]) as class (priority)
    cross join lateral (
      select id, next_at, coalesce(
        capacity, (${perLane}::int[])[array_position(${kinds}::text[], kind)]) as capacity
      from lanes
      where shard = mine.shard and priority = class.priority
        and paused_at is null and next_at <= ${horizon} and kind = any(${kinds}::text[])
        and (class.priority < ${priorities.bulk} or kind = any(${bulkKinds}::text[]))
        and coalesce(capacity, (${perLane}::int[])[array_position(${kinds}::text[], kind)])
          > coalesce((${heldJobs}::int[])[array_position(${heldLanes}::uuid[], id)], 0)
      order by next_at limit 1
    ) first
    order by class.priority, first.next_at
  `)
}

const deadAt = maxClaims + 2 * maxRests

export interface Claim {
  /** The lanes whose turn it is, whether they are known or only believed to be due. */
  lanes: readonly Place[]
  /** The most jobs of one lane in this turn; the kind may set fewer. */
  perTurn: number
  lease: string
  now: Date
  /** The end of the leases, after which the jobs fall due again by themselves. */
  until: Date
}

export interface ClaimedJob extends Job {
  /** The lane's priority. */
  priority: number
  /** Whether the lane has more due jobs after this claim. */
  more: boolean
  /** The job's claims are used up: it rests or is dead, and must not be run. */
  poison: 'rests' | 'dead' | null
}

/**
 * Claims due jobs of some lanes, a few of each, so that a lane with thousands of waiting jobs gets
 * no more turns than a lane with one. The cost depends on the claimed jobs, not on the waiting
 * ones. A lane is left with the due time of its next job. The statement does not see jobs that
 * commit while it runs; `lateLanes` repairs that.
 */
export async function claimJobs(db: Db, appetite: Appetite, claim: Claim): Promise<ClaimedJob[]> {
  const { kinds, bulkKinds, perLane, heldLanes, heldJobs } = appetite
  const { perTurn, lease, now, until } = claim
  const shards = claim.lanes.map((lane) => lane.shard)
  const lanes = claim.lanes.map((lane) => lane.laneId)
  const rows = await db.all<ClaimedRow>(sql`
    with ready as materialized (
      select lanes.shard, lanes.id, lanes.priority, lanes.next_at, coalesce(lanes.capacity, kinds.per_lane) as capacity,
        least(${perTurn}::int, kinds.per_turn,
          coalesce(lanes.capacity, kinds.per_lane) - coalesce(held.jobs, 0)) as room
      from unnest(${shards}::smallint[], ${lanes}::uuid[]) as told (shard, id)
      join lanes using (shard, id)
      join unnest(${kinds}::text[], ${perLane}::int[], ${appetite.perTurn}::int[])
        as kinds (kind, per_lane, per_turn) using (kind)
      left join unnest(${heldLanes}::uuid[], ${heldJobs}::int[]) as held (id, jobs) using (id)
      where lanes.paused_at is null
        and (lanes.priority < ${priorities.bulk} or lanes.kind = any(${bulkKinds}::text[]))
        and coalesce(lanes.capacity, kinds.per_lane) > coalesce(held.jobs, 0)
      for no key update of lanes skip locked
    ), picked as materialized (
      select ready.shard, ready.id as lane, due.id, due.due_at, due.lease, due.claimed_at,
        -- Each rest is a claim, and each chance after it.
        due.claims >= ${maxClaims}::int and (due.claims - ${maxClaims}::int) % 2 = 0 as rests
      from ready cross join lateral (
        select id, due_at, claims, lease, claimed_at from jobs
        where shard = ready.shard and lane = ready.id and parked_at is null and due_at <= ${now}
        order by due_at limit ready.room
        for update skip locked
      ) due
    ), claimed as (
      update jobs set
        -- A job that rests or is dead keeps the lease of its last run, which the next run is told.
        lease = case when picked.rests then jobs.lease else ${lease}::uuid end,
        claimed_at = case when picked.rests then jobs.claimed_at else ${now}::timestamptz end,
        lost = case when picked.rests or picked.lease is null then jobs.lost
          else coalesce(jobs.lost, '[]') || jsonb_build_object('lease', picked.lease, 'at', picked.claimed_at) end,
        claims = jobs.claims + 1,
        due_at = case when picked.rests then ${later(now, restMs)}::timestamptz else ${until} end,
        parked_at = case when jobs.claims >= ${deadAt}::int then ${now}::timestamptz end,
        fault = case when picked.rests then 'poison' else jobs.fault end
      from picked where jobs.shard = picked.shard and jobs.id = picked.id
      returning jobs.shard, jobs.id, jobs.kind, jobs.lane, jobs.payload, picked.due_at,
        jobs.attempt + 1 as attempt, jobs.claims, jobs.lease, jobs.claimed_at,
        jobs.lost,
        case when jobs.parked_at is not null then 'dead' when picked.rests then 'rests' end as poison
    ), seen as (
      select ready.*, least(
        (select greatest(${now}, due_at) from jobs
          where shard = ready.shard and lane = ready.id and parked_at is null
            and not exists (select from picked where picked.id = jobs.id)
          order by due_at limit 1),
        case when exists (select from picked where picked.lane = ready.id and picked.shard = ready.shard)
          then ${until}::timestamptz end,
        'infinity'
      ) as left_at
      from ready
    ), moved as (
      update lanes set touched_at = ${now}, next_at = seen.left_at
      from seen
      where lanes.shard = seen.shard and lanes.id = seen.id and seen.left_at <> seen.next_at
    )
    select claimed.shard, claimed.id, kind, lane as "laneId", payload, due_at as "dueAt", attempt,
      lease, claimed_at as "claimedAt", claims, lost, priority, capacity, left_at <= ${now} as more, poison
    from claimed join seen on claimed.shard = seen.shard and claimed.lane = seen.id
    order by due_at
  `)
  return rows.map((row) => Object.assign(row, { lost: lostOf(row) }))
}

type ClaimedRow = Omit<ClaimedJob, 'lost'> & { lost: { lease: string; at: string }[] | null }

const none: readonly LostClaim[] = []

function lostOf({ lost }: ClaimedRow): readonly LostClaim[] {
  return lost?.map(({ lease, at }) => ({ lease, at: new Date(at) })) ?? none
}

/** Identifies a claim of one job. Its lease fences every operation on the job. */
export type HeldJob = Pick<Job, 'shard' | 'id' | 'lease'>

/**
 * Writes the remaining work into jobs that are still leased, and returns their ids. What earlier claims may
 * have done is no part of it.
 */
export function rewriteJobs(
  db: Db,
  jobs: { job: HeldJob; payload: unknown }[],
): Promise<Pick<HeldJob, 'id' | 'lease'>[]> {
  const shards = jobs.map(({ job }) => job.shard)
  const ids = jobs.map(({ job }) => job.id)
  const leases = jobs.map(({ job }) => job.lease)
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload))
  return db.all(sql`
    update jobs set payload = held.payload, lost = null
    from unnest(${shards}::smallint[], ${ids}::uuid[], ${leases}::uuid[], ${payloads}::json[])
      as held (shard, id, lease, payload)
    where jobs.shard = held.shard and jobs.id = held.id and jobs.lease = held.lease
      and jobs.parked_at is null
    returning jobs.id, jobs.lease
  `)
}

/** Extends leases; returns the ids of the jobs still held. */
export async function renewJobs(db: Db, jobs: HeldJob[], until: Date): Promise<string[]> {
  const shards = jobs.map((job) => job.shard)
  const ids = jobs.map((job) => job.id)
  const leases = jobs.map((job) => job.lease)
  const renewed = await db.all<{ id: string }>(sql`
    update jobs set due_at = ${until}
    from unnest(${shards}::smallint[], ${ids}::uuid[], ${leases}::uuid[]) as held (shard, id, lease)
    where jobs.shard = held.shard and jobs.id = held.id and jobs.lease = held.lease
      and jobs.parked_at is null
    returning jobs.id
  `)
  return renewed.map((row) => row.id)
}
