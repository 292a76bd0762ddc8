/**
 * Makes a restored database safe before a service may start with it: sending waits for a person,
 * the ledger's opt-outs are applied again, campaigns, sequences and feeds that were under way are held,
 * and identity providers are not asked with the tokens of the backup.
 */
import { forgetRestoredTokens } from '../../accounts/identities/forget-restored.ts'
import {
  type HeldCampaigns,
  holdRestoredCampaigns,
} from '../../campaigns/restoring/hold-restored.ts'
import { applyOptOuts, type OptOut, optOutsSince } from '../../contacts/opt-outs.ts'
import {
  forgetLedgerRead,
  ledgerRead,
  pauseSending,
  rememberLedgerRead,
  type SendingPause,
} from '../../core/installation/sending.ts'
import type { Hmac } from '../../core/operation.ts'
import { holdRestoredFeeds } from '../../feeds/hold-restored.ts'
import type { Database } from '../../lib/db/types.ts'
import { holdRestoredSequences } from '../../sequences/hold-restored.ts'
import { type IsSeen, lineKey, packLines, seenIn } from '../ledger/line-hashes.ts'
import type { LedgerStore } from '../ledger/store.ts'
import { readNewest, readReplayedTo } from '../model/facts-queries.ts'

export interface MadeSafe {
  /** The moment to which the database was restored; null if no time that it holds can be true. */
  point: Date | null
  campaigns: HeldCampaigns
  /** How many opt-outs of the ledger are newer than the backup; all of them hold now. */
  optOuts: number
}

interface SafeOptions {
  hmac: Hmac
  ledger: LedgerStore
  /** The lines that the ledger had when the backup began. */
  seen?: Buffer | undefined
  /** When the backup ended; undefined for one that other tools made. */
  endedAt?: Date | undefined
  /** The requested moment. */
  at?: Date | undefined
  now: Date
}

export async function makeSafe(
  db: Database,
  { hmac, ledger, seen, endedAt, at, now }: SafeOptions,
): Promise<MadeSafe> {
  await pauseSending(db, 'restored', now)
  const newest = await readNewest(db, now)
  const completeTo = [endedAt ?? newest ?? []].flat()
  const { lines, newer } = await applyLedger(db, { hmac, ledger, seen, completeTo, now })
  await rememberLedgerRead(db, packLines(lines), now)
  const campaigns = await holdRestoredCampaigns(db, now)
  await holdRestoredSequences(db, { hmac, now })
  await holdRestoredFeeds(db, now)
  await forgetRestoredTokens(db)
  const point = latest([endedAt ?? null, await readReplayedTo(db), newest], at ?? now, now)
  return { point, campaigns, optOuts: newer }
}

/** The latest time up to which the database is known to be complete, without times to come. */
function latest(times: readonly (Date | null)[], at: Date, now: Date): Date | null {
  const possible = times.flatMap((time) => (time && time <= now ? [time.getTime()] : []))
  if (possible.length === 0) return null
  return new Date(Math.min(Math.max(...possible), at.getTime()))
}

/**
 * Reads the ledger once more, before anything is sent: since the restore others may have written to
 * it, such as the installation that was restored, where it was not lost after all.
 */
export async function applyLaterOptOuts(
  db: Database,
  pause: SendingPause,
  { hmac, ledger, now }: { hmac: Hmac; ledger: LedgerStore; now: Date },
): Promise<number> {
  const seen = await ledgerRead(db)
  const completeTo = [new Date(pause.since)]
  const { applied } = await applyLedger(db, { hmac, ledger, seen, completeTo, now })
  await forgetLedgerRead(db)
  return applied
}

interface LedgerOptions {
  hmac: Hmac
  ledger: LedgerStore
  /** The hashes of the lines that the ledger already had; undefined if nothing recorded them. */
  seen: Buffer | undefined
  /** Times up to which the database is complete, as far as their clocks were right. */
  completeTo: readonly Date[]
  now: Date
}

interface LedgerApplied {
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

/**
 * Applies the opt-outs of the ledger that a restored database lacks. Which of them are newer than the
 * backup is decided by what the backup and the database hold. Times decide only for backups without
 * such a record, and none is trusted that lies after the backup's end or after now.
 */
async function applyLedger(db: Database, options: LedgerOptions): Promise<LedgerApplied> {
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
