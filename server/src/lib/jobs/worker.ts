/**
 * One worker: a single loop that keeps the leases, heals lost wakes and claims as
 * many jobs as it has free slots. It polls, so that nothing depends on a hint, and
 * sleeps no longer than until the next job is due, so that times are exact.
 */

import { canFail } from '../concurrency/can-fail.ts'
import type { Db } from '../db/types.ts'
import type { Log } from '../process/log.ts'
import { type Clock, later, seconds } from '../time/clock.ts'
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
  /** Resolves once the worker holds its first shards; throws where the database is away. */
  start(): Promise<void>
  /** Lets running jobs end, gives back those that do not, and then the shards. */
  stop(): Promise<void>
  /**
   * A hint that jobs were queued in this process. `enqueue` says in which lanes; without
   * that it costs a look over all shards. Other workers are told of what lies in their shards.
   */
  wake: (news?: readonly LaneNews[]) => void
  /** The same of jobs that another process queued, of which nobody else is told. */
  hear: (news?: readonly LaneNews[]) => void
}

export interface WorkerOptions {
  db: Db
  clock: Clock
  log: Log
  kinds: JobKinds
  /** Jobs at once. */
  slots: number
  /** The longest wait for jobs that other nodes queued. */
  pollMs?: number
  /** Passes news on to the workers of other processes. */
  tellOthers?: TellWorker
  /** How long `stop` lets running jobs go on. */
  graceMs?: number
  times?: LeaseTimes
}

// News gathers for so long while it keeps coming, so that many small jobs share a claim;
// the first after a pause does not wait. At 300 jobs a second
// that is four a claim.
const gatherMs = 12
const afterFaultMs = seconds(1)

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

  const turn = async (): Promise<number> => {
    // First of all: after a pause of this process its leases may be gone.
    await runner.renew()
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
        // Lanes that were to be claimed from are in nobody's hands now.
        claimer.lookNow()
      }
      if (!stopping) await waker.wait(ms, began + gatherMs - performance.now())
    }
  }

  const drain = async (): Promise<void> => {
    // Leases are kept to the last: a job that may still end must not be taken over.
    const renewals = setInterval(
      () => void canFail('the settle sees a lease that ended', runner.renew()),
      times.jobLeaseMs / 3,
    )
    await runner.drain(options.graceMs ?? seconds(10))
    clearInterval(renewals)
  }

  const hear = (news?: readonly LaneNews[]): void => {
    // Else it would gather what nobody takes.
    if (!loop || stopping) return
    if (news) claimer.tell(news)
    else claimer.lookNow()
    waker.wakeSoon()
  }

  /** What other workers have to do before their next look. */
  const ofOthers = (news: readonly LaneNews[]): LaneNews[] => {
    const mine = keeper.shards()
    if (mine.length === shardCount) return []
    const nextLook = later(clock.now(), pollMs)
    return news.filter(({ shard, dueAt }) => dueAt < nextLook && !mine.includes(shard))
  }

  return {
    async start() {
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
  }
}
