/**
 * Records every opt-out outside the database and its archive, within two seconds. A restore of an
 * older copy applies the recorded opt-outs again, so that no backup undoes one.
 */
import { type OptOut, optOutsSince } from '../../contacts/opt-outs/opt-outs.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Log } from '../../lib/process/log.ts'
import type { LedgerStore } from './store.ts'

export interface Ledger {
  /** Stores the opt-outs since the last call, and returns how many there were. */
  catchUp(): Promise<number>
  start(): Promise<void>
  stop(): Promise<void>
}

interface LedgerDeps {
  db: Db
  hmac: Hmac
  log: Log
  store: LedgerStore
  /** Returns milliseconds of a monotonic clock. */
  elapsed?: () => number
}

const everyMs = 2_000
/** A row has the time at which its call began, but is visible only after that call commits. */
const overlapMs = 120_000

export function createLedger({
  db,
  hmac,
  log,
  store,
  elapsed = () => performance.now(),
}: LedgerDeps): Ledger {
  /** Recent lines with their times, which the next read of the database may return again. */
  let known: Map<string, number> | undefined
  let newest = 0
  /** When the newest row was first read, by the monotonic clock. */
  let newestReadAt = 0
  /** The time up to which all rows were read, by the clock of the newest row. */
  let readTo = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()

  /** Remembers the entries of a read that began at the monotonic time `began`. */
  const remember = (entries: readonly OptOut[], began: number) => {
    const lines = known ?? new Map<string, number>()
    known = lines
    const before = newest
    for (const one of entries) {
      const at = Date.parse(one.at)
      lines.set(JSON.stringify(one), at)
      newest = Math.max(newest, at)
    }
    if (newest > before) newestReadAt = began
    // Without the elapsed time, a long list would be read every time until the next opt-out.
    if (newest > 0) readTo = newest + (began - newestReadAt)
    for (const [line, at] of lines) if (at < readTo - 2 * overlapMs) lines.delete(line)
  }

  const catchUp = async (): Promise<number> => {
    if (!known) remember(await store.read(), elapsed())
    const began = elapsed()
    const said = await optOutsSince(db, hmac, new Date(Math.max(0, readTo - overlapMs)))
    const news = said.filter((out) => !known?.has(JSON.stringify(out)))
    if (news.length > 0) await store.append(news)
    remember(news, began)
    return news.length
  }

  const turn = () => {
    running = catchUp()
      .catch((err) => log.error({ err }, 'ledger.failed'))
      .finally(() => {
        if (timer) timer = setTimeout(turn, everyMs).unref()
      })
  }
  return {
    catchUp,
    async start() {
      await catchUp()
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
