/**
 * Records every opt-out outside the database and its archive, within two seconds. A restore of an
 * older copy applies the recorded opt-outs again, so that no backup undoes one.
 */
import { type OptOut, optOutsSince } from '../../contacts/opt-outs.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Log } from '../../lib/process/log.ts'
import { type Clock, hours, systemClock } from '../../lib/time/clock.ts'
import { lineKey } from './line-hashes.ts'
import type { LedgerStore } from './store.ts'

export interface Ledger {
  /** Stores the opt-outs since the last call, and returns how many there were. */
  catchUp(): Promise<number>
  /** Stores every opt-out of the database that the ledger lacks, whatever time it bears. */
  compareAll(): Promise<number>
  /** Seconds since all opt-outs of the database were last stored. */
  behindSeconds(): number
  start(): Promise<void>
  stop(): Promise<void>
}

interface LedgerDeps {
  db: Db
  hmac: Hmac
  log: Log
  store: LedgerStore
  clock?: Clock
  /** Returns milliseconds of a monotonic clock. */
  elapsed?: () => number
}

const everyMs = 2_000
/** A read that takes longer is not repeated at once: a clock that was ahead may leave many rows. */
const longReadMs = 1_000
const restPerLongRead = 10
const longestRestMs = 60_000
/** What no time tells, such as rows from a clock that was behind, is found by comparing everything. */
const wholeEveryMs = hours(24)
const firstWholeMs = hours(1)
/** A row has the time at which its call began, but is visible only after that call commits. */
const overlapMs = 120_000

export function createLedger({
  db,
  hmac,
  log,
  store,
  clock = systemClock,
  elapsed = () => performance.now(),
}: LedgerDeps): Ledger {
  /** Recent lines with their times, which the next read of the database may return again. */
  let recentLines: Map<string, number> | undefined
  let newest = 0
  /** When the newest row was first read, by the monotonic clock. */
  let newestReadAt = 0
  /** The time up to which all rows were read, by the clock of the newest row. */
  let readTo = 0
  /** The time from which `recentLines` is complete. */
  let recentFrom = 0
  /** How long the last read of the database took. */
  let readMs = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()

  /** Remembers the entries of a read that began at the monotonic time `began`. */
  const remember = (entries: readonly OptOut[], began: number) => {
    const lines = recentLines ?? new Map<string, number>()
    recentLines = lines
    const before = newest
    // A row from a clock that was ahead says nothing of what was read.
    const now = clock.now().getTime()
    for (const entry of entries) {
      const at = Date.parse(entry.at)
      lines.set(lineKey(entry), at)
      if (at <= now + overlapMs) newest = Math.max(newest, at)
    }
    if (newest > before) newestReadAt = began
    // Without the elapsed time, a long list would be read every time until the next opt-out.
    if (newest > 0) readTo = newest + (began - newestReadAt)
    recentFrom = Math.max(recentFrom, readTo - 2 * overlapMs)
    for (const [line, at] of lines) if (at < recentFrom) lines.delete(line)
  }

  const from = () => Math.max(0, Math.min(readTo, clock.now().getTime()) - overlapMs)

  const catchUp = async (): Promise<number> => {
    // A clock that was set back dates the next rows before the ones that were read.
    if (from() < recentFrom) {
      recentLines = undefined
      newest = 0
      readTo = 0
      recentFrom = 0
    }
    if (!recentLines) remember(await store.read(), elapsed())
    const began = elapsed()
    const stored = await optOutsSince(db, hmac, new Date(from()))
    readMs = elapsed() - began
    const news = stored.filter((out) => !recentLines?.has(lineKey(out)))
    if (news.length > 0) await store.append(news)
    remember(news, began)
    return news.length
  }

  const compareAll = async (): Promise<number> => {
    const began = elapsed()
    const read = await store.read()
    if (!recentLines) remember(read, began)
    const lines = new Set(read.map(lineKey))
    const stored = await optOutsSince(db, hmac, new Date(0))
    const news = stored.filter((out) => !lines.has(lineKey(out)))
    if (news.length > 0) await store.append(news)
    remember(news, began)
    return news.length
  }

  let completeAt = elapsed()
  let wholeAt = elapsed() + firstWholeMs
  const turn = () => {
    const began = elapsed()
    const isWhole = began >= wholeAt
    if (isWhole) wholeAt = began + wholeEveryMs
    running = (isWhole ? compareAll() : catchUp())
      .then(() => {
        completeAt = began
      })
      .catch((err) => log.error({ err }, 'ledger.failed'))
      .finally(() => {
        const restMs =
          readMs > longReadMs ? Math.min(longestRestMs, readMs * restPerLongRead) : everyMs
        if (timer) timer = setTimeout(turn, restMs).unref()
      })
  }
  return {
    catchUp,
    compareAll,
    behindSeconds: () => Math.max(0, (elapsed() - completeAt) / 1000),
    async start() {
      await catchUp()
      completeAt = elapsed()
      timer = setTimeout(turn, everyMs).unref()
    },
    async stop() {
      clearTimeout(timer)
      timer = undefined
      await running
      await catchUp().catch((err) => log.error({ err }, 'ledger.failed'))
    },
  }
}
