/**
 * Makes a restored database safe before a service may start with it: sending waits for a person,
 * the ledger's opt-outs are applied again, and campaigns that were under way are held.
 */
import {
  type HeldCampaigns,
  holdRestoredCampaigns,
} from '../../campaigns/restoring/hold-restored.ts'
import {
  forgetLedgerRead,
  ledgerRead,
  pauseSending,
  rememberLedgerRead,
  type SendingPause,
} from '../../core/installation/sending.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Database } from '../../lib/db/types.ts'
import { packLines } from '../ledger/line-hashes.ts'
import type { LedgerStore } from '../ledger/store.ts'
import { readNewest, readReplayedTo } from '../model/facts-queries.ts'
import { applyLedger } from './apply-ledger.ts'

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
