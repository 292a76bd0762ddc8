/**
 * Records when each connection was last used. Uses are gathered in memory and written every few
 * seconds, at most once a minute per connection. A row per call would cost more than most calls do,
 * and the page shows only minutes.
 */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, minutes, seconds } from '../../lib/time/clock.ts'
import { touchConnections } from './touch.ts'

export interface LastUse {
  used(connectionId: Id<'connection'>): void
  flush(): Promise<void>
  stop(): Promise<void>
}

const flushEvery = seconds(5)
const writtenEvery = minutes(1)

export function createLastUse(deps: { db: Db; clock: Clock; log: Log }): LastUse {
  let pending = new Set<Id<'connection'>>()
  // Connections that were written in this minute, or are about to be.
  let ids = new Set<Id<'connection'>>()
  let minuteBegan = deps.clock.now()

  const flush = async () => {
    // The time of the flush, seconds late. A date for each call would be most of a call's garbage.
    const at = deps.clock.now()
    if (Math.abs(at.getTime() - minuteBegan.getTime()) >= writtenEvery) {
      minuteBegan = at
      ids = new Set()
    }
    const uses = [...pending].map((connectionId) => ({ connectionId, at }))
    pending = new Set()
    if (uses.length === 0) return
    try {
      await touchConnections(deps.db, uses)
    } catch (err) {
      // The next use writes it again. Only "last used" on the page depends on it.
      for (const { connectionId } of uses) ids.delete(connectionId)
      deps.log.warn({ err }, 'connections.touch_failed')
    }
  }

  const timer = setInterval(() => void flush(), flushEvery)
  timer.unref()
  return {
    used(connectionId) {
      if (ids.has(connectionId)) return
      ids.add(connectionId)
      pending.add(connectionId)
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
