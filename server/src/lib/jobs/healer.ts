import { sql } from '../db/db.ts'
import type { Db } from '../db/types.ts'
import { type Clock, days, later, seconds } from '../time/clock.ts'
import { everyShard } from './job.ts'

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
export function createHealer(db: Db, clock: Clock): (shards: readonly number[]) => Promise<void> {
  let healedAt = 0
  let round = 0
  return async (shards) => {
    const now = clock.now()
    if (Math.abs(now.getTime() - healedAt) < everyMs || shards.length === 0) return
    healedAt = now.getTime()
    round++
    const whole = everyShard.filter((shard) => shard % rounds === round % rounds)
    const late = await lateLanes(db, [...shards], whole, later(now, -latelyMs))
    for (const [shard, lanes] of Map.groupBy(late, (lane) => lane.shard)) {
      await wakeLanes(db, shard, lanes, now)
    }
    if (round % sweepEvery === 0) await dropEmptyLanes(db, [...shards], later(now, -emptyFor))
  }
}

interface LateLane {
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
