import { sql } from '../db/db.ts'
import type { Db, Tx } from '../db/types.ts'
import { type Id, newId } from '../text/uuid.ts'
import { type NewJob, type Place, placeOf, priorities } from './job.ts'

/** A lane that got jobs, and when the first of them is due. */
export interface LaneNews extends Place {
  priority: number
  dueAt: Date
}

/** Called with the lanes of the queued jobs once they are committed: `worker.wake`. */
export type TellWorker = (news: readonly LaneNews[]) => void

const listeners = new WeakMap<Tx, TellWorker>()

/** Reports all jobs that a transaction queues to the owner of the transaction. */
export function tellOfJobs(tx: Tx, tell: TellWorker): void {
  listeners.set(tx, tell)
  listeners.set(tx.pipelined, tell)
}

/**
 * Queues jobs in the transaction that causes them, and returns their ids in order. Workers see them
 * when it commits. With `tell` (by default the transaction's listener) this process's worker claims
 * from their lanes directly, rather than at its next look over all of them.
 */
export async function enqueue(
  tx: Tx,
  jobs: NewJob[],
  now: Date,
  tell: TellWorker | undefined = listeners.get(tx),
): Promise<Id<'job'>[]> {
  const rows = jobs.map((job): JobRow & { shard: number } => ({
    ...placeOf(job),
    id: job.id ?? newId('job'),
    kind: job.kind,
    payload: JSON.stringify(job.payload ?? null),
    dueAt: job.dueAt ?? now,
    failures: job.failures ?? 0,
    priority: priorities[job.priority ?? 'normal'],
  }))
  for (const [shard, inShard] of Map.groupBy(rows, (row) => row.shard)) {
    const [job] = inShard
    if (job && inShard.length === 1) await insertJob(tx, shard, job, now)
    else await insertJobs(tx, shard, inShard, now)
  }
  if (tell && rows.length > 0) {
    const news = newsOf(rows)
    tx.afterCommit(() => tell(news))
  }
  return rows.map((row) => row.id)
}

function newsOf(rows: (JobRow & Place)[]): LaneNews[] {
  const byLane = new Map<string, LaneNews>()
  for (const { shard, laneId, priority, dueAt } of rows) {
    const key = `${shard} ${laneId}`
    const cached = byLane.get(key)
    if (!cached) byLane.set(key, { shard, laneId, priority, dueAt })
    else if (dueAt < cached.dueAt) cached.dueAt = dueAt
  }
  return [...byLane.values()]
}

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
function insertJobs(db: Db, shard: number, jobs: JobRow[], now: Date): Promise<number> {
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
function insertJob(db: Db, shard: number, job: JobRow, now: Date): Promise<number> {
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
