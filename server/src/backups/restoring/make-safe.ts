/**
 * What a database that was brought back needs before a service may start with it: sending waits
 * for a person, every "no" of the ledger is said again, and campaigns that were under way are held.
 */
import {
  type HeldCampaigns,
  holdRestoredCampaigns,
} from '../../campaigns/restoring/hold-restored.ts'
import { applyOptOuts } from '../../contacts/opt-outs/opt-outs.ts'
import { pauseSending } from '../../core/installation/sending.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Database } from '../../lib/db/types.ts'
import { readLedger } from '../ledger/file.ts'
import { readNewest, readReplayedTo } from '../model/facts-queries.ts'

export interface MadeSafe {
  /** The moment that the database came back to. */
  point: Date
  campaigns: HeldCampaigns
  /** Each "no" of the ledger that was said again. */
  optOuts: number
}

interface SafeOptions {
  hmac: Hmac
  /** The file of the ledger. */
  ledger: string
  /** Until when the database is known to be whole; found out where it is not known. */
  knownUntil?: Date | undefined
  /** The moment that was asked for. */
  at?: Date | undefined
  now: Date
}

/** A "no" of shortly before the point may have been on its way to the database. */
const marginMs = 120_000

export async function makeSafe(
  db: Database,
  { hmac, ledger, knownUntil, at, now }: SafeOptions,
): Promise<MadeSafe> {
  await pauseSending(db, 'restored', now)
  const known = [knownUntil ?? null, await readReplayedTo(db), await readNewest(db)]
  const times = known.flatMap((time) => (time === null ? [] : [time.getTime()]))
  // A database that knows of nothing has every "no" said again.
  const newest = times.length === 0 ? 0 : Math.max(...times)
  const point = new Date(Math.min(newest, at?.getTime() ?? Number.POSITIVE_INFINITY))
  const since = new Date(Math.max(0, point.getTime() - marginMs)).toISOString()
  const optOuts = (await readLedger(ledger)).filter((one) => one.at >= since)
  await applyOptOuts(db, hmac, optOuts, now)
  const campaigns = await holdRestoredCampaigns(db, now)
  return { point, campaigns, optOuts: optOuts.length }
}
