/** The statements by which a domain steers one lane. */
import { type Db, sql } from '../db.ts'
import type { Id } from '../ids.ts'
import type { Place } from './shard.ts'

interface LaneRow extends Place {
  kind: string
  priority: number
}

export function pauseLaneRow(db: Db, lane: LaneRow, now: Date): Promise<number> {
  return db.run(sql`
    insert into lanes (shard, id, kind, priority, next_at, touched_at, paused_at)
    values (${lane.shard}, ${lane.laneId}, ${lane.kind}, ${lane.priority}, 'infinity', ${now}, ${now})
    on conflict (shard, id) do update set paused_at = coalesce(lanes.paused_at, ${now})
  `)
}

/** The claim that looks at it finds out when its first job is due. */
export function resumeLaneRow(db: Db, lane: Place, now: Date): Promise<number> {
  return db.run(sql`
    update lanes set paused_at = null, next_at = ${now}, touched_at = ${now}
    where shard = ${lane.shard} and id = ${lane.laneId} and paused_at is not null
  `)
}

export function steerLaneRow(
  db: Db,
  lane: LaneRow,
  capacity: number | null,
  now: Date,
): Promise<number> {
  return db.run(sql`
    insert into lanes (shard, id, kind, priority, next_at, touched_at, capacity)
    values (${lane.shard}, ${lane.laneId}, ${lane.kind}, ${lane.priority}, 'infinity', ${now}, ${capacity})
    on conflict (shard, id) do update
    set capacity = excluded.capacity, priority = excluded.priority
    where (lanes.capacity, lanes.priority) is distinct from (excluded.capacity, excluded.priority)
  `)
}

export function jobExists(db: Db, shard: number, id: Id<'job'>): Promise<object | undefined> {
  return db.maybe(sql`select 1 from jobs where shard = ${shard} and id = ${id}`)
}

export interface Waiting {
  jobs: number
  /** When the first of them is due; now where one is in hand. Null where there is none. */
  nextAt: Date | null
}

/** Jobs of some lanes, but for those that are laid aside. */
export function countWaiting(db: Db, places: readonly Place[], now: Date): Promise<Waiting> {
  return db.one(sql`
    select count(*)::int as jobs,
      min(case when jobs.lease is null then jobs.due_at else ${now} end) as "nextAt"
    from unnest(
      ${places.map((place) => place.shard)}::smallint[],
      ${places.map((place) => place.laneId)}::uuid[]
    ) as asked (shard, lane)
    join jobs on jobs.shard = asked.shard and jobs.lane = asked.lane and jobs.parked_at is null
  `)
}
