/**
 * One worker: a single loop that renews the leases, repairs lost wake-ups and claims as many jobs
 * as it has free slots. It polls, so that it does not depend on hints, and sleeps no longer than
 * until the next job is due, so that due times are exact.
 */

import { canFail } from '../concurrency/can-fail.ts'
import type { Db } from '../db/types.ts'
import type { Log } from '../process/log.ts'
import { later, seconds } from '../time/clock.ts'
import type { WatchedClock } from '../time/steady-clock.ts'
import { createClaimer } from './claimer.ts'
import type { LaneNews, TellWorker } from './enqueue.ts'
import { createHealer } from './healer.ts'
import { defaultTimes, type JobKinds, type LeaseTimes } from './job.ts'
import { ensurePeriodic } from './periodic.ts'
import { createRunner } from './runner.ts'
import { shardCount } from './shard.ts'
import { createShardKeeper } from './shard-keeper.ts'
import { createWaker } from './waker.ts'

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
  const onFree = (again?: LaneNews) => {
    if (again) claimer.tell([again])
    if (claimer.waiting) waker.wake()
    else if (again) waker.wakeSoon()
  }
  const runner = createRunner({ db, clock, log, kinds, times, onFree })
  const keeper = createShardKeeper(db, clock, times)
  const { shards } = keeper
  const claimer = createClaimer({ db, clock, log, runner, shards, slots, pollMs, times })
  const heal = createHealer(db, clock)
  let stopping = false
  let loop: Promise<void> | undefined
  let faulty = false
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
    await runner.renew()
    if (isClockWrong()) return wrongClockMs
    if (keeper.dueAt <= clock.now()) await keeper.tend(runner.busyShards())
    await heal(keeper.shards())
    return claimer.turn()
  }

  const run = async (): Promise<void> => {
    while (!stopping) {
      const began = performance.now()
      let ms = afterFaultMs
      try {
        ms = await turn()
        faulty = false
      } catch (err) {
        if (!faulty) log.error({ err }, 'jobs.worker_faulty')
        faulty = true
        // The lanes to claim from may have been dropped from the queue.
        claimer.lookNow()
      }
      if (!stopping) await waker.wait(ms, began + gatherMs - performance.now())
    }
  }

  const drain = async (): Promise<void> => {
    // Leases are renewed to the last, so that no job that may still end is taken over.
    const renewals = setInterval(
      () => void canFail('the settle sees a lease that ended', runner.renew()),
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
    const mine = keeper.shards()
    if (mine.length === shardCount) return []
    const nextLook = later(clock.now(), pollMs)
    return news.filter(({ shard, dueAt }) => dueAt < nextLook && !mine.includes(shard))
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
      await canFail('the leases of shards end by themselves', keeper.release())
    },
    wake(news) {
      hear(news)
      const others = news && options.tellOthers ? ofOthers(news) : []
      if (others.length > 0) options.tellOthers?.(others)
    },
    hear(news) {
      const mine = keeper.shards()
      const own = news?.filter(({ shard }) => mine.includes(shard))
      if (own?.length !== 0) hear(own)
    },
    shardsHeld: () => keeper.shards().length,
  }
}
