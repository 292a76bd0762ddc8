/**
 * When each connection was last used, gathered in memory and written every few
 * seconds: a row written per call would cost more than most calls do, and the page
 * that shows it speaks of minutes.
 */
import { type Clock, seconds } from '../platform/clock.ts'
import type { Db } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { touchConnections } from './touch.ts'

export interface LastUse {
  used(connectionId: Id<'connection'>): void
  flush(): Promise<void>
  stop(): Promise<void>
}

const flushEvery = seconds(5)

export function createLastUse(deps: { db: Db; clock: Clock; log: Log }): LastUse {
  let pending = new Set<Id<'connection'>>()

  const flush = async () => {
    // Dated now, seconds late: a date for each call would be most of what calls leave behind.
    const at = deps.clock.now()
    const uses = [...pending].map((connectionId) => ({ connectionId, at }))
    pending = new Set()
    if (uses.length === 0) return
    try {
      await touchConnections(deps.db, uses)
    } catch (err) {
      // The next use writes it again; nothing but the page's "last used" hangs on it.
      deps.log.warn({ err }, 'connections.touch_failed')
    }
  }

  const timer = setInterval(() => void flush(), flushEvery)
  timer.unref()
  return {
    used(connectionId) {
      pending.add(connectionId)
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
