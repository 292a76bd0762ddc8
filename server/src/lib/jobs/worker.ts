/**
 * One worker: a single loop that renews the leases, repairs lost wake-ups and claims as many jobs
 * as it has free slots. It polls, so that it does not depend on hints, and sleeps no longer than
 * until the next job is due, so that due times are exact.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher, ofBusinesses } from '../concurrency/batch.ts'
import { ignoreError } from '../concurrency/ignore-error.ts'
import { sql } from '../db/db.ts'
import { isSpread } from '../db/distribution.ts'
import { isOutage, isPatientOutage } from '../db/outage.ts'
import type { Db } from '../db/types.ts'
import type { Log } from '../process/log.ts'
import { newId } from '../text/uuid.ts'
import { type Clock, later, seconds, type WatchedClock } from '../time/clock.ts'
import {
  type Appetite,
  type ClaimedJob,
  claimJobs,
  createLaneQueue,
  dueLanes,
  type LaneDecision,
  renewJobs,
  type Settlement,
  settle,
  type WaitingLane,
} from './claim.ts'
import {
  afterFailure,
  defaults,
  defaultTimes,
  type Job,
  type JobKind,
  type JobKinds,
  type JobRow,
  type LaneNews,
  type LeaseTimes,
  type Outcome,
  type Place,
  periodicId,
  placeOf,
  priorities,
  shardCount,
  type TellWorker,
  type Verdict,
} from './job.ts'
import { createNodeReader, type NodeReader } from './nodes.ts'
import { createHealer, createShardKeeper } from './shards.ts'

export interface Worker {
  /** Resolves once the worker holds its first shards; throws where the database is unreachable. */
  start(): Promise<void>
  /** Lets running jobs end, releases those that do not, and then releases the shards. */
  stop(): Promise<void>
  /**
   * A hint that jobs were queued in this process. `enqueue` names the lanes; without them it costs
   * a look over all shards. The hint is passed on to the workers that hold other shards.
   */
  wake: (news?: readonly LaneNews[]) => void
  /** Does the same for jobs that another process queued, without passing the hint on. */
  hear: (news?: readonly LaneNews[]) => void
  /** How many of the shards it serves now. */
  shardsHeld(): number
}

export interface WorkerOptions {
  db: Db
  /** The worker claims nothing while the clock tells of a jump. */
  clock: WatchedClock
  log: Log
  kinds: JobKinds
  /** The most simultaneous jobs. */
  slots: number
  /** The longest wait for jobs that other nodes queued. */
  pollMs?: number
  /** Passes news on to the workers of other processes. */
  tellOthers?: TellWorker
  /** How long `stop` lets running jobs continue. */
  graceMs?: number
  times?: LeaseTimes
}

// News that keeps coming gathers for this long, so that many small jobs share a claim. The first
// news after a pause does not wait. At 300 jobs a second a claim takes four jobs.
const gatherMs = 12
const afterFaultMs = seconds(1)
/** How often a clock that jumped is looked at. */
const wrongClockMs = seconds(1)

