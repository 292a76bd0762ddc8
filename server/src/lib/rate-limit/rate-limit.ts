/**
 * 600 requests a minute and token, and more for all tokens of a connection. The decision is made in
 * memory (a few hundred nanoseconds; a durable row per request would allow 15,700 a second in all).
 * Each second the nodes exchange their counts through the database, so that together they exceed
 * the limit by about a second of traffic at most. A node that is alone only stores its counts for a
 * later node, and for its own restart.
 */
import { randomUUID } from 'node:crypto'
import { sql } from '../db/db.ts'
import type { Database } from '../db/types.ts'
import type { Log } from '../process/log.ts'
import type { Clock } from '../time/clock.ts'

/** The numbers of the full bucket, or otherwise of the one with the least left. */
export interface RateVerdict {
  allowed: boolean
  /** Whether the numbers are those of the wider bucket. */
  wider: boolean
  limit: number
  remaining: number
  /** Whole seconds until the window is empty again. */
  resetSeconds: number
  /** Whole seconds until the next request can pass; 0 where this request passed. */
  retryAfter: number
}

/** A bucket that several keys share, such as all tokens of a connection. */
export interface WiderBucket {
  key: string
  limit: number
}

export interface RateLimiter {
  /**
   * Counts one request of `key` if the limit allows it, and one of the wider bucket if there is
   * one. It counts in both buckets or, where either is full, in neither.
   */
  check(key: string, wider?: WiderBucket): RateVerdict
  /** Exchanges counts with the other nodes once. The timer of `start` calls it each second. */
  exchange(): Promise<void>
  start(): void
  /** Ends the timer and writes the last counts. */
  stop(): Promise<void>
  /** Keys held in memory. */
  readonly size: number
  /** Requests refused since the start, by the bucket that was full. */
  readonly refusals: Readonly<{ token: number; connection: number }>
}

interface RateLimiterOptions {
  db: Database
  clock: Clock
  log: Log
  /** Requests in any 60 seconds. */
  limit?: number
  /** The most keys in memory, about 400 bytes each. Beyond it the longest idle key is dropped. */
  maxKeys?: number
}

interface CountedRequest {
  limit: number
  allowed: boolean
  wider: boolean
}

function verdictOf(window: RateWindow, { limit, allowed, wider }: CountedRequest): RateVerdict {
  return {
    allowed,
    wider,
    limit,
    remaining: Math.max(0, limit - window.sum),
    resetSeconds: secondsUntilEmpty(window),
    retryAfter: allowed ? 0 : secondsUntilBelow(window, limit),
  }
}

