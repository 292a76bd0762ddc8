/** Statements that queue jobs and wake their lanes. */

import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'
import type { Id } from '../text/uuid.ts'

export interface JobRow {
  id: Id<'job'>
  laneId: string
  kind: string
  /** JSON text. */
  payload: string
  dueAt: Date
  failures: number
  priority: number
}

/**
 * Adds jobs to one shard, creates their lanes where they are new, and wakes lanes that would sleep
 * too long. It never waits for a lock: a lane is written only where necessary, and not while
 * another transaction holds it. `lateLanes` finds the wake-ups that this loses.
 */
export function insertJobs(db: Db, shard: number, jobs: JobRow[], now: Date): Promise<number> {
  const ids = jobs.map((job) => job.id)
  const lanes = jobs.map((job) => job.laneId)
  const kinds = jobs.map((job) => job.kind)
  const payloads = jobs.map((job) => job.payload)
  const dues = jobs.map((job) => job.dueAt)
  const failures = jobs.map((job) => job.failures)
  const priorities = jobs.map((job) => job.priority)
  return db.run(sql`
    with queued (id, lane, kind, payload, due_at, failures, priority) as (
      select * from unnest(${ids}::uuid[], ${lanes}::uuid[], ${kinds}::text[], ${payloads}::json[],
        ${dues}::timestamptz[], ${failures}::int[], ${priorities}::smallint[])
    ), wanted as (
      select lane, min(kind) as kind, min(priority) as priority, min(due_at) as due_at
      from queued group by lane
    ), opened as (
      insert into lanes (shard, id, kind, priority, next_at, touched_at)
      select ${shard}, lane, kind, priority, due_at, ${now} from wanted
      -- "do nothing" alone would wait for whoever is writing to a lane that is there.
      where not exists (select from lanes where shard = ${shard} and id = wanted.lane)
      order by lane
      on conflict (shard, id) do nothing
    ), asleep as (
      select lanes.id, wanted.due_at from lanes join wanted on lanes.id = wanted.lane
      where lanes.shard = ${shard} and lanes.next_at > wanted.due_at
      for no key update of lanes skip locked
    ), woken as (
      update lanes set next_at = asleep.due_at, touched_at = ${now}
      from asleep where lanes.shard = ${shard} and lanes.id = asleep.id
    )
    insert into jobs (shard, id, lane, kind, payload, due_at, attempt, created_at)
    select ${shard}, id, lane, kind, payload, due_at, failures, ${now} from queued order by id
    on conflict (shard, id) do nothing
  `)
}

/** Does the same for one job, which is the usual number, at two thirds of the cost. */
export function insertJob(db: Db, shard: number, job: JobRow, now: Date): Promise<number> {
  const { id, laneId, kind, payload, dueAt, failures, priority } = job
  return db.run(sql`
    with opened as (
      insert into lanes (shard, id, kind, priority, next_at, touched_at)
      select ${shard}, ${laneId}::uuid, ${kind}, ${priority}, ${dueAt}, ${now}
      where not exists (select from lanes where shard = ${shard} and id = ${laneId})
      on conflict (shard, id) do nothing
    ), asleep as (
      select id from lanes where shard = ${shard} and id = ${laneId} and next_at > ${dueAt}
      for no key update skip locked
    ), woken as (
      update lanes set next_at = ${dueAt}, touched_at = ${now}
      from asleep where lanes.shard = ${shard} and lanes.id = asleep.id
    )
    insert into jobs (shard, id, lane, kind, payload, due_at, attempt, created_at)
    values (${shard}, ${id}, ${laneId}, ${kind}, ${payload}, ${dueAt}, ${failures}, ${now})
    on conflict (shard, id) do nothing
  `)
}

export interface LateLane {
  shard: number
  id: string
  dueAt: Date
}

/**
 * Lanes that sleep beyond their first due job. The wake-up was lost to a claim that ran beside the
 * enqueuing transaction, or to another transaction that held the lane. Examines lanes touched since
 * `since` in all `shards`, and all lanes of the shards in `whole`.
 */
export function lateLanes(db: Db, shards: number[], whole: number[], since: Date) {
  return db.all<LateLane>(sql`
    select lanes.shard, lanes.id, first.due_at as "dueAt"
    from lanes cross join lateral (
      select due_at from jobs
      where shard = lanes.shard and lane = lanes.id and parked_at is null
      order by due_at limit 1
    ) first
    where lanes.shard = any(${shards}::smallint[])
      and (lanes.touched_at >= ${since} or lanes.shard = any(${whole}::smallint[]))
      and lanes.next_at > first.due_at
  `)
}

/** Wakes lanes of one shard, except those that another transaction holds. */
export function wakeLanes(db: Db, shard: number, lanes: LateLane[], now: Date): Promise<number> {
  const ids = lanes.map((lane) => lane.id)
  const dues = lanes.map((lane) => lane.dueAt)
  return db.run(sql`
    with asleep as (
      select lanes.id, late.due_at
      from lanes join unnest(${ids}::uuid[], ${dues}::timestamptz[]) as late (id, due_at)
        on lanes.id = late.id
      where lanes.shard = ${shard} and lanes.next_at > late.due_at
      for no key update of lanes skip locked
    )
    update lanes set next_at = asleep.due_at, touched_at = ${now}
    from asleep where lanes.shard = ${shard} and lanes.id = asleep.id
  `)
}

/** Deletes lanes that have been empty since `before`. A later job creates its lane again. */
export function dropEmptyLanes(db: Db, shards: number[], before: Date): Promise<number> {
  return db.run(sql`
    delete from lanes
    where shard = any(${shards}::smallint[]) and next_at = 'infinity'
      and touched_at < ${before} and paused_at is null and capacity is null
      and not exists (select from jobs where jobs.shard = lanes.shard and jobs.lane = lanes.id)
  `)
}

/** Creates the one job of a periodic kind, or brings it forward to the present interval. */
export function insertPeriodic(db: Db, shard: number, job: JobRow, now: Date): Promise<number> {
  return db.run(sql`
    with opened as (
      insert into lanes (shard, id, kind, priority, next_at, touched_at)
      values (${shard}, ${job.laneId}, ${job.kind}, ${job.priority}, ${now}, ${now})
      on conflict (shard, id) do nothing
    )
    insert into jobs (shard, id, lane, kind, payload, due_at, created_at)
    values (${shard}, ${job.id}, ${job.laneId}, ${job.kind}, ${job.payload}, ${now}, ${now})
    on conflict (shard, id) do update
    set due_at = least(jobs.due_at, ${job.dueAt}), parked_at = null, claims = 0
    where jobs.lease is null and (jobs.parked_at is not null or jobs.due_at > ${job.dueAt})
  `)
}
