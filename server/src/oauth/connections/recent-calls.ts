/**
 * Keeps the latest calls of each connection, for the page on which a person looks at them. They are
 * gathered in memory and written every few seconds, so that no call waits for it. A crash loses the
 * calls of those seconds from the page, and nothing else. Arguments are never kept.
 */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, days, later, seconds } from '../../lib/time/clock.ts'
import type { RecentCall } from './connection.ts'
import { deleteOldCalls, mergeCalls, selectCalls } from './recent-calls-queries.ts'

/** How many calls of a connection are kept. */
export const callsKept = 20
/** How long the calls of a connection that is not used any more are kept. */
export const callsKeptFor = days(30)

const flushEvery = seconds(5)
/** The most connections of one flush. The next flush writes the others. */
const flushedAtOnce = 1000
/** The most connections whose calls wait to be written. Calls of further ones are not shown. */
const mostWaiting = 10_000

type EndedCall = Omit<RecentCall, 'at'>
export type CallEnded = (connectionId: Id<'connection'>, call: EndedCall) => void

export interface RecentCalls {
  ended: CallEnded
  flush(): Promise<void>
  stop(): Promise<void>
}

export function createRecentCalls(deps: { db: Db; clock: Clock; log: Log }): RecentCalls {
  const waiting = new Map<Id<'connection'>, (EndedCall & { ms: number })[]>()

  const flush = async () => {
    const entries = [...waiting].slice(0, flushedAtOnce)
    if (entries.length === 0) return
    for (const [id] of entries) waiting.delete(id)
    const rows = entries.map(([id, calls]) => ({
      id,
      calls: calls
        .toReversed()
        .map(({ ms, ...call }) => ({ ...call, at: new Date(ms).toISOString() })),
    }))
    try {
      await mergeCalls(deps.db, rows, { kept: callsKept, now: deps.clock.now() })
    } catch (err) {
      deps.log.warn({ err }, 'connections.calls_lost')
    }
  }

  const timer = setInterval(() => void flush(), flushEvery)
  timer.unref()
  return {
    ended(connectionId, call) {
      let calls = waiting.get(connectionId)
      if (!calls) {
        if (waiting.size >= mostWaiting) return
        calls = []
        waiting.set(connectionId, calls)
      }
      if (calls.length === callsKept) calls.shift()
      calls.push({ ...call, ms: deps.clock.now().getTime() })
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** The latest calls of a connection, newest first. */
export function callsOf(db: Db, id: Id<'connection'>, now: Date): Promise<RecentCall[]> {
  return selectCalls(db, id, later(now, -callsKeptFor))
}

/** Deletes the calls of connections that have not been used for long. */
export function forgetCalls(db: Db, now: Date, limit: number): Promise<number> {
  return deleteOldCalls(db, later(now, -callsKeptFor), limit)
}
