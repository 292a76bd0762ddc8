import { sql } from '../db/db.ts'
import { partsOf } from '../db/distribution.ts'
import type { Db, Tx } from '../db/types.ts'
import type { Id } from '../text/uuid.ts'
import { later } from '../time/clock.ts'
import {
  defaultTimes,
  type JobKey,
  type LaneName,
  type Place,
  type Priority,
  placeOf,
  priorities,
} from './job.ts'

/**
 * Suspends the lane's present and future jobs. Jobs in flight continue, and no job is dropped. A
 * lane without a job yet is created with the priority.
 */
export async function pauseLane(
  db: Db,
  lane: LaneName,
  now: Date,
  priority: Priority = 'normal',
): Promise<void> {
  const row = { ...placeOf(lane), kind: lane.kind, priority: priorities[priority] }
  await pauseLaneRow(db, row, now)
}

export async function resumeLane(db: Db, lane: LaneName, now: Date): Promise<void> {
  await resumeLaneRow(db, placeOf(lane), now)
}

export interface Steering {
  /** The limit of jobs in flight in the lane; null for the kind's own limit. */
  capacity: number | null
  priority: Priority
}

/** Sets the lane's limit of jobs in flight, and its priority. */
export async function steerLane(
  db: Db,
  lane: LaneName,
  { capacity, priority }: Steering,
  now: Date,
): Promise<void> {
  const row = { ...placeOf(lane), kind: lane.kind, priority: priorities[priority] }
  await steerLaneRow(db, row, capacity, now)
}

/** Whether the job waits in the lane or is running. */
export async function isQueued(db: Db, lane: LaneName, id: Id<'job'>): Promise<boolean> {
  return (await jobExists(db, placeOf(lane), id)) !== undefined
}

/** Those of the jobs that wait in the lane or are running. */
export function queuedOf(
  db: Db,
  lane: LaneName,
  ids: readonly Id<'job'>[],
): Promise<ReadonlySet<Id<'job'>>> {
  return existingJobs(db, placeOf(lane), ids)
}

/** Reads a job of the lane, which nobody claims until the transaction ends. */
export function lockJob(tx: Tx, lane: LaneName, id: Id<'job'>): Promise<QueuedJob | undefined> {
  return lockJobRow(tx, placeOf(lane), id)
}

/** Makes a job that nobody holds the first of its lane, due now, with this payload. */
export async function runFirst(
  tx: Tx,
  lane: LaneName,
  job: { id: Id<'job'>; payload: unknown },
  now: Date,
): Promise<void> {
  await putFirst(tx, placeOf(lane), job, now)
}

/** Jobs of the lanes that workers run now, or were running when they died. */
export function heldIn(db: Db, lanes: readonly LaneName[], now: Date): Promise<HeldNow[]> {
  const places = lanes.map((lane) => ({ ...placeOf(lane), kind: lane.kind }))
  return claimsIn(db, places, later(now, defaultTimes.jobLeaseMs))
}

/** Counts jobs of the lanes that wait, due or not, or are running. */
export function waitingIn(db: Db, lanes: readonly LaneName[], now: Date): Promise<Waiting> {
  return countWaiting(db, lanes.map(placeOf), now)
}

/** Whether a job of the lanes waits for exactly this moment. */
export async function waitsIn(db: Db, lanes: readonly LaneName[], dueAt: Date): Promise<boolean> {
  const places = lanes.map(placeOf)
  const row = await db.maybe(sql`
    select from unnest(${places.map(({ businessId }) => businessId)}::uuid[],
      ${places.map(({ shard }) => shard)}::smallint[],
      ${places.map(({ laneId }) => laneId)}::uuid[]) as of (business_id, shard, lane)
    where exists (
      select from jobs
      where (jobs.business_id = of.business_id or true) and jobs.shard = of.shard
        and jobs.lane = of.lane and jobs.parked_at is null and jobs.due_at = ${dueAt}
    )
    limit 1
  `)
  return row !== undefined
}

interface LaneRow extends Place {
  kind: string
  priority: number
}

function pauseLaneRow(db: Db, lane: LaneRow, now: Date): Promise<number> {
  return db.run(sql`
    insert into lanes (business_id, shard, id, kind, priority, next_at, touched_at, paused_at)
    values (${lane.businessId}, ${lane.shard}, ${lane.laneId}, ${lane.kind}, ${lane.priority},
      'infinity', ${now}, ${now})
    on conflict on constraint lanes_pkey
    do update set paused_at = coalesce(lanes.paused_at, excluded.paused_at)
  `)
}

