/**
 * Providers to which a campaign's messages wait. The campaign decides (`campaigns/providers/
 * hold.ts`); the workers ask here before each of its messages, and hear of a change within
 * a second.
 */

import type { Id } from '../../core/ids.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { HoldCounters, NewHold, ProviderHold, ShareOf } from './provider-hold.ts'
import {
  holdOfMessage,
  listHolds,
  rebaseHold,
  saveBases,
  saveHold,
} from './provider-hold-queries.ts'

export interface OfCampaignAt extends ShareOf {
  provider: string
}

/** Until when a campaign's messages to this provider wait. Undefined if they need not. */
export type HeldUntil = (asked: OfCampaignAt, now: Date) => Promise<Date | undefined>

/** Milliseconds for which the holds of a campaign are kept in memory. */
const keptMs = 1_000
/** The most campaigns in memory. */
const mostKept = 1_000

export function createHeldUntil(db: Db): HeldUntil {
  const kept = new Map<string, { until: number; holds: Promise<Map<string, Date>> }>()
  const read = async (asked: OfCampaignAt) =>
    new Map((await listHolds(db, asked)).map((hold) => [hold.provider, hold.heldUntil]))
  return async (asked, now) => {
    const { campaignId, provider } = asked
    let entry = kept.get(campaignId)
    if (!entry || entry.until <= performance.now()) {
      if (kept.size >= mostKept) kept.clear()
      entry = { until: performance.now() + keptMs, holds: read(asked) }
      kept.set(campaignId, entry)
    }
    const until = (await entry.holds).get(provider)
    return until && until > now ? until : undefined
  }
}

/** All holds of the campaign, of the past too. */
export function holdsOf(db: Db, share: ShareOf): Promise<ProviderHold[]> {
  return listHolds(db, share)
}

/** The hold for which a message of a campaign waits. */
export function holdOf(
  db: Db,
  { businessId, messageId }: { businessId: Id<'business'>; messageId: Id<'message'> },
  now: Date,
): Promise<Pick<ProviderHold, 'provider' | 'reason' | 'heldUntil'> | undefined> {
  return holdOfMessage(db, businessId, messageId, now)
}

export async function holdShare(tx: Tx, share: ShareOf, hold: NewHold, now: Date): Promise<void> {
  await saveHold(tx, share, hold, now)
}

/** After a hold, the next judgement counts from these counters. */
export async function countFrom(
  tx: Tx,
  share: ShareOf,
  counters: HoldCounters & { provider: string },
): Promise<void> {
  await rebaseHold(tx, share, counters)
}

/** What came so far counts no more, at providers that hold nothing now. */
export async function countAllFrom(
  tx: Tx,
  share: ShareOf,
  counted: readonly (HoldCounters & { provider: string })[],
  now: Date,
): Promise<void> {
  if (counted.length > 0) await saveBases(tx, share, counted, now)
}