export function createWorker(options: WorkerOptions): Worker {
  const { db, clock, log, kinds, slots, pollMs = 500, times = defaultTimes } = options
  const waker = createWaker()
  let faulty = false
  let faultyNow = false
  /** Logs the first fault; one that goes on is not repeated each second. */
  const onFault = (err: unknown): void => {
    if (!faulty && !faultyNow) log.error({ err }, 'jobs.worker_faulty')
    faultyNow = true
  }
  const onFree = (again?: LaneNews) => {
    if (again) claimer.tell([again])
    if (claimer.waiting) waker.wake()
    else if (again) waker.wakeSoon()
  }
  const runner = createRunner({ db, clock, log, kinds, times, onFree, onFault })
  const keeper = createShardKeeper(db, clock, times)
  const { shards } = keeper
  const nodes = createNodeReader(db, onFault)
  const parts = { db, clock, log, nodes, runner, shards, slots, pollMs, times, onFault }
  const claimer = createClaimer(parts)
  const heal = createHealer(db, clock, nodes)
  let stopping = false
  let loop: Promise<void> | undefined
  let jumpedMs: number | undefined

  /** Whether the clock is wrong. Its shards then fall to workers whose clocks are right. */
  const isClockWrong = (): boolean => {
    const aheadMs = clock.jump?.()?.aheadMs
    if (aheadMs !== jumpedMs) {
      if (aheadMs === undefined) log.warn('jobs.clock_right')
      else log.error({ aheadMs }, 'jobs.clock_jumped')
    }
    jumpedMs = aheadMs
    return aheadMs !== undefined
  }

  const turn = async (): Promise<number> => {
    // This is first, because after a pause of this process its leases may be gone.
    await goOn(runner.renew())
    if (isClockWrong()) return wrongClockMs
    if (keeper.dueAt <= clock.now()) await keeper.tend(runner.busyShards())
    await goOn(heal(keeper.shards()))
    return claimer.turn()
  }

  /** On a distributed database a node that is away keeps its own businesses waiting, and no others. */
  const goOn = async (work: Promise<void>): Promise<void> => {
    try {
      await work
    } catch (error) {
      if (!isSpread(db)) throw error
      onFault(error)
    }
  }

  const run = async (): Promise<void> => {
    while (!stopping) {
      const began = performance.now()
      let ms = afterFaultMs
      faultyNow = false
      try {
        ms = await turn()
      } catch (err) {
        onFault(err)
        // The lanes to claim from may have been dropped from the queue.
        claimer.lookNow()
      }
      faulty = faultyNow
      if (!stopping) await waker.wait(ms, began + gatherMs - performance.now())
    }
  }

  const drain = async (): Promise<void> => {
    // Leases are renewed to the last, so that no job that may still end is taken over.
    const renewals = setInterval(
      () => void ignoreError('the settle sees a lease that ended', runner.renew()),
      times.jobLeaseMs / 3,
    )
    await runner.drain(options.graceMs ?? seconds(10))
    clearInterval(renewals)
  }

  const hear = (news?: readonly LaneNews[]): void => {
    // Otherwise the claimer would collect lanes that are never claimed from.
    if (!loop || stopping) return
    if (news) claimer.tell(news)
    else claimer.lookNow()
    waker.wakeSoon()
  }

  /** The news of lanes in other workers' shards that are due before those workers' next look. */
  const ofOthers = (news: readonly LaneNews[]): LaneNews[] => {
    const ownShards = keeper.shards()
    if (ownShards.length === shardCount) return []
    const nextLook = later(clock.now(), pollMs)
    return news.filter(({ shard, dueAt }) => dueAt < nextLook && !ownShards.includes(shard))
  }

  return {
    async start() {
      await keeper.freeFromFuture()
      await ensurePeriodic(db, kinds, clock)
      await keeper.tend(runner.busyShards())
      loop = run()
    },
    async stop() {
      stopping = true
      waker.wake()
      await loop
      await drain()
      await ignoreError('the leases of shards end by themselves', keeper.release())
    },
    wake(news) {
      hear(news)
      const others = news && options.tellOthers ? ofOthers(news) : []
      if (others.length > 0) options.tellOthers?.(others)
    },
    hear(news) {
      const ownShards = keeper.shards()
      const own = news?.filter(({ shard }) => ownShards.includes(shard))
      if (own?.length !== 0) hear(own)
    },
    shardsHeld: () => keeper.shards().length,
  }
}

interface Claimer {
  /**
   * The last turn left jobs waiting for a slot or for room in their lane, so the end of a job
   * matters.
   */
  readonly waiting: boolean
  tell(news: readonly LaneNews[]): void
  /** Makes the next turn look at all shards. */
  lookNow(): void
  /** Claims at most once. Returns the milliseconds to sleep, or 0 where more jobs are due. */
  turn(): Promise<number>
}

interface ClaimerOptions {
  db: Db
  clock: Clock
  log: Log
  nodes: NodeReader
  runner: Runner
  shards: () => readonly number[]
  slots: number
  pollMs: number
  times: LeaseTimes
  onFault: (error: unknown) => void
}

// If a due lane cannot be claimed, another transaction has locked it.
const heldLaneMs = 20

/**
 * Decides which lanes get the free slots. Lanes that a notification named are claimed from without
 * a search. A look over all shards, which costs far more, happens at the poll interval, when the
 * next job falls due, and again while a look still finds lanes.
 */
