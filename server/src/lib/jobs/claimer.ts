/**
 * Decides which lanes get the free slots. Lanes that a notification named are claimed from without
 * a search. A look over all shards, which costs far more, happens at the poll interval, when the
 * next job falls due, and again while a look still finds lanes.
 */

import type { Db } from '../db/types.ts'
import type { Log } from '../process/log.ts'
import { newId } from '../text/uuid.ts'
import { type Clock, later } from '../time/clock.ts'
import { claimJobs, dueLanes } from './claim-queries.ts'
import type { LaneNews } from './enqueue.ts'
import type { LeaseTimes } from './job.ts'
import { createLaneQueue, type LaneDecision, type WaitingLane } from './lane-queue.ts'
import type { Runner } from './runner.ts'

export interface Claimer {
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

export interface ClaimerOptions {
  db: Db
  clock: Clock
  log: Log
  runner: Runner
  shards: () => readonly number[]
  slots: number
  pollMs: number
  times: LeaseTimes
}

// If a due lane cannot be claimed, another transaction has locked it.
const heldLaneMs = 20

export function createClaimer(options: ClaimerOptions): Claimer {
  const { db, clock, log, runner, shards, slots, pollMs, times } = options
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
    const lanes = await dueLanes(db, shards(), runner.appetite(), later(now, pollMs))
    for (const { shard, laneId, priority, capacity, nextAt } of lanes) {
      if (nextAt > now) lookIn(nextAt.getTime() - clock.now().getTime())
      else queueUp({ shard, laneId, priority, capacity, found: true })
    }
    backlog = queue.found > 0
  }

  /** Claims from the lanes and queues those with more jobs again; returns whether there are any. */
  const claim = async (lanes: WaitingLane[], free: number): Promise<boolean> => {
    const perTurn = Math.floor(free / lanes.length)
    const now = clock.now()
    const until = later(now, times.jobLeaseMs)
    const turn = { lanes, perTurn, lease: newId('job'), now, until }
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
    for (const { shard, laneId, priority, capacity } of deep) {
      queueUp({ shard, laneId, priority, capacity })
    }
    return deep.length > 0
  }

  return {
    get waiting() {
      return waiting
    },
    tell(news) {
      const now = clock.now()
      for (const { shard, laneId, priority, dueAt } of news) {
        if (dueAt > now) lookIn(dueAt.getTime() - now.getTime())
        else queueUp({ shard, laneId, priority })
      }
    },
    lookNow: () => lookIn(0),
    async turn() {
      if (runner.size >= slots) return sleepForSlots()
      waiting = false
      if (lookAt <= performance.now()) await look()
      const mine = shards()
      // A claim sees a lane's limit, but not what it takes from the same lane in another shard.
      const inTurn = new Set<string>()
      const fate = ({ shard, laneId, capacity }: WaitingLane): LaneDecision => {
        if (!mine.includes(shard)) return 'drop'
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
      const left = queue.size > 0
      const more = lanes.length > 0 && ((await claim(lanes, free)) || left)
      if (backlog && queue.found === 0) {
        backlog = false
        lookIn(claimedSinceLook > 0 ? 0 : heldLaneMs)
      }
      if (runner.size >= slots) return sleepForSlots()
      return more ? 0 : Math.max(0, lookAt - performance.now())
    },
  }
}
