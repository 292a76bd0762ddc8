/**
 * The one queue. A job is a row, written in the transaction that gives it its reason
 * and settled in the transaction that records its result, so that state and job
 * commit together or not at all.
 *
 * Each worker leases shards, and each claim leases jobs, by times of its own clock.
 * Clocks may differ: one that runs ahead sees leases end early, so shards are taken
 * over only `skewAllowance` after their lease ended, and whatever was claimed twice
 * all the same is settled once, since a settle names its lease.
 */

import type { Id } from '../text/uuid.ts'
import { type Clock, hours, later, minutes, seconds } from '../time/clock.ts'

/** As they are stored: lower goes first. */
export const priorities = { urgent: 0, normal: 1, bulk: 2 } as const
export type Priority = keyof typeof priorities

/** A job to be queued. */
export interface NewJob {
  kind: string
  /**
   * The unit of fairness within the kind, such as a webhook's id: lanes take turns, and
   * each has a few jobs in flight at most. The default is one lane for the whole kind.
   */
  lane?: string
  /** Spreads the lane over shards, and so over workers; jobs of one key share a shard. */
  spread?: string
  payload?: unknown
  /** When it may run; the default is now. */
  dueAt?: Date
  /** Tries that have failed already, where another job made them; the default is none. */
  failures?: number
  /** Makes queueing it again without effect while it waits; the default is a new id. */
  id?: Id<'job'>
  /** Urgent lanes go before normal ones, bulk after; a lane keeps that of its first job. */
  priority?: Priority
}

/** A job in the hands of a worker. */
export interface Job<Payload = unknown> {
  shard: number
  id: Id<'job'>
  kind: string
  /** Names the lane within its shard; a hash of kind and lane. */
  laneId: string
  payload: Payload
  /** When it was to run. */
  dueAt: Date
  /** 1 for the first try; a crash of a worker is none. */
  attempt: number
  /** How often it was taken without a settle, this time counted: its workers died. */
  claims: number
  /** Fences the settle: a worker that lost the job holds an old one. Grows with time, as ids do. */
  lease: string
  claimedAt: Date
  /** Claims that their workers never settled, the oldest first: what they did is known to nobody. */
  lost: readonly LostClaim[]
  /** Jobs of its lane in flight at once, when it was claimed. */
  capacity: number
}

export interface LostClaim {
  lease: string
  at: Date
}

/** What became of a job. `at` is exact: that is when it falls due. */
export type Outcome =
  | { outcome: 'done' }
  /** The try failed; the next one counts as another attempt. */
  | { outcome: 'retry'; at: Date; fault?: string }
  /** Done for this time; it runs anew, its attempts counted afresh. */
  | { outcome: 'again'; at: Date }
  /** Given back untouched: neither attempt nor claim counts. */
  | { outcome: 'returned'; at: Date }
  /** Laid aside until a person looks at it. */
  | { outcome: 'parked'; fault?: string }

/**
 * `settled`: the work settled the job itself, in a transaction of its own; `at` is when
 * it falls due again, where it does: without that, a time sooner than the worker's next
 * look is met only by that look.
 */
export type Verdict = Outcome | { outcome: 'settled'; at?: Date }

export interface JobKind<Payload = unknown> {
  /**
   * Does the work. To return nothing means done, to throw means a retry by
   * `retryDelays`. The signal aborts when the time is up, the lease is lost or the
   * worker stops; what the work returns after that is not used.
   */
  run(job: Job<Payload>, signal: AbortSignal): Promise<Verdict> | Promise<void>
  /** Milliseconds from the end of a failed try to the next; then the job is parked. */
  retryDelays?: readonly number[]
  /**
   * Jobs of one lane in flight at once. The default is 8. A lane that is spread over
   * shards has that many in each worker.
   */
  perLane?: number
  /**
   * Jobs of one lane that a worker takes in one turn. The default is 4: enough to be worth
   * the claim, few enough to be fair. More suits jobs that are cheap.
   */
  perTurn?: number
  /**
   * Jobs of the kind that a worker has in hand at once, of all lanes. What waits for others
   * says a part of the slots, so that they are never all taken by it. The default is all.
   */
  atOnce?: number
  /** How long one try may take, in milliseconds. The default is five minutes. */
  timeoutMs?: number
  /**
   * A worker that stops does not give back what it breaks off: its lease ends by itself, and
   * whoever claims it then knows by `lost` that something may have happened.
   */
  lapses?: true
  /** The job is then one that exists once in the cluster and runs at this interval. */
  everyMs?: number
}

export type JobKinds = Readonly<Record<string, JobKind>>

export interface LeaseTimes {
  /** How long a claim holds without being renewed; running jobs renew it by themselves. */
  jobLeaseMs: number
  shardLeaseMs: number
  /** By how much the clocks of two workers may differ before a shard has two holders. */
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
 * Claims without a settle after which a job rests: it may be what kills whoever takes it, or
 * have been in the hands of one that died of something else. So it gets a chance after each
 * rest, and is parked when it has had `restsBeforeParking` of them.
 */
export const maxClaims = 5
export const restMs = hours(1)
export const restsBeforeParking = 24

/** What a failed try leads to: the next one, or the shelf. */
export function afterFailure(kind: JobKind, job: Job, clock: Clock, error: unknown): Outcome {
  const fault = faultOf(error)
  const delays = kind.retryDelays ?? defaults.retryDelays
  // A periodic job is never parked for failing: its next turn comes anyway.
  const delay = delays[job.attempt - 1] ?? kind.everyMs
  if (delay === undefined) return { outcome: 'parked', fault }
  return { outcome: 'retry', at: later(clock.now(), delay), fault }
}

/** The class and code of an error; its message may quote what must not be stored. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' ? `${error.name} ${code}` : error.name).slice(0, 100)
}
