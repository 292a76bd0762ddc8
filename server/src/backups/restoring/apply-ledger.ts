/**
 * Applies the opt-outs of the ledger that a restored database lacks. Which of them are newer than the
 * backup is decided by what the backup and the database hold. Times decide only for backups without
 * such a record, and none is trusted that lies after the backup's end or after now.
 */
import { applyOptOuts, type OptOut, optOutsSince } from '../../contacts/opt-outs.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Database } from '../../lib/db/types.ts'
import { type IsSeen, lineKey, seenIn } from '../ledger/line-hashes.ts'
import type { LedgerStore } from '../ledger/store.ts'

export interface LedgerOptions {
  hmac: Hmac
  ledger: LedgerStore
  /** Of the lines that were in the ledger before; undefined where nothing recorded them. */
  seen: Buffer | undefined
  /** Times up to which the database is complete, as far as their clocks were right. */
  completeTo: readonly Date[]
  now: Date
}

export interface LedgerApplied {
  /** Every line of the ledger, as it is now. */
  lines: readonly OptOut[]
  /** How many are newer than the backup. */
  newer: number
  /** How many of these the database lacked, so that they were applied. */
  applied: number
}

/** An opt-out from shortly before the restored point may not have reached the database yet. */
const marginMs = 120_000
const beginning = new Date(0)

export async function applyLedger(db: Database, options: LedgerOptions): Promise<LedgerApplied> {
  const { hmac, ledger, seen, now } = options
  const lines = await ledger.read()
  const stored = new Set((await optOutsSince(db, hmac, beginning)).map(lineKey))
  // A person may have agreed again since, so that what the database has is not applied again.
  const isStored: IsSeen = (line) => stored.has(lineKey(line))
  const newer = seen ? linesBeside(lines, seenIn(seen)) : newerByTime(lines, isStored, options)
  const missing = newer.filter((line) => !isStored(line))
  await applyOptOuts(db, hmac, missing, now)
  return { lines, newer: newer.length, applied: missing.length }
}

const linesBeside = (lines: readonly OptOut[], isSeen: IsSeen) =>
  lines.filter((line) => !isSeen(line))

/**
 * A line is newer if its time says so, or its place: lines are appended, so what follows the last one
 * that the database has is newer, by whatever clock it was written.
 */
function newerByTime(
  lines: readonly OptOut[],
  isStored: IsSeen,
  { completeTo, now }: LedgerOptions,
): OptOut[] {
  const times = completeTo.map((time) => time.getTime())
  // One clock that was ahead may have dated the others as well.
  const isTrusted = times.length > 0 && times.every((time) => time <= now.getTime())
  const from = isTrusted ? new Date(Math.max(...times) - marginMs).toISOString() : ''
  const lastStored = lines.findLastIndex(isStored)
  return lines.filter((line, index) => index > lastStored || line.at >= from)
}