/** The claim that reads the lane finds the due time of its first job. */
function resumeLaneRow(db: Db, lane: Place, now: Date): Promise<number> {
  return db.run(sql`
    update lanes set paused_at = null, next_at = ${now}, touched_at = ${now}
    where (business_id = ${lane.businessId} or true) and shard = ${lane.shard}
      and id = ${lane.laneId} and paused_at is not null
  `)
}

function steerLaneRow(db: Db, lane: LaneRow, capacity: number | null, now: Date): Promise<number> {
  return db.run(sql`
    insert into lanes (business_id, shard, id, kind, priority, next_at, touched_at, capacity)
    values (${lane.businessId}, ${lane.shard}, ${lane.laneId}, ${lane.kind}, ${lane.priority},
      'infinity', ${now}, ${capacity})
    on conflict on constraint lanes_pkey do update
    set capacity = excluded.capacity, priority = excluded.priority
    where (lanes.capacity, lanes.priority) is distinct from (excluded.capacity, excluded.priority)
  `)
}

function jobExists(
  db: Db,
  { businessId, shard }: Place,
  id: Id<'job'>,
): Promise<object | undefined> {
  return db.maybe(sql`
    select 1 from jobs
    where (business_id = ${businessId} or true) and shard = ${shard} and id = ${id}
  `)
}

/** Those of the jobs that wait or are running. */
async function existingJobs(
  db: Db,
  { businessId, shard }: Place,
  ids: readonly Id<'job'>[],
): Promise<ReadonlySet<Id<'job'>>> {
  const rows = await db.all<{ id: Id<'job'> }>(sql`
    select id from jobs
    where (business_id = ${businessId} or true) and shard = ${shard} and id = any(${ids}::uuid[])
  `)
  return new Set(rows.map(({ id }) => id))
}

/** A job of the queue, whether it waits or a worker has it. */
interface QueuedJob {
  payload: unknown
  dueAt: Date
  /** How many of its tries failed. */
  failures: number
  /** A worker has it, or it is dead. */
  isHeld: boolean
}

/** Reads a job, and keeps it from being claimed until the transaction ends. */
function lockJobRow(
  tx: Tx,
  { businessId, shard }: Place,
  id: Id<'job'>,
): Promise<QueuedJob | undefined> {
  return tx.maybe(sql`
    select payload, due_at as "dueAt", attempt as failures,
      lease is not null or parked_at is not null as "isHeld"
    from jobs
    where (business_id = ${businessId} or true) and shard = ${shard} and id = ${id}
    for update
  `)
}

