/**
 * Knows whether the database does its work. Every outage that a statement meets begins a state,
 * which ends when a try of the database succeeds. The log gets one line at the beginning and one at
 * the end, however many calls fail in between.
 */
import { AsyncResource } from 'node:async_hooks'
import type { Log } from '../process/log.ts'
import { seconds } from '../time/clock.ts'
import { sql } from './db.ts'
import { type Outage, outageOf } from './outage.ts'
import type { Database } from './types.ts'

export interface CurrentOutage {
  outage: Outage
  /** Milliseconds since the database last worked. */
  ms: number
}

export interface OutageWatch {
  /** The outage that lasts now, as far as this process has met it. */
  current(): CurrentOutage | undefined
  /** Tries the database, at most once a second, and returns the outage if there is one. */
  check(): Promise<Outage | undefined>
  stop(): void
}

export interface OutageWatchParts {
  db: Database
  log: Log
  /** A statement that fails where the database accepts no writes. */
  tryWriting: (db: Database) => Promise<unknown>
  /** Whether the disk of the database is known to be full, which may end its server. */
  isDiskFull?: () => boolean
  /** Called about once a second during an outage. */
  onLasting?: (current: CurrentOutage) => void
}

const tryEveryMs = seconds(1)
/** A full disk accepts small writes now and then, so its end needs a pause without an error. */
const quietMs = seconds(3)

export function createOutageWatch(parts: OutageWatchParts): OutageWatch {
  const { db, log, tryWriting, isDiskFull, onLasting } = parts
  let began = 0
  let lastHeard = 0
  let outage: Outage | undefined
  const loggedKinds = new Set<Outage>()
  let timer: NodeJS.Timeout | undefined
  let trying: { at: number; result: Promise<Outage | undefined> } | undefined

  const kindOf = (error: unknown): Outage | undefined => {
    const kind = outageOf(error)
    return (kind === 'away' || kind === 'starting') && isDiskFull?.() ? 'disk_full' : kind
  }

  const hear = (error: unknown): void => {
    const kind = kindOf(error)
    if (kind === undefined) return
    lastHeard = performance.now()
    if (outage === undefined) {
      began = lastHeard
      // A try from before says nothing now.
      trying = undefined
    }
    outage = kind
    timer ??= setInterval(tryAgain, tryEveryMs).unref()
    if (loggedKinds.has(kind)) return
    loggedKinds.add(kind)
    log.error({ outage: kind, err: error }, 'database.outage')
  }

  const tryNow = async (): Promise<Outage | undefined> => {
    try {
      if (outage === 'disk_full') await tryDisk(db)
      await tryWriting(db)
      return undefined
    } catch (error) {
      hear(error)
      const kind = kindOf(error)
      if (kind === undefined) throw error
      return kind
    }
  }

  const check = (): Promise<Outage | undefined> => {
    const now = performance.now()
    if (trying && now - trying.at < tryEveryMs) return trying.result
    const result = tryNow()
    trying = { at: now, result }
    return result
  }

  const turn = async (): Promise<void> => {
    const state = await check().catch(() => outage)
    if (outage === undefined) return
    const now = performance.now()
    if (state === undefined && now - lastHeard >= quietMs) {
      log.info({ outage, ms: Math.round(now - began) }, 'database.works_again')
      outage = undefined
      loggedKinds.clear()
      clearInterval(timer)
      timer = undefined
    } else onLasting?.({ outage, ms: now - began })
  }

  // The error of a transaction must not have the tries run in that transaction's context.
  const tryAgain = AsyncResource.bind(() => void turn())
  db.onError(hear)
  return {
    current: () => (outage === undefined ? undefined : { outage, ms: performance.now() - began }),
    async check() {
      // A full disk may pass one try between two failing calls.
      return (await check()) ?? (outage === 'disk_full' ? outage : undefined)
    },
    stop: () => clearInterval(timer),
  }
}

/**
 * Sorts more than the allowed memory holds, so that the server writes a temporary file. That fails
 * where its disk is full, and leaves nothing behind.
 */
function tryDisk(db: Database): Promise<unknown> {
  return db.tx(async (tx) => {
    await tx.run(sql`select set_config('work_mem', '64kB', true)`)
    return tx.run(sql`
      select count(*) from (select n from generate_series(1, 20000) as n order by n desc) as sorted
    `)
  })
}
