/**
 * Counts calls in memory and writes the counts once a second, because a durable row per request
 * would cost more than most requests do. A crash loses at most one second of this statistic, which
 * is neither billed nor limited.
 */

import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import type { Log } from '../lib/process/log.ts'
import { type Clock, seconds } from '../lib/time/clock.ts'
import { dayOf } from './metrics.ts'
import { addUsage } from './reserve.ts'

export interface CallCounter {
  count(businessId: Id<'business'>): void
  flush(): Promise<void>
  stop(): Promise<void>
}

export function createCallCounter(deps: { db: Db; clock: Clock; log: Log }): CallCounter {
  let day = dayOf(deps.clock.now())
  let counts = new Map<Id<'business'>, number>()

  const flush = async () => {
    const today = dayOf(deps.clock.now())
    const pending = [...counts]
    const countedOn = day
    counts = new Map()
    day = today
    if (pending.length === 0) return
    try {
      await addUsage(
        deps.db,
        pending.map(([businessId, amount]) => ({
          businessId,
          metric: 'calls',
          day: countedOn,
          amount,
        })),
      )
    } catch (error) {
      // Puts the counts back. The database may be restarting, and the next second tries again.
      for (const [id, amount] of pending) counts.set(id, (counts.get(id) ?? 0) + amount)
      deps.log.warn({ err: error }, 'usage.flush_failed')
    }
  }

  const timer = setInterval(() => void flush(), seconds(1))
  timer.unref()
  return {
    count(businessId) {
      counts.set(businessId, (counts.get(businessId) ?? 0) + 1)
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
