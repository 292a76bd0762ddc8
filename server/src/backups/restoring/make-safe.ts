/**
 * Makes a restored database safe before a service may start with it: sending waits for a person,
 * the ledger's opt-outs are applied again, and campaigns that were under way are held.
 */
import {
  type HeldCampaigns,
  holdRestoredCampaigns,
} from '../../campaigns/restoring/hold-restored.ts'
import { applyOptOuts } from '../../contacts/opt-outs/opt-outs.ts'
import { pauseSending } from '../../core/installation/sending.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Database } from '../../lib/db/types.ts'
import type { LedgerStore } from '../ledger/store.ts'
import { readNewest, readReplayedTo } from '../model/facts-queries.ts'

export interface MadeSafe {
  /** The moment to which the database was restored. */
  point: Date
  campaigns: HeldCampaigns
  /** How many opt-outs of the ledger were applied again. */
  optOuts: number
}

interface SafeOptions {
  hmac: Hmac
  ledger: LedgerStore
  /** The time up to which the database is known to be complete; other evidence is used as well. */
  knownUntil?: Date | undefined
  /** The requested moment. */
  at?: Date | undefined
  now: Date
}

/** An opt-out from shortly before the restored point may not have reached the database yet. */
const marginMs = 120_000

export async function makeSafe(
  db: Database,
  { hmac, ledger, knownUntil, at, now }: SafeOptions,
): Promise<MadeSafe> {
  await pauseSending(db, 'restored', now)
  const known = [knownUntil ?? null, await readReplayedTo(db), await readNewest(db)]
  const times = known.flatMap((time) => (time === null ? [] : [time.getTime()]))
  // If the database has no known time, every opt-out is applied again.
  const newest = times.length === 0 ? 0 : Math.max(...times)
  const point = new Date(Math.min(newest, at?.getTime() ?? Number.POSITIVE_INFINITY))
  const since = new Date(Math.max(0, point.getTime() - marginMs)).toISOString()
  const optOuts = (await ledger.read()).filter((out) => out.at >= since)
  await applyOptOuts(db, hmac, optOuts, now)
  const campaigns = await holdRestoredCampaigns(db, now)
  return { point, campaigns, optOuts: optOuts.length }
}
