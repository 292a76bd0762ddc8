/**
 * The one queue. A job is a row that is written in the transaction that causes it and settled in
 * the transaction that records its result, so that state and job commit together or not at all.
 * Each worker leases shards, and each claim leases jobs, by the worker's own clock. Clocks may
 * differ, and a clock that runs ahead sees leases end early. So shards are taken over only
 * `skewAllowance` after the end of their lease. A job that is claimed twice all the same is settled
 * once, since a settle names its lease.
 */
import { createHash } from 'node:crypto'
import { sql } from '../db/db.ts'
import { isSpread } from '../db/distribution.ts'
import type { Db, Tx } from '../db/types.ts'
import { type Id, newId } from '../text/uuid.ts'
import { type Clock, hours, later, minutes, seconds } from '../time/clock.ts'

/** Priorities as they are stored: lower ones are claimed first. */
export const priorities = { urgent: 0, normal: 1, bulk: 2 } as const
export type Priority = keyof typeof priorities

/** A job to be queued. */
export interface NewJob {
  kind: string
  /** The business whose rows it works on; null for the service's own, and for what concerns several. */
  businessId: Id<'business'> | null
  /**
   * The unit of fairness within the kind, such as a webhook's id: lanes take turns, and each has
   * few jobs in flight. All jobs of a lane are of one business. The default is one lane for the
   * business.
   */
  lane?: string
  /** Spreads the lane over shards, and so over workers. Jobs with the same key share a shard. */
  spread?: string
  payload?: unknown
  /** When it may run; the default is now. */
  dueAt?: Date
  /** The initial number of failed tries, where another job made them. The default is 0. */
  failures?: number
  /** A job with this id is not queued again while it waits; the default is a new id. */
  id?: Id<'job'>
  /**
   * Urgent lanes are claimed from before normal ones, and bulk lanes last. A lane keeps the
   * priority of its first job.
   */
  priority?: Priority
}

/** A job that a worker has claimed. */
export interface Job<Payload = unknown> {
  /** As the row has it: `serviceBusiness` where it has none. */
  businessId: string
  shard: number
  id: Id<'job'>
  kind: string
  /** The lane's key within its shard; a hash of kind and lane. */
  laneId: string
  payload: Payload
  /** The time at which it was due. */
  dueAt: Date
  /** 1 for the first try. A worker's crash does not count. */
  attempt: number
  /** How often it was claimed without being settled, including this claim: its workers died. */
  claims: number
  /**
   * Fences the settle, since a worker that lost the job has an old lease. Leases grow with time, as
   * ids do.
   */
  lease: string
  claimedAt: Date
  /** Claims that their workers never settled, oldest first. Their effects are unknown. */
  lost: readonly LostClaim[]
  /** The lane's limit of jobs in flight at the time of the claim. */
  capacity: number
}

export interface LostClaim {
  lease: string
  at: Date
}

/** What identifies a job, with the business that has it. */
export type JobKey = Pick<Job, 'businessId' | 'shard' | 'id'>

/** The outcome of a job. `at` is exactly when it falls due. */
export type Outcome =
  | { outcome: 'done' }
  /** The try failed; the next one counts as another attempt. */
  | { outcome: 'retry'; at: Date; fault?: string }
  /** Done for now. It runs again, and its attempts are counted afresh. */
  | { outcome: 'again'; at: Date }
  /** Released untouched: neither the attempt nor the claim counts. */
  | { outcome: 'returned'; at: Date }
  /** Dead until a person looks at it. */
  | { outcome: 'dead'; fault?: string }

/**
 * `settled`: the work settled the job itself, in its own transaction. `at` is the time when the job
 * falls due again, if it does. Without it, a time before the worker's next look is only met by that
 * look.
 */
export type Verdict = Outcome | { outcome: 'settled'; at?: Date }

export interface JobKind<Payload = unknown> {
  /**
   * Does the work. Returning nothing means done, and throwing means a retry by `retryDelays`. The
   * signal aborts when the time is up, the lease is lost or the worker stops; a result that comes
   * after that is ignored.
   */
  run(job: Job<Payload>, signal: AbortSignal): Promise<Verdict> | Promise<void>
  /** Milliseconds from the end of a failed try to the next; after the last one the job is dead. */
  retryDelays?: readonly number[]
  /**
   * The most jobs of one lane in flight. The default is 8. A lane that is spread over shards has
   * that many in each worker.
   */
  perLane?: number
  /**
   * The most jobs of one lane that a worker claims in one turn. The default is 4: enough to be
   * worth the claim, few enough to be fair. Cheap jobs can have more.
   */
  perTurn?: number
  /**
   * The most jobs of the kind that a worker runs at once, over all lanes. A kind that waits for
   * other systems sets a part of the slots, so that it never takes all of them. The default is
   * all.
   */
  atOnce?: number
  /** How many of these may be in bulk lanes, so that other lanes find a slot. The default is all. */
  bulkAtOnce?: number
  /** The time limit of one try, in milliseconds. The default is five minutes. */
  timeoutMs?: number
  /**
   * A worker that stops does not release the jobs that it interrupts. Their leases end by
   * themselves, and `lost` tells the next claim that something may have happened.
   */
  lapses?: true
  /** Such a job exists once in the cluster and runs at this interval. */
  everyMs?: number
}

