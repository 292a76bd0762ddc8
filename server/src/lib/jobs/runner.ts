/**
 * The jobs that a worker is running. It runs each, renews its lease meanwhile, and settles jobs in
 * batches of one statement.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '../concurrency/batch.ts'
import { isOutage, isPatientOutage } from '../db/outage.ts'
import type { Db } from '../db/types.ts'
import type { Log } from '../process/log.ts'
import { type Clock, later, seconds } from '../time/clock.ts'
import { type Appetite, type ClaimedJob, renewJobs } from './claim-queries.ts'
import type { LaneNews } from './enqueue.ts'
import {
  afterFailure,
  defaults,
  type Job,
  type JobKind,
  type JobKinds,
  type LeaseTimes,
  type Outcome,
  priorities,
  type Verdict,
} from './job.ts'
import { type Settlement, settle } from './settle.ts'

export interface Runner {
  /** The number of running jobs. Each takes a slot until it is settled. */
  readonly size: number
  busyShards(): ReadonlySet<number>
  appetite(): Appetite
  /** Whether the lane may have another job in flight, by the limit that its last claim reported. */
  hasRoom(laneId: string, capacity?: number): boolean
  run(jobs: ClaimedJob[], until: Date): void
  /** Renews the leases of which a third or more has passed. */
  renew(): Promise<void>
  /** Waits at most `graceMs` for running jobs, then aborts and releases those that are left. */
  drain(graceMs: number): Promise<void>
}

interface RunnerOptions {
  db: Db
  clock: Clock
  log: Log
  kinds: JobKinds
  times: LeaseTimes
  /** Called after each job, when a slot is free; the job may fall due again. */
  onFree: (again?: LaneNews) => void
}

interface HeldLane {
  jobs: number
  capacity: number
}

interface RunningJob {
  job: ClaimedJob
  until: Date
  abort: AbortController
}

const settlesPerFlush = 500
const settleRetryMs = 500

export function createRunner(options: RunnerOptions): Runner {
  const { db, clock, log, kinds, times, onFree } = options
  const held = new Map<string, RunningJob>()
  const byLane = new Map<string, HeldLane>()
  const running = new Set<Promise<void>>()
  const byKind = new Map<string, number>()
  const bulkByKind = new Map<string, number>()
  const hasRoomFor = (name: string, { atOnce }: JobKind): boolean =>
    atOnce === undefined || (byKind.get(name) ?? 0) < atOnce
  const hasRoomForBulk = (name: string, { bulkAtOnce }: JobKind): boolean =>
    bulkAtOnce === undefined || (bulkByKind.get(name) ?? 0) < bulkAtOnce
  const count = ({ kind, priority }: ClaimedJob, change: 1 | -1): void => {
    byKind.set(kind, (byKind.get(kind) ?? 0) + change)
    if (priority === priorities.bulk) bulkByKind.set(kind, (bulkByKind.get(kind) ?? 0) + change)
  }

  const settleOne = createBatcher<Settlement, boolean>({
    maxItems: settlesPerFlush,
    async flush(settlements) {
      const kept = await settle(db, settlements, clock.now())
      return settlements.map(({ job }) => kept.has(job))
    },
  })

  const start = (job: ClaimedJob, until: Date): void => {
    const entry: RunningJob = { job, until, abort: new AbortController() }
    held.set(job.id, entry)
    const lane = byLane.get(job.laneId) ?? { jobs: 0, capacity: 0 }
    byLane.set(job.laneId, { jobs: lane.jobs + 1, capacity: job.capacity })
    count(job, 1)
    const { shard, laneId, priority } = job
    let dueAt: Date | undefined
    const worked = work(entry).then((at) => {
      dueAt = at
    })
    const ended = worked.finally(() => {
      held.delete(job.id)
      count(job, -1)
      leave(laneId)
      running.delete(ended)
      onFree(dueAt && { shard, laneId, priority, dueAt })
    })
    running.add(ended)
  }

  const leave = (laneId: string): void => {
    const lane = byLane.get(laneId)
    if (lane && lane.jobs > 1) lane.jobs--
    else byLane.delete(laneId)
  }

  /** Returns the time at which the job falls due again, if it does. */
  const work = async (entry: RunningJob): Promise<Date | undefined> => {
    const { job, abort } = entry
    const kind = kinds[job.kind]
    if (!kind) throw new Error(`claimed a job of the kind ${job.kind}, which is not served here`)
    const { verdict, error } = await tryJob(kind, job, abort, clock)
    if (error !== undefined) {
      const facts = { err: error, kind: job.kind, job: job.id, attempt: job.attempt }
      if (verdict.outcome === 'dead') log.error(facts, 'jobs.dead')
      else log.warn(facts, 'jobs.failed')
    }
    if (verdict.outcome !== 'settled') await settleHeld(entry, verdict)
    return 'at' in verdict ? verdict.at : undefined
  }

  const settleHeld = async (entry: RunningJob, outcome: Outcome): Promise<void> => {
    const { job } = entry
    for (;;) {
      try {
        const mine = await settleOne({ job, outcome })
        if (!mine) log.warn({ kind: job.kind, job: job.id }, 'jobs.settled_too_late')
        return
      } catch (err) {
        // While the lease lasts, an outage is no reason to repeat the work.
        if (!isOutage(err) || later(clock.now(), settleRetryMs) >= entry.until) {
          log.error({ err, kind: job.kind, job: job.id }, 'jobs.settle_failed')
          return
        }
        await sleep(settleRetryMs)
      }
    }
  }

  /** For a job for which there is no room. */
  const returnUntouched = (job: ClaimedJob, until: Date): void => {
    const entry: RunningJob = { job, until, abort: new AbortController() }
    const returned = settleHeld(entry, { outcome: 'returned', at: clock.now() })
    const ended = returned.finally(() => running.delete(ended))
    running.add(ended)
  }

  return {
    get size() {
      return held.size
    },
    busyShards: () => new Set(held.values().map(({ job }) => job.shard)),
    appetite() {
      const open = Object.entries(kinds).filter(([name, kind]) => hasRoomFor(name, kind))
      return {
        kinds: open.map(([name]) => name),
        bulkKinds: open.filter(([name, kind]) => hasRoomForBulk(name, kind)).map(([name]) => name),
        perLane: open.map(([, kind]) => kind.perLane ?? defaults.perLane),
        perTurn: open.map(([, kind]) => kind.perTurn ?? defaults.perTurn),
        heldLanes: [...byLane.keys()],
        heldJobs: [...byLane.values()].map((lane) => lane.jobs),
      }
    },
    hasRoom(laneId, capacity) {
      const lane = byLane.get(laneId)
      return lane === undefined || lane.jobs < (capacity ?? lane.capacity)
    },
    run(jobs, until) {
      for (const job of jobs) {
        const kind = kinds[job.kind]
        // One claim may return more jobs of a kind than there was room for.
        const fits =
          !kind ||
          (hasRoomFor(job.kind, kind) &&
            (job.priority !== priorities.bulk || hasRoomForBulk(job.kind, kind)))
        if (fits) start(job, until)
        else returnUntouched(job, until)
      }
    },
    async renew() {
      const now = clock.now()
      const early = later(now, (times.jobLeaseMs * 2) / 3)
      const ending = held.values().filter(({ until }) => until <= early)
      const entries = [...ending]
      if (entries.length === 0) return
      const jobs = entries.map(({ job }) => job)
      const until = later(now, times.jobLeaseMs)
      const kept = new Set(await renewJobs(db, jobs, until))
      for (const entry of entries) {
        if (kept.has(entry.job.id)) entry.until = until
        else entry.abort.abort(leaseLost)
      }
    },
    async drain(graceMs) {
      const grace = setTimeout(() => {
        for (const { abort } of held.values()) abort.abort(stopping)
      }, graceMs)
      await Promise.all(running)
      clearTimeout(grace)
    },
  }
}