const rowsPerStatement = 2_000
const secondsBetweenSweeps = 60
/** Seconds after which a node that is alone writes its counts: a crash loses as many. */
const secondsAlone = 10

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { db, clock, log, limit = 600, maxKeys = 200_000 } = options
  const node = randomUUID()
  // Ordered by the second of the last check, oldest first.
  const windows = new Map<string, RateWindow>()
  let unsent = new Set<string>()
  const refusals = { token: 0, connection: 0 }
  let sweptAt = 0
  let sentAt = Number.NEGATIVE_INFINITY
  let stopping = false
  let away = false
  let timer: NodeJS.Timeout | undefined
  let exchanging: Promise<void> | undefined

  const currentSecond = () => Math.floor(clock.now().getTime() / 1000)

  const windowOf = (key: string, second: number): RateWindow => {
    let window = windows.get(key)
    if (window?.second === second) return window
    if (window) {
      advance(window, second)
      windows.delete(key)
    } else {
      window = createWindow(second)
      if (windows.size >= maxKeys) windows.delete(windows.keys().next().value as string)
    }
    windows.set(key, window)
    return window
  }

  const forgetIdle = (second: number): void => {
    for (const [key, window] of windows) {
      if (window.second >= second - windowSeconds) return
      windows.delete(key)
    }
  }

  const exchange = async (): Promise<void> => {
    const second = currentSecond()
    forgetIdle(second)
    let sending = new Set<string>()
    try {
      const inCompany = await meetNodes(db, node, second)
      if (inCompany || stopping || Math.abs(second - sentAt) >= secondsAlone) {
        sentAt = second
        sending = unsent
        unsent = new Set()
      }
      const keys = [...sending]
      for (let i = 0; i < keys.length; i += rowsPerStatement) {
        const columns = columnsOf(countsOf(keys.slice(i, i + rowsPerStatement)))
        learn(columns.keys, await exchangeCounts(db, node, columns, second))
      }
      if (second - sweptAt >= secondsBetweenSweeps) {
        sweptAt = second
        await sweepCounts(db, second)
      }
      away = false
    } catch (err) {
      // The limit holds on this node by itself. The counts are sent with the next exchange.
      for (const key of sending) unsent.add(key)
      if (!away) log.warn({ err }, 'rate.exchange_failed')
      away = true
    }
  }

  function* countsOf(keys: string[]): Generator<KeyCounts> {
    for (const key of keys) {
      const window = windows.get(key)
      if (window) yield { key, ...ownCounts(window) }
    }
  }

  const learn = (sent: string[], theirs: KeyCounts[]): void => {
    const byKey = Map.groupBy(theirs, (row) => row.key)
    for (const key of sent) {
      const window = windows.get(key)
      if (window) replaceOthers(window, byKey.get(key) ?? [])
    }
  }

  const exchangeOnce = (): Promise<void> => {
    exchanging ??= exchange().finally(() => {
      exchanging = undefined
    })
    return exchanging
  }

  return {
    check(key, wideBucket) {
      const second = currentSecond()
      const window = windowOf(key, second)
      const wide = wideBucket && {
        ...wideBucket,
        window: windowOf(wideBucket.key, second),
      }
      const allowed = window.sum < limit && !(wide && wide.window.sum >= wide.limit)
      if (allowed) {
        countOne(window)
        unsent.add(key)
      }
      if (allowed && wide) {
        countOne(wide.window)
        unsent.add(wide.key)
      }
      const wider = wide && wide.limit - wide.window.sum < limit - window.sum
      if (!allowed) refusals[wider ? 'connection' : 'token']++
      return wider
        ? verdictOf(wide.window, { limit: wide.limit, allowed, wider })
        : verdictOf(window, { limit, allowed, wider: false })
    },
    exchange: exchangeOnce,
    start() {
      if (timer) return
      timer = setInterval(() => void exchangeOnce(), 1000).unref()
      // So that the other nodes know this one before it receives requests.
      void exchangeOnce()
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      stopping = true
      await exchanging
      await exchangeOnce()
    },
    get size() {
      return windows.size
    },
    refusals,
  }
}

interface KeyCounts extends Counts {
  key: string
}

/** Each column has one entry for every key. */
interface CountColumns {
  keys: string[]
  lastSeconds: number[]
  /** Array literals, such as `{1,0,2}`. */
  counts: string[]
}

/**
 * Builds columns at once rather than rows: a second's rows of thousands of keys would wait for the
 * statement's answer and so outlive a collection of the young heap.
 */
function columnsOf(keyCounts: Iterable<KeyCounts>): CountColumns {
  const columns: CountColumns = { keys: [], lastSeconds: [], counts: [] }
  for (const { key, lastSecond, counts } of keyCounts) {
    columns.keys.push(key)
    columns.lastSeconds.push(lastSecond)
    columns.counts.push(`{${counts.join()}}`)
  }
  return columns
}

/**
 * Writes this node's counts of the last minute and reads back the counts of the other nodes for the
 * same keys. A lost commit loses a second of counts, so commits are not waited for.
 */
function exchangeCounts(db: Database, node: string, columns: CountColumns, second: number) {
  const { keys, lastSeconds, counts } = columns
  return db.tx(async (tx) => {
    await tx.run(sql`set local synchronous_commit = off`)
    return tx.all<KeyCounts>(sql`
      with mine as (
        insert into request_seconds (key, node, last_second, counts)
        select key, ${node}, last_second, counts::smallint[]
        from unnest(${keys}::text[], ${lastSeconds}::bigint[], ${counts}::text[])
          as mine (key, last_second, counts)
        on conflict (key, node) do update
        set last_second = excluded.last_second, counts = excluded.counts
      )
      select key, last_second as "lastSecond", counts
      from request_seconds
      where key = any(${keys}) and node <> ${node} and last_second >= ${second - windowSeconds}
    `)
  })
}

/** The key under which a node records that it exists; no request is counted under it. */
const presence = ''