export type JobKinds = Readonly<Record<string, JobKind>>

export interface LeaseTimes {
  /** How long a claim lasts without renewal; running jobs renew it by themselves. */
  jobLeaseMs: number
  shardLeaseMs: number
  /** By how much two workers' clocks may differ before a shard could have two holders. */
  skewAllowanceMs: number
}

export const defaultTimes: LeaseTimes = {
  jobLeaseMs: seconds(15),
  shardLeaseMs: seconds(15),
  skewAllowanceMs: seconds(2),
}

export const defaults = {
  perLane: 8,
  perTurn: 4,
  timeoutMs: minutes(5),
  retryDelays: [seconds(5), seconds(30), minutes(2), minutes(10), hours(1)],
} as const

/**
 * The number of claims without a settle after which a job rests. The job itself may kill its
 * workers, or they may have died for another reason. So it is tried once after each rest, and is
 * dead after `maxRests` of them.
 */
export const maxClaims = 5
export const restMs = hours(1)
export const maxRests = 24

/** The outcome of a failed try: another try, or a dead job. */
export function afterFailure(kind: JobKind, job: Job, clock: Clock, error: unknown): Outcome {
  const fault = faultOf(error)
  const delays = kind.retryDelays ?? defaults.retryDelays
  // A periodic job never becomes dead by failing, because it runs again anyway.
  const delay = delays[job.attempt - 1] ?? kind.everyMs
  if (delay === undefined) return { outcome: 'dead', fault }
  return { outcome: 'retry', at: later(clock.now(), delay), fault }
}

/** The class and code of an error. Its message may contain data that must not be stored. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' ? `${error.name} ${code}` : error.name).slice(0, 100)
}

/** More shards than there will be workers, and few enough that one worker can hold them all. */
export const shardCount = 256

export const everyShard: readonly number[] = Array.from({ length: shardCount }, (_, i) => i)

/** A lane by name. Two kinds never share a lane, nor do two businesses. */
export type LaneName = Pick<NewJob, 'kind' | 'businessId' | 'lane' | 'spread'>

export interface Place {
  businessId: string
  shard: number
  laneId: string
}

/** What stands for no business in the keys of jobs and lanes. */
export const serviceBusiness = '00000000-0000-0000-0000-000000000000'

/**
 * The business is no part of the hash, so that nodes of version 1.1 find the same place. Shard and
 * lane are therefore what identifies a lane, as shard and id do a job.
 */
export function placeOf({ kind, businessId, lane = businessId ?? '', spread }: LaneName): Place {
  const laneHash = hash('lane', kind, lane)
  const shardHash = spread === undefined ? laneHash : hash('spread', kind, lane, spread)
  return {
    businessId: businessId ?? serviceBusiness,
    shard: shardHash[31] ?? 0,
    laneId: asUuid(laneHash),
  }
}

/** The id of the one job of a periodic kind. */
export function periodicId(kind: string): Id<'job'> {
  return asUuid(hash('periodic', kind)) as Id<'job'>
}

/** The id of the single job of this kind that the named thing can have at a time. */
export function jobIdOf(kind: string, name: string): Id<'job'> {
  return asUuid(hash('job', kind, name)) as Id<'job'>
}

function hash(...names: string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(names)).digest()
}

/** A uuid of version 8 (RFC 9562, 5.8), made of a hash. */
function asUuid(bytes: Buffer): string {
  const hex = Buffer.from(bytes.subarray(0, 16))
  hex[6] = ((hex[6] ?? 0) & 0x0f) | 0x80
  hex[8] = ((hex[8] ?? 0) & 0x3f) | 0x80
  const text = hex.toString('hex')
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
}

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
  const rows = jobs.map((job): JobRow & Place => ({
    ...placeOf(job),
    id: job.id ?? newId('job'),
    kind: job.kind,
    payload: JSON.stringify(job.payload ?? null),
    dueAt: job.dueAt ?? now,
    failures: job.failures ?? 0,
    priority: priorities[job.priority ?? 'normal'],
  }))
  for (const together of Map.groupBy(rows, (row) => `${row.shard} ${row.businessId}`).values()) {
    const [job] = together
    if (!job) continue
    if (isSpread(tx)) await insertApart(tx, job, together, now)
    else if (together.length === 1) await insertJob(tx, job, job, now)
    else await insertJobs(tx, job, together, now)
  }
  if (tell && rows.length > 0) {
    const news = newsOf(rows)
    tx.afterCommit(() => tell(news))
  }
  return rows.map((row) => row.id)
}