function createClaimer(options: ClaimerOptions): Claimer {
  const { db, clock, log, nodes, runner, shards, slots, pollMs, times, onFault } = options
  const queue = createLaneQueue()
  // Waits are measured by the monotonic timer, because the clock may be set or stand still.
  let lookAt = performance.now()
  /** Whether the last look found lanes, and further lanes may be behind them. */
  let backlog = false
  let claimedSinceLook = 0
  let waiting = false

  const sleepForSlots = (): number => {
    waiting = true
    return pollMs
  }

  const lookIn = (ms: number): void => {
    lookAt = Math.min(lookAt, performance.now() + ms)
  }

  const queueUp = (lane: WaitingLane): void => {
    if (!queue.add(lane)) backlog = true
  }

  const look = async (): Promise<void> => {
    const now = clock.now()
    // Set before the statement, so that a request made while it runs leads to another look.
    lookAt = performance.now() + pollMs
    claimedSinceLook = 0
    const lanes = await nodes.read((businesses) =>
      dueLanes(db, shards(), runner.appetite(), later(now, pollMs), businesses),
    )
    for (const { businessId, shard, laneId, priority, capacity, nextAt } of lanes) {
      if (nextAt > now) lookIn(nextAt.getTime() - clock.now().getTime())
      else queueUp({ businessId, shard, laneId, priority, capacity, found: true })
    }
    backlog = queue.found > 0
  }

  /** Claims from the lanes and queues those with more jobs again; returns whether there are any. */
  const claim = async (lanes: WaitingLane[], free: number): Promise<boolean> => {
    const perTurn = Math.floor(free / lanes.length)
    const now = clock.now()
    const until = later(now, times.jobLeaseMs)
    const turn = { lanes, perTurn, lease: newId('job'), now, until, onFault }
    const jobs = await claimJobs(db, runner.appetite(), turn)
    for (const { kind, id, poison } of jobs) {
      if (poison) log.error({ kind, job: id }, `jobs.poison_${poison}`)
    }
    runner.run(
      jobs.filter((job) => !job.poison),
      until,
    )
    claimedSinceLook += jobs.length
    const deep = jobs.filter((job) => job.more)
    for (const { businessId, shard, laneId, priority, capacity } of deep) {
      queueUp({ businessId, shard, laneId, priority, capacity })
    }
    return deep.length > 0
  }

  return {
    get waiting() {
      return waiting
    },
    tell(news) {
      const now = clock.now()
      for (const { businessId, shard, laneId, priority, dueAt } of news) {
        if (dueAt > now) lookIn(dueAt.getTime() - now.getTime())
        else queueUp({ businessId, shard, laneId, priority })
      }
    },
    lookNow: () => lookIn(0),
    async turn() {
      if (runner.size >= slots) return sleepForSlots()
      waiting = false
      if (lookAt <= performance.now()) await look()
      const ownShards = shards()
      // A claim sees a lane's limit, but not what it takes from the same lane in another shard.
      const inTurn = new Set<string>()
      const fate = ({ shard, laneId, capacity }: WaitingLane): LaneDecision => {
        if (!ownShards.includes(shard)) return 'drop'
        if (inTurn.has(laneId) || !runner.hasRoom(laneId, capacity)) {
          waiting = true
          return 'wait'
        }
        inTurn.add(laneId)
        return 'take'
      }
      const free = slots - runner.size
      const lanes = queue.take(free, fate)
      // Notifications during the claim are not urgent and may gather.
      const hasWaiting = queue.size > 0
      const more = lanes.length > 0 && ((await claim(lanes, free)) || hasWaiting)
      if (backlog && queue.found === 0) {
        backlog = false
        lookIn(claimedSinceLook > 0 ? 0 : heldLaneMs)
      }
      if (runner.size >= slots) return sleepForSlots()
      return more ? 0 : Math.max(0, lookAt - performance.now())
    },
  }
}

/**
 * Ensures that each periodic kind has its one job, whatever the number of workers. A dead job is
 * revived when a worker starts.
 */
async function ensurePeriodic(db: Db, kinds: JobKinds, clock: Clock): Promise<void> {
  const now = clock.now()
  for (const [kind, { everyMs }] of Object.entries(kinds)) {
    if (everyMs === undefined) continue
    const { laneId, ...part } = placeOf({ kind, businessId: null })
    const job = {
      id: periodicId(kind),
      laneId,
      kind,
      payload: 'null',
      dueAt: later(now, everyMs),
      failures: 0,
      priority: priorities.normal,
    }
    await insertPeriodic(db, part, job, now)
  }
}