/** Records that this node is here, and returns whether another was in the last minute. */
async function meetNodes(db: Database, node: string, second: number): Promise<boolean> {
  const { met } = await db.one<{ met: boolean }>(sql`
    with here as (
      insert into request_seconds (key, node, last_second, counts)
      values (${presence}, ${node}, ${second}, '{}')
      on conflict (key, node) do update set last_second = excluded.last_second
    )
    select exists (
      select from request_seconds
      where key = ${presence} and node <> ${node} and last_second >= ${second - windowSeconds}
    ) as met
  `)
  return met
}

/** Deletes counts that no window reaches any more, including those of nodes that are gone. */
function sweepCounts(db: Database, second: number): Promise<number> {
  return db.run(sql`delete from request_seconds where last_second < ${second - windowSeconds}`)
}

/**
 * The requests of one key in the last minute, as a ring of one-second counts with a running sum. A
 * request counts until its second is 61 seconds old, which is at least 60 s wherever in its second
 * it came. So no 60 s, wherever they begin, contain more than the limit.
 */
export const windowSeconds = 60
const slots = windowSeconds + 1

export interface RateWindow {
  /** The current second of the ring; it only moves forward. */
  second: number
  /** Requests counted on this node and on others. */
  sum: number
  /** The last second with a request. */
  newest: number
  readonly own: Uint16Array
  /** The counts of other nodes; absent until another node reports some. */
  others: Uint16Array | undefined
}

export function createWindow(second: number): RateWindow {
  return { second, sum: 0, newest: second, own: new Uint16Array(slots), others: undefined }
}

/** Moves the ring to `second` and drops counts that are then too old. */
export function advance(window: RateWindow, second: number): void {
  const steps = second - window.second
  // A clock that a correction set back a little stands still here. A clock that was an hour ahead
  // must not cause refusals for an hour.
  if (steps <= 0 && steps > -slots) return
  if (steps >= slots || steps <= -slots) {
    window.own.fill(0)
    window.others = undefined
    window.sum = 0
    window.newest = second
  } else {
    for (let at = window.second + 1; at <= second; at++) {
      const i = at % slots
      window.sum -= countAt(window, i)
      window.own[i] = 0
      if (window.others) window.others[i] = 0
    }
  }
  window.second = second
}

export function countOne(window: RateWindow): void {
  const i = window.second % slots
  window.own[i] = (window.own[i] ?? 0) + 1
  window.sum++
  window.newest = window.second
}

/** Seconds until `sum` falls below `limit` by itself; 0 where it is below. */
export function secondsUntilBelow(window: RateWindow, limit: number): number {
  let sum = window.sum
  for (let at = window.second - windowSeconds; sum >= limit && at <= window.second; at++) {
    sum -= countAt(window, at % slots)
    if (sum < limit) return at + slots - window.second
  }
  return 0
}

/** Seconds until all counts have expired. */
export function secondsUntilEmpty(window: RateWindow): number {
  return window.sum === 0 ? 0 : window.newest + slots - window.second
}

/** Counts of consecutive seconds, of which `lastSecond` is the last. */
export interface Counts {
  lastSecond: number
  counts: number[]
}

/** This node's own counts, without the empty seconds before the first request. */
export function ownCounts(window: RateWindow): Counts {
  const counts: number[] = []
  for (let at = window.second - windowSeconds; at <= window.second; at++) {
    const n = window.own[at % slots] ?? 0
    if (n > 0 || counts.length > 0) counts.push(n)
  }
  return { lastSecond: window.second, counts }
}

/** Replaces the known counts of the other nodes with these. */
export function replaceOthers(window: RateWindow, nodes: Counts[]): void {
  if (!window.others && nodes.length === 0) return
  for (const n of window.others ?? []) window.sum -= n
  const others = new Uint16Array(slots)
  for (const { lastSecond, counts } of nodes) {
    for (const [i, n] of counts.entries()) {
      // Requests that a node with a fast clock dates in the future count as of now.
      const at = Math.min(lastSecond - counts.length + 1 + i, window.second)
      if (at < window.second - windowSeconds || n === 0) continue
      others[at % slots] = (others[at % slots] ?? 0) + n
      window.sum += n
      window.newest = Math.max(window.newest, at)
    }
  }
  window.others = nodes.length === 0 ? undefined : others
}

function countAt(window: RateWindow, i: number): number {
  return (window.own[i] ?? 0) + (window.others?.[i] ?? 0)
}
