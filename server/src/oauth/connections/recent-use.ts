/**
 * Records when a connection was last used, and its latest calls, for the pages on which its owner looks at
 * it. Both are gathered in memory and written every few seconds, so that no call waits for it: a row per
 * call would cost more than most calls do. A crash loses those seconds from the page, and nothing else.
 * Arguments are never kept.
 */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, days, later, minutes, seconds } from '../../lib/time/clock.ts'
import type { RecentCall } from './connection.ts'

const flushEvery = seconds(5)

export interface LastUse {
  used(connectionId: Id<'connection'>): void
  flush(): Promise<void>
  stop(): Promise<void>
}

/** How often at most the last use of a connection is written: the page shows minutes. */
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

export interface ConnectionUse {
  connectionId: Id<'connection'>
  at: Date
}

/** A connection may occur more than once. Its latest use counts. */
export async function touchConnections(db: Db, uses: readonly ConnectionUse[]): Promise<void> {
  const latest = new Map<Id<'connection'>, Date>()
  for (const { connectionId, at } of uses) {
    const cached = latest.get(connectionId)
    if (!cached || cached < at) latest.set(connectionId, at)
  }
  if (latest.size === 0) return
  await updateLastUse(db, { ids: [...latest.keys()], times: [...latest.values()] })
}

/** How many calls of a connection are kept. */
export const callsKept = 20
/** How long the calls of a connection that is not used any more are kept. */
const callsKeptFor = days(30)

/** The most connections of one flush. The next flush writes the others. */
const flushedAtOnce = 1000
/** The most connections whose calls wait to be written. Calls of further ones are not shown. */
const mostWaiting = 10_000

type EndedCall = Omit<RecentCall, 'at'>
type CallEnded = (connectionId: Id<'connection'>, call: EndedCall) => void

interface RecentCalls {
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
      await mergeCalls(deps.db, rows, { limit: callsKept, now: deps.clock.now() })
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

/** Rows are locked in the order of their ids, so that flushes of two nodes cannot deadlock. */
async function updateLastUse(
  db: Db,
  uses: { ids: Id<'connection'>[]; times: Date[] },
): Promise<void> {
  await db.run(sql`
    with used as (
      select id, at from unnest(${uses.ids}::uuid[], ${uses.times}::timestamptz[]) as u (id, at)
    ), locked as (
      select c.id from connections c join used using (id)
      where c.last_used_at is null or c.last_used_at < used.at
      order by c.id for no key update of c
    )
    update connections set last_used_at = greatest(last_used_at, used.at)
    from used
    where connections.id = used.id and connections.id in (select id from locked)
  `)
}

/**
 * Adds calls, newest first, to those that are kept already, and keeps the newest of all. Rows are written in the
 * order of their ids, so that flushes of two nodes cannot deadlock. A connection that was deleted
 * meanwhile is left out.
 */
async function mergeCalls(
  db: Db,
  rows: readonly { id: Id<'connection'>; calls: readonly RecentCall[] }[],
  { limit, now }: { limit: number; now: Date },
): Promise<void> {
  await db.run(sql`
    insert into connection_calls (connection_id, calls, called_at)
    select id, u.calls::jsonb, ${now}
    from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ calls }) => JSON.stringify(calls))}::text[]
    ) as u (id, calls)
    join connections using (id)
    order by id
    on conflict (connection_id) do update set
      calls = (
        select jsonb_agg(call order by call->>'at' desc, place)
        from (
          select call, place
          from jsonb_array_elements(excluded.calls || connection_calls.calls)
            with ordinality as each (call, place)
          order by call->>'at' desc, place
          limit ${limit}
        ) as newest
      ),
      called_at = greatest(excluded.called_at, connection_calls.called_at)
  `)
}

async function selectCalls(db: Db, id: Id<'connection'>, after: Date): Promise<RecentCall[]> {
  const row = await db.maybe<{ calls: RecentCall[] }>(sql`
    select calls from connection_calls where connection_id = ${id} and called_at > ${after}
  `)
  return row?.calls ?? []
}

function deleteOldCalls(db: Db, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from connection_calls where connection_id in (
      select connection_id from connection_calls where called_at <= ${before}
      order by called_at limit ${limit} for update skip locked
    )
  `)
}
