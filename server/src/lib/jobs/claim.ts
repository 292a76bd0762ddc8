/**
 * A worker's claim of jobs, from its beginning to its end: the lanes that are due, the jobs taken from
 * them, their leases renewed, and the settle, which is fenced by the lease. The queue of the worker's
 * lanes is at the end.
 */
import { sql, sqlWithin } from '../db/db.ts'
import { eachPart, isSpread, partsOf } from '../db/distribution.ts'
import type { Db } from '../db/types.ts'
import { later } from '../time/clock.ts'
import {
  type Job,
  type LostClaim,
  maxClaims,
  maxRests,
  type Outcome,
  type Place,
  priorities,
  restMs,
} from './job.ts'
import { onNodesOf } from './nodes.ts'

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

interface DueLane extends Place {
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
  appetite: Appetite,
  horizon: Date,
  businesses?: readonly string[],
): Promise<DueLane[]> {
  if (isSpread(db)) return dueLanesOfNodes(db, shards, appetite, { horizon, businesses })
  const { kinds, bulkKinds, perLane, heldLanes, heldJobs } = appetite
  return db.all<DueLane>(sql`
    select first.business_id as "businessId", mine.shard, first.id as "laneId", class.priority,
      first.capacity, first.next_at as "nextAt"
    from unnest(${shards}::smallint[]) as mine (shard)
    cross join unnest(${allPriorities}::smallint[]) as class (priority)
    cross join lateral (
      select business_id, id, next_at, coalesce(
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

/** As many as the lanes of a worker that has all shards, by priority. */
const lanesOfLook = 768

/**
 * The same on a distributed database, which does not look into each shard by itself: each of its
 * tables of lanes gives its first ones, in the order in which they are due. With `businesses` it asks
 * the nodes of these alone.
 */
function dueLanesOfNodes(
  db: Db,
  shards: readonly number[],
  { kinds, bulkKinds, perLane, heldLanes, heldJobs }: Appetite,
  { horizon, businesses }: { horizon: Date; businesses: readonly string[] | undefined },
): Promise<DueLane[]> {
  return db.all<DueLane>(sqlWithin`
    select business_id as "businessId", shard, id as "laneId", priority, next_at as "nextAt",
      coalesce(
        capacity, (${perLane}::int[])[array_position(${kinds}::text[], kind)]) as capacity
    from lanes
    where ${onNodesOf(businesses)}
      and shard = any(${shards}::smallint[]) and paused_at is null and next_at <= ${horizon}
      and kind = any(${kinds}::text[])
      and (priority < ${priorities.bulk} or kind = any(${bulkKinds}::text[]))
      and coalesce(capacity, (${perLane}::int[])[array_position(${kinds}::text[], kind)])
        > coalesce((${heldJobs}::int[])[array_position(${heldLanes}::uuid[], id)], 0)
    order by priority, next_at limit ${lanesOfLook}
  `)
}

const deadAt = maxClaims + 2 * maxRests

interface Claim {
  /** The lanes whose turn it is, whether they are known or only believed to be due. */
  lanes: readonly Place[]
  /** The most jobs of one lane in this turn; the kind may set fewer. */
  perTurn: number
  lease: string
  now: Date
  /** The end of the leases, after which the jobs fall due again by themselves. */
  until: Date
  /** Hears why jobs of some businesses could not be claimed: their node is away. */
  onFault?: (error: unknown) => void
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
 * commit while it runs; `lateLanes` repairs that. Throws only where nothing could be claimed.
 */
export async function claimJobs(db: Db, appetite: Appetite, claim: Claim): Promise<ClaimedJob[]> {
  const parts = partsOf(db, claim.lanes)
  const together = (lanes: Place[]) => claimTogether(db, appetite, { ...claim, lanes })
  const claims = await eachPart(parts, together, claim.onFault)
  return claims.flatMap(({ result }) => result)
}

async function claimTogether(db: Db, appetite: Appetite, claim: Claim): Promise<ClaimedJob[]> {
  const { kinds, bulkKinds, perLane, heldLanes, heldJobs } = appetite
  const { perTurn, lease, now, until } = claim
  const businesses = claim.lanes.map((lane) => lane.businessId)
  const shards = claim.lanes.map((lane) => lane.shard)
  const lanes = claim.lanes.map((lane) => lane.laneId)
  const rows = await db.all<ClaimedRow>(sql`
    with ready as materialized (
      select told.business_id, lanes.shard, lanes.id, lanes.priority, lanes.next_at,
        coalesce(lanes.capacity, kinds.per_lane) as capacity,
        least(${perTurn}::int, kinds.per_turn,
          coalesce(lanes.capacity, kinds.per_lane) - coalesce(held.jobs, 0)) as room
      from unnest(${businesses}::uuid[], ${shards}::smallint[], ${lanes}::uuid[])
        as told (business_id, shard, id)
      join lanes on (lanes.business_id = told.business_id or true)
        and lanes.shard = told.shard and lanes.id = told.id
      join unnest(${kinds}::text[], ${perLane}::int[], ${appetite.perTurn}::int[])
        as kinds (kind, per_lane, per_turn) on kinds.kind = lanes.kind
      left join unnest(${heldLanes}::uuid[], ${heldJobs}::int[]) as held (id, jobs)
        on held.id = lanes.id
      where lanes.paused_at is null
        and (lanes.priority < ${priorities.bulk} or lanes.kind = any(${bulkKinds}::text[]))
        and coalesce(lanes.capacity, kinds.per_lane) > coalesce(held.jobs, 0)
      for no key update of lanes skip locked
    ), picked as materialized (
      select ready.business_id, ready.shard, ready.id as lane, due.id, due.due_at, due.rests,
        -- Not in the update: Citus takes no function there whose result depends on settings.
        case when due.lease is not null and not due.rests then
          jsonb_build_object('lease', due.lease, 'at', due.claimed_at) end as lost
      from ready cross join lateral (
        select id, due_at, lease, claimed_at,
          -- Each rest is a claim, and each chance after it.
          claims >= ${maxClaims}::int and (claims - ${maxClaims}::int) % 2 = 0 as rests
        from jobs
        where (business_id = ready.business_id or true) and shard = ready.shard
          and lane = ready.id and parked_at is null and due_at <= ${now}
        order by due_at limit ready.room
        for update skip locked
      ) due
    ), claimed as (
      update jobs set
        -- A job that rests or is dead keeps the lease of its last run, which the next run is told.
        lease = case when picked.rests then jobs.lease else ${lease}::uuid end,
        claimed_at = case when picked.rests then jobs.claimed_at else ${now}::timestamptz end,
        lost = case when picked.lost is null then jobs.lost
          else coalesce(jobs.lost, '[]') || picked.lost end,
        claims = jobs.claims + 1,
        due_at = case when picked.rests then ${later(now, restMs)}::timestamptz else ${until} end,
        parked_at = case when jobs.claims >= ${deadAt}::int then ${now}::timestamptz end,
        fault = case when picked.rests then 'poison' else jobs.fault end
      from picked
      where (jobs.business_id = picked.business_id or true) and jobs.shard = picked.shard
        and jobs.id = picked.id
      returning jobs.business_id, jobs.shard, jobs.id, jobs.kind, jobs.lane, jobs.payload, picked.due_at,
        jobs.attempt + 1 as attempt, jobs.claims, jobs.lease, jobs.claimed_at,
        jobs.lost,
        case when jobs.parked_at is not null then 'dead' when picked.rests then 'rests' end as poison
    ), seen as (
      select ready.*, least(
        (select greatest(${now}, due_at) from jobs
          where (business_id = ready.business_id or true) and shard = ready.shard
            and lane = ready.id and parked_at is null
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
      where (lanes.business_id = seen.business_id or true) and lanes.shard = seen.shard
        and lanes.id = seen.id and seen.left_at <> seen.next_at
    )
    select claimed.business_id as "businessId", claimed.shard, claimed.id, kind, lane as "laneId", payload, due_at as "dueAt", attempt,
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
export type HeldJob = Pick<Job, 'businessId' | 'shard' | 'id' | 'lease'>

/**
 * Writes the remaining work into jobs that are still leased, and returns their ids. What earlier claims may
 * have done is no part of it.
 */
export function rewriteJobs(
  db: Db,
  jobs: { job: HeldJob; payload: unknown }[],
): Promise<Pick<HeldJob, 'id' | 'lease'>[]> {
  const businesses = jobs.map(({ job }) => job.businessId)
  const shards = jobs.map(({ job }) => job.shard)
  const ids = jobs.map(({ job }) => job.id)
  const leases = jobs.map(({ job }) => job.lease)
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload))
  return db.all(sql`
    update jobs set payload = held.payload, lost = null
    from unnest(${businesses}::uuid[], ${shards}::smallint[], ${ids}::uuid[], ${leases}::uuid[],
      ${payloads}::json[]) as held (business_id, shard, id, lease, payload)
    where (jobs.business_id = held.business_id or true) and jobs.shard = held.shard
      and jobs.id = held.id and jobs.lease = held.lease and jobs.parked_at is null
    returning jobs.id, jobs.lease
  `)
}

export interface Renewal {
  /** The ids of the jobs that are still held. */
  held: ReadonlySet<string>
  /** The ids of those that others have now. A job whose node did not answer is in neither. */
  lost: ReadonlySet<string>
}

/** Extends leases. Throws where no node answers. */
export async function renewJobs(
  db: Db,
  jobs: HeldJob[],
  until: Date,
  onFault?: (error: unknown) => void,
): Promise<Renewal> {
  const together = (part: HeldJob[]) => renewTogether(db, part, until)
  const answers = await eachPart(partsOf(db, jobs), together, onFault)
  const renewedIds = new Set<string>(answers.flatMap(({ result }) => result))
  const ids = answers.flatMap(({ part }) => part.map(({ id }) => id))
  return { held: renewedIds, lost: new Set(ids.filter((id) => !renewedIds.has(id))) }
}

async function renewTogether(db: Db, jobs: HeldJob[], until: Date): Promise<string[]> {
  const businesses = jobs.map((job) => job.businessId)
  const shards = jobs.map((job) => job.shard)
  const ids = jobs.map((job) => job.id)
  const leases = jobs.map((job) => job.lease)
  const renewed = await db.all<{ id: string }>(sql`
    update jobs set due_at = ${until}
    from unnest(${businesses}::uuid[], ${shards}::smallint[], ${ids}::uuid[], ${leases}::uuid[])
      as held (business_id, shard, id, lease)
    where (jobs.business_id = held.business_id or true) and jobs.shard = held.shard
      and jobs.id = held.id and jobs.lease = held.lease and jobs.parked_at is null
    returning jobs.id
  `)
  return renewed.map((row) => row.id)
}

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
  const businesses = settlements.map(({ job }) => job.businessId)
  const shards = settlements.map(({ job }) => job.shard)
  const ids = settlements.map(({ job }) => job.id)
  const leases = settlements.map(({ job }) => job.lease)
  return db.all(sql`
    delete from jobs
    using unnest(${businesses}::uuid[], ${shards}::smallint[], ${ids}::uuid[], ${leases}::uuid[])
      as ended (business_id, shard, id, lease)
    where (jobs.business_id = ended.business_id or true) and jobs.shard = ended.shard
      and jobs.id = ended.id and jobs.lease = ended.lease
    returning jobs.id, jobs.lease
  `)
}

function endClaims(db: Db, settlements: Settlement[], now: Date): Promise<Claimed[]> {
  const businesses = settlements.map(({ job }) => job.businessId)
  const shards = settlements.map(({ job }) => job.shard)
  const ids = settlements.map(({ job }) => job.id)
  const leases = settlements.map(({ job }) => job.lease)
  const outcomes = settlements.map(({ outcome }) => outcome.outcome)
  const dues = settlements.map(({ outcome }) => ('at' in outcome ? outcome.at : now))
  const faults = settlements.map(({ outcome }) => ('fault' in outcome ? outcome.fault : null))
  return db.all(sql`
    with ended (business_id, shard, id, lease, outcome, due_at, fault) as (
      select * from unnest(${businesses}::uuid[], ${shards}::smallint[], ${ids}::uuid[], ${leases}::uuid[],
        ${outcomes}::text[], ${dues}::timestamptz[], ${faults}::text[])
    ), removed as (
      delete from jobs using ended
      where (jobs.business_id = ended.business_id or true) and jobs.shard = ended.shard
        and jobs.id = ended.id and jobs.lease = ended.lease and ended.outcome = 'done'
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
      where (jobs.business_id = ended.business_id or true) and jobs.shard = ended.shard
        and jobs.id = ended.id and jobs.lease = ended.lease and ended.outcome <> 'done'
      returning ended.business_id, jobs.shard, jobs.id, ended.lease, jobs.lane, jobs.due_at, jobs.parked_at
    ), asleep as (
      select first.business_id, lanes.shard, lanes.id, first.due_at
      from lanes join (
        -- A lane is of one business. Jobs of old nodes, without one, may be in it.
        select (array_agg(business_id))[1] as business_id, shard, lane, min(due_at) as due_at
        from kept where parked_at is null group by shard, lane
      ) first on (lanes.business_id = first.business_id or true)
        and lanes.shard = first.shard and lanes.id = first.lane
      where lanes.next_at > first.due_at
      for no key update of lanes skip locked
    ), woken as (
      update lanes set next_at = asleep.due_at, touched_at = ${now}
      from asleep
      where (lanes.business_id = asleep.business_id or true) and lanes.shard = asleep.shard
        and lanes.id = asleep.id
    )
    select id, lease from removed union all select id, lease from kept
  `)
}

export interface WaitingLane extends Place {
  priority: number
  /** The limit of jobs in flight, where it is known from a recent read. */
  capacity?: number
  /** Whether the lane comes from a look at the database; `found` counts such lanes. */
  found?: boolean
}

/** `wait`: the lane keeps its place, because it has as many jobs in flight as allowed. */
export type LaneDecision = 'take' | 'wait' | 'drop'

/**
 * The lanes that one worker believes to have due jobs, in the order of their turns: by priority,
 * then first come, first served. It is only a hint, since a look at the database finds the lanes
 * that are missing here.
 */
export interface LaneQueue {
  readonly size: number
  /** The number of lanes that a look found and whose turn has not come since. */
  readonly found: number
  /** Returns false where the queue is full. A lane that is already queued keeps its place. */
  add(lane: WaitingLane): boolean
  /** The next lanes, at most `limit`. */
  take(limit: number, fate: (lane: WaitingLane) => LaneDecision): WaitingLane[]
}

/** About a megabyte. Another look finds the remaining lanes later. */
const maxLanes = 4096

export function createLaneQueue(): LaneQueue {
  const byPriority = new Map<number, Map<string, WaitingLane>>()
  let size = 0
  let count = 0

  return {
    get size() {
      return size
    },
    get found() {
      return count
    },
    add(lane) {
      const key = `${lane.shard} ${lane.laneId}`
      const lanes = byPriority.get(lane.priority) ?? new Map<string, WaitingLane>()
      const cached = lanes.get(key)
      if (!cached && size >= maxLanes) return false
      byPriority.set(lane.priority, lanes.set(key, { ...cached, ...lane }))
      if (!cached) size++
      if (lane.found && !cached?.found) count++
      return true
    },
    take(limit, fate) {
      const lanes: WaitingLane[] = []
      for (const priority of [...byPriority.keys()].sort((a, b) => a - b)) {
        for (const [key, lane] of byPriority.get(priority) ?? []) {
          if (lanes.length >= limit) return lanes
          const its = fate(lane)
          if (its === 'wait') continue
          byPriority.get(priority)?.delete(key)
          size--
          if (lane.found) count--
          if (its === 'take') lanes.push(lane)
        }
      }
      return lanes
    },
  }
}