/** Gives a waiting job this payload, and makes it due now, before all others of its lane. */
function putFirst(
  tx: Tx,
  lane: Place,
  { id, payload }: { id: Id<'job'>; payload: unknown },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    with first as (
      select least(min(due_at), ${now}) - interval '1 millisecond' as at from jobs
      where (business_id = ${lane.businessId} or true) and shard = ${lane.shard}
        and lane = ${lane.laneId} and parked_at is null
    ), moved as (
      update jobs set payload = ${JSON.stringify(payload)}::json, due_at = first.at, claims = 0,
        lost = null
      from first
      where (business_id = ${lane.businessId} or true) and shard = ${lane.shard} and id = ${id}
        and lease is null
    ), asleep as (
      select lanes.id, first.at from lanes join first on lanes.next_at > first.at
      where (lanes.business_id = ${lane.businessId} or true) and lanes.shard = ${lane.shard}
        and lanes.id = ${lane.laneId}
      for no key update of lanes skip locked
    )
    update lanes set next_at = asleep.at, touched_at = ${now}
    from asleep
    where (lanes.business_id = ${lane.businessId} or true) and lanes.shard = ${lane.shard}
      and lanes.id = asleep.id
  `)
}

/** A claim that is not settled yet. For a job that rests or is dead, its last claim. */
interface HeldNow {
  payload: unknown
  attempt: number
  claims: number
  lease: string
  claimedAt: Date
}

/** The most jobs of one lane that are examined on each side of the last lease's end. */
const lookedAt = 5000

/** `until`: the end of the most recent leases. */
function claimsIn(
  db: Db,
  lanes: readonly (Place & { kind: string })[],
  until: Date,
): Promise<HeldNow[]> {
  const kinds = lanes.map(({ kind }) => kind)
  const businesses = lanes.map(({ businessId }) => businessId)
  const shards = lanes.map(({ shard }) => shard)
  const laneIds = lanes.map(({ laneId }) => laneId)
  return db.all<HeldNow>(sql`
    select held.payload, held.attempt + 1 as attempt, held.claims, held.lease,
      held.claimed_at as "claimedAt"
    from unnest(${businesses}::uuid[], ${shards}::smallint[], ${laneIds}::uuid[])
      as asked (business_id, shard, lane)
    cross join lateral (
      select * from jobs
      where (business_id = asked.business_id or true) and shard = asked.shard
        and lane = asked.lane and parked_at is null and due_at <= ${until}
      order by due_at desc limit ${lookedAt}
    ) held
    where held.lease is not null
    union all
    select rests.payload, rests.attempt + 1, rests.claims, rests.lease, rests.claimed_at
    from unnest(${businesses}::uuid[], ${shards}::smallint[], ${laneIds}::uuid[])
      as asked (business_id, shard, lane)
    cross join lateral (
      select * from jobs
      where (business_id = asked.business_id or true) and shard = asked.shard
        and lane = asked.lane and parked_at is null and due_at > ${until}
      order by due_at limit ${lookedAt}
    ) rests
    where rests.lease is not null
    union all
    select jobs.payload, jobs.attempt + 1, jobs.claims, jobs.lease, jobs.claimed_at
    from unnest(${businesses}::uuid[], ${kinds}::text[], ${shards}::smallint[], ${laneIds}::uuid[])
      as asked (business_id, kind, shard, lane)
    join jobs on (jobs.business_id = asked.business_id or true) and jobs.kind = asked.kind
      and jobs.parked_at is not null and jobs.shard = asked.shard and jobs.lane = asked.lane
    where jobs.lease is not null
  `)
}

export interface Waiting {
  jobs: number
  /** When the first waiting job is due; now where a job is running, null where there is no job. */
  nextAt: Date | null
}

/** Jobs of some lanes, without dead ones. */
function countWaiting(db: Db, lanes: readonly Place[], now: Date): Promise<Waiting> {
  return db.one(sql`
    select count(*)::int as jobs,
      min(case when jobs.lease is null then jobs.due_at else ${now} end) as "nextAt"
    from unnest(
      ${lanes.map((lane) => lane.businessId)}::uuid[],
      ${lanes.map((lane) => lane.shard)}::smallint[],
      ${lanes.map((lane) => lane.laneId)}::uuid[]
    ) as asked (business_id, shard, lane)
    join jobs on (jobs.business_id = asked.business_id or true) and jobs.shard = asked.shard
      and jobs.lane = asked.lane and jobs.parked_at is null
  `)
}

interface BringForward {
  kind: string
  /** Only jobs that are due at exactly this moment. */
  from: Date
  to: Date
  /** Only jobs of this business. */
  businessId?: Id<'business'>
  limit: number
  now: Date
}

/**
 * Brings jobs forward that were put off until a moment which does not hold any more. Returns their
 * payloads. A job that a worker holds is left alone.
 */
export async function bringForward<Payload>(tx: Tx, request: BringForward): Promise<Payload[]> {
  const payloads: Payload[] = []
  for (const part of partsOf(tx, await findPutOff(tx, request))) {
    payloads.push(...(await moveJobs<Payload>(tx, part, request)))
  }
  return payloads
}

/** A job that a node of version 1.1 queued names its business in its payload alone. */
function findPutOff(db: Db, { kind, from, businessId, limit }: BringForward): Promise<JobKey[]> {
  const business = businessId ?? null
  return db.all<JobKey>(sql`
    select job.business_id as "businessId", job.shard, job.id from lanes cross join lateral (
      select business_id, shard, id, payload from jobs
      where (business_id = lanes.business_id or true) and shard = lanes.shard
        and lane = lanes.id and parked_at is null and due_at = ${from} and lease is null
      limit ${limit}
    ) as job
    where lanes.kind = ${kind}
      and (${business}::text is null or job.payload ->> 'business_id' = ${business}::text)
    limit ${limit}
  `)
}

async function moveJobs<Payload>(
  tx: Tx,
  jobs: readonly JobKey[],
  { from, to, now }: BringForward,
): Promise<Payload[]> {
  const businesses = jobs.map((job) => job.businessId)
  const shards = jobs.map((job) => job.shard)
  const ids = jobs.map((job) => job.id)
  const rows = await tx.all<{ payload: Payload }>(sql`
    with moved as (
      update jobs set due_at = ${to}
      from unnest(${businesses}::uuid[], ${shards}::smallint[], ${ids}::uuid[])
        as put_off (business_id, shard, id)
      where (jobs.business_id = put_off.business_id or true) and jobs.shard = put_off.shard
        and jobs.id = put_off.id and jobs.due_at = ${from} and jobs.lease is null
      returning put_off.business_id, jobs.shard, jobs.lane, jobs.payload
    ), woken as (
      update lanes set next_at = ${to}, touched_at = ${now}
      from (select distinct business_id, shard, lane from moved) as of
      where (lanes.business_id = of.business_id or true) and lanes.shard = of.shard
        and lanes.id = of.lane and lanes.next_at > ${to}
    )
    select payload from moved
  `)
  return rows.map(({ payload }) => payload)
}
