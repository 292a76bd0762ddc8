import type { Db } from '../db/types.ts'
import { type Clock, days, later, seconds } from '../time/clock.ts'
import { dropEmptyLanes, lateLanes, wakeLanes } from './queue-queries.ts'
import { everyShard } from './shard.ts'

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