class JobTimeout extends Error {
  override name = 'JobTimeout'
}

/** Our own reasons to end a try early. */
const leaseLost = Symbol('lease lost')
const stopping = Symbol('stopping')

const afterOutageMs = seconds(1)

/** The outcome of one try, and the error where it failed. */
interface Tried {
  verdict: Verdict
  error?: unknown
}

/** Runs a job within its time limit. Does not wait for work that ignores the signal. */
async function tryJob(
  kind: JobKind,
  job: Job,
  abort: AbortController,
  clock: Clock,
): Promise<Tried> {
  const timeout = setTimeout(
    () => abort.abort(new JobTimeout()),
    kind.timeoutMs ?? defaults.timeoutMs,
  )
  try {
    const verdict = await Promise.race([kind.run(job, abort.signal), aborted(abort.signal)])
    return { verdict: verdict ?? finished(kind, job, clock) }
  } catch (error) {
    if (abort.signal.reason === stopping) {
      return { verdict: kind.lapses ? { outcome: 'settled' } : returned(clock) }
    }
    // Another worker has the job now and will settle it. The fence would refuse this settle too.
    if (abort.signal.reason === leaseLost) return { verdict: { outcome: 'settled' } }
    // The job is not at fault, so this costs it no attempt.
    if (isPatientOutage(error)) {
      return { verdict: { outcome: 'returned', at: later(clock.now(), afterOutageMs) }, error }
    }
    return { verdict: afterFailure(kind, job, clock, error), error }
  } finally {
    clearTimeout(timeout)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

function returned(clock: Clock): Verdict {
  return { outcome: 'returned', at: clock.now() }
}

/** Periodic jobs keep their schedule. Runs that were missed without a worker are not repeated. */
function finished({ everyMs }: JobKind, { dueAt }: Job, clock: Clock): Verdict {
  if (everyMs === undefined) return { outcome: 'done' }
  const now = clock.now()
  const next = later(dueAt, everyMs)
  return { outcome: 'again', at: next > now ? next : later(now, everyMs) }
}