function newsOf(rows: (JobRow & Place)[]): LaneNews[] {
  const byLane = new Map<string, LaneNews>()
  for (const { businessId, shard, laneId, priority, dueAt } of rows) {
    const key = `${shard} ${laneId}`
    const cached = byLane.get(key)
    if (!cached) byLane.set(key, { businessId, shard, laneId, priority, dueAt })
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

/** The part of the queue that one statement writes to. */
type Part = Omit<Place, 'laneId'>

/**
 * Adds jobs of one business to one shard, creates their lanes where they are new, and wakes lanes that would sleep
 * too long. It never waits for a lock: a lane is written only where necessary, and not while
 * another transaction holds it. `lateLanes` finds the wake-ups that this loses.
 */
function insertJobs(
  db: Db,
  { businessId, shard }: Part,
  jobs: JobRow[],
  now: Date,
): Promise<number> {
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
      insert into lanes (business_id, shard, id, kind, priority, next_at, touched_at)
      select ${businessId}::uuid, ${shard}, lane, kind, priority, due_at, ${now} from wanted
      -- "do nothing" alone would wait for whoever is writing to a lane that is there.
      where not exists (
        select from lanes
        where (business_id = ${businessId} or true) and shard = ${shard} and id = wanted.lane
      )
      order by lane
      on conflict do nothing
    ), asleep as (
      select lanes.id, wanted.due_at from lanes join wanted on lanes.id = wanted.lane
      where (lanes.business_id = ${businessId} or true) and lanes.shard = ${shard}
        and lanes.next_at > wanted.due_at
      for no key update of lanes skip locked
    ), woken as (
      update lanes set next_at = asleep.due_at, touched_at = ${now}
      from asleep
      where (lanes.business_id = ${businessId} or true) and lanes.shard = ${shard}
        and lanes.id = asleep.id
    )
    insert into jobs (business_id, shard, id, lane, kind, payload, due_at, attempt, created_at)
    select ${businessId}::uuid, ${shard}, id, lane, kind, payload, due_at, failures, ${now}
    from queued order by id
    on conflict do nothing
  `)
}

/** Does the same for one job, which is the usual number, at two thirds of the cost. */
function insertJob(db: Db, { businessId, shard }: Part, job: JobRow, now: Date): Promise<number> {
  const { id, laneId, kind, payload, dueAt, failures, priority } = job
  return db.run(sql`
    with opened as (
      insert into lanes (business_id, shard, id, kind, priority, next_at, touched_at)
      select ${businessId}::uuid, ${shard}, ${laneId}::uuid, ${kind}, ${priority}, ${dueAt}, ${now}
      where not exists (
        select from lanes
        where (business_id = ${businessId} or true) and shard = ${shard} and id = ${laneId}
      )
      on conflict do nothing
    ), asleep as (
      select id from lanes
      where (business_id = ${businessId} or true) and shard = ${shard} and id = ${laneId}
        and next_at > ${dueAt}
      for no key update skip locked
    ), woken as (
      update lanes set next_at = ${dueAt}, touched_at = ${now}
      from asleep
      where (lanes.business_id = ${businessId} or true) and lanes.shard = ${shard}
        and lanes.id = asleep.id
    )
    insert into jobs (business_id, shard, id, lane, kind, payload, due_at, attempt, created_at)
    values (${businessId}, ${shard}, ${id}, ${laneId}, ${kind}, ${payload}, ${dueAt}, ${failures},
      ${now})
    on conflict do nothing
  `)
}

/**
 * Does the same on a distributed database, by statements that go to the node of the business: one
 * that reads before it inserts would be run through the coordinator, and commit on two nodes.
 */
async function insertApart(
  db: Db,
  { businessId, shard }: Part,
  jobs: JobRow[],
  now: Date,
): Promise<void> {
  for (const { id, laneId, kind, payload, dueAt, failures, priority } of jobs) {
    const lane = await db.maybe<{ nextAt: Date; isEmpty: boolean }>(sql`
      select next_at as "nextAt", next_at = 'infinity' as "isEmpty" from lanes
      where business_id = ${businessId} and shard = ${shard} and id = ${laneId}
    `)
    let isOpen = lane !== undefined
    if (lane && lane.nextAt > dueAt) {
      const woken = await db.run(sql`
        with asleep as (
          select id from lanes
          where business_id = ${businessId} and shard = ${shard} and id = ${laneId}
            and next_at > ${dueAt}
          for no key update skip locked
        )
        update lanes set next_at = ${dueAt}, touched_at = ${now}
        from asleep
        where lanes.business_id = ${businessId} and lanes.shard = ${shard}
          and lanes.id = asleep.id
      `)
      // `dropEmptyLanes` may have deleted it since, or be about to.
      if (woken === 0 && lane.isEmpty) isOpen = false
    }
    if (!isOpen) {
      await db.run(sql`
        insert into lanes (business_id, shard, id, kind, priority, next_at, touched_at)
        values (${businessId}, ${shard}, ${laneId}, ${kind}, ${priority}, ${dueAt}, ${now})
        on conflict do nothing
      `)
    }
    await db.run(sql`
      insert into jobs (business_id, shard, id, lane, kind, payload, due_at, attempt, created_at)
      values (${businessId}, ${shard}, ${id}, ${laneId}, ${kind}, ${payload}, ${dueAt}, ${failures},
        ${now})
      on conflict do nothing
    `)
  }
}
