/**
 * Records every opt-out outside the database and its archive, within two seconds. A restore of an
 * older copy applies the recorded opt-outs again, so that no backup undoes one.
 */
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { type OptOut, optOutsSince } from '../../contacts/opt-outs/opt-outs.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Log } from '../../lib/process/log.ts'
import { appendLedger, readLedger } from './file.ts'

export interface Ledger {
  /** Appends the opt-outs since the last call to the file, and returns how many there were. */
  catchUp(): Promise<number>
  start(): Promise<void>
  stop(): Promise<void>
}

interface LedgerDeps {
  db: Db
  log: Log
  file: string
}

const everyMs = 2_000
/** A row has the time at which its call began, but is visible only after that call commits. */
const overlapMs = 120_000

export function createLedger({ db, log, file }: LedgerDeps): Ledger {
  /** Recent lines with their times, which the next read of the database may return again. */
  let known: Map<string, number> | undefined
  let newest = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()

  const remember = (entries: readonly OptOut[]) => {
    const lines = known ?? new Map<string, number>()
    known = lines
    for (const one of entries) {
      const at = Date.parse(one.at)
      lines.set(JSON.stringify(one), at)
      newest = Math.max(newest, at)
    }
    for (const [line, at] of lines) if (at < newest - 2 * overlapMs) lines.delete(line)
  }

  const catchUp = async (): Promise<number> => {
    if (!known) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      remember(await readLedger(file))
    }
    const said = await optOutsSince(db, new Date(Math.max(0, newest - overlapMs)))
    const news = said.filter((one) => !known?.has(JSON.stringify(one)))
    if (news.length === 0) return 0
    await appendLedger(file, news)
    remember(news)
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