/** Creates the one job of a periodic kind, or brings it forward to the present interval. */
function insertPeriodic(
  db: Db,
  { businessId, shard }: Omit<Place, 'laneId'>,
  job: JobRow,
  now: Date,
): Promise<number> {
  return db.run(sql`
    with opened as (
      insert into lanes (business_id, shard, id, kind, priority, next_at, touched_at)
      values (${businessId}, ${shard}, ${job.laneId}, ${job.kind}, ${job.priority}, ${now}, ${now})
      on conflict do nothing
    )
    insert into jobs (business_id, shard, id, lane, kind, payload, due_at, created_at)
    values (${businessId}, ${shard}, ${job.id}, ${job.laneId}, ${job.kind}, ${job.payload}, ${now},
      ${now})
    on conflict on constraint jobs_pkey do update
    set due_at = least(jobs.due_at, ${job.dueAt}), parked_at = null, claims = 0
    where jobs.business_id = ${businessId} and jobs.lease is null
      and (jobs.parked_at is not null or jobs.due_at > ${job.dueAt})
  `)
}

interface Runner {
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
  onFault: (error: unknown) => void
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

/**
 * The jobs that a worker is running. It runs each, renews its lease meanwhile, and settles jobs in
 * batches of one statement.
 */
function createRunner(options: RunnerOptions): Runner {
  const { db, clock, log, kinds, times, onFree, onFault } = options
  const runningJobs = new Map<string, RunningJob>()
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
    businessOf: ofBusinesses(db, ({ job }) => job.businessId),
    async flush(settlements) {
      const settled = await settle(db, settlements, clock.now())
      return settlements.map(({ job }) => settled.has(job))
    },
  })

  const start = (job: ClaimedJob, until: Date): void => {
    const entry: RunningJob = { job, until, abort: new AbortController() }
    runningJobs.set(job.id, entry)
    const lane = byLane.get(job.laneId) ?? { jobs: 0, capacity: 0 }
    byLane.set(job.laneId, { jobs: lane.jobs + 1, capacity: job.capacity })
    count(job, 1)
    const { businessId, shard, laneId, priority } = job
    let dueAt: Date | undefined
    const worked = work(entry).then((at) => {
      dueAt = at
    })
    const ended = worked.finally(() => {
      runningJobs.delete(job.id)
      count(job, -1)
      leave(laneId)
      running.delete(ended)
      onFree(dueAt && { businessId, shard, laneId, priority, dueAt })
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
        const isSettled = await settleOne({ job, outcome })
        if (!isSettled) log.warn({ kind: job.kind, job: job.id }, 'jobs.settled_too_late')
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
      return runningJobs.size
    },
    busyShards: () => new Set(runningJobs.values().map(({ job }) => job.shard)),
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
      const ending = runningJobs.values().filter(({ until }) => until <= early)
      const entries = [...ending]
      if (entries.length === 0) return
      const jobs = entries.map(({ job }) => job)
      const until = later(now, times.jobLeaseMs)
      const renewal = await renewJobs(db, jobs, until, onFault)
      for (const entry of entries) {
        if (renewal.held.has(entry.job.id)) entry.until = until
        else if (renewal.lost.has(entry.job.id)) entry.abort.abort(leaseLost)
      }
    },
    async drain(graceMs) {
      const grace = setTimeout(() => {
        for (const { abort } of runningJobs.values()) abort.abort(stopping)
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

/** Lets one loop sleep until a time, or until there is news for it. */
interface Waker {
  /** Ends the present wait at once, or the next one if the loop is not waiting. */
  wake(): void
  /** Like `wake`, except that the wait lasts at least `atLeastMs`. */
  wakeSoon(): void
  /** `atLeastMs` lets news gather; `wake` ends the wait before it. */
  wait(ms: number, atLeastMs?: number): Promise<void>
}

export function createWaker(): Waker {
  let news: 'none' | 'soon' | 'now' = 'none'
  let wakeUp: (() => void) | undefined

  const sleep = (ms: number, atLeastMs: number) =>
    new Promise<void>((resolve) => {
      const began = performance.now()
      let timer = setTimeout(resolve, ms)
      wakeUp = () => {
        const rest = news === 'now' ? 0 : atLeastMs - (performance.now() - began)
        clearTimeout(timer)
        if (rest > 0) timer = setTimeout(resolve, Math.min(rest, ms))
        else resolve()
      }
      if (news !== 'none') wakeUp()
    })

  return {
    wake() {
      news = 'now'
      wakeUp?.()
    },
    wakeSoon() {
      if (news !== 'none') return
      news = 'soon'
      wakeUp?.()
    },
    async wait(ms, atLeastMs = 0) {
      if (news !== 'now' && ms > 0) await sleep(ms, atLeastMs)
      wakeUp = undefined
      news = 'none'
    },
  }
}
