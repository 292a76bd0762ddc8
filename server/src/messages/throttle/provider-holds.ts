/**
 * Providers to which a campaign's messages wait. The campaign decides in its tick
 * (`campaigns/providers/hold.ts`). The workers ask here before each of its messages, and hear of a
 * change within a second.
 */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

/** The campaign of which a provider holds its share. */
export interface ShareOf {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
}

export const holdReasons = ['refusals', 'complaints'] as const
export type HoldReason = (typeof holdReasons)[number]

/** Counters of a campaign's messages at one provider, from which holds are decided. */
export interface HoldCounters {
  sent: number
  refusedByPolicy: number
  complained: number
}

export interface ProviderHold extends HoldCounters {
  provider: string
  reason: HoldReason
  /** How often this campaign was held at this provider. */
  times: number
  heldAt: Date
  heldUntil: Date
  /** Whether the next judgement's counters were set after this hold. */
  isRebased: boolean
  base: HoldCounters
}

interface NewHold extends HoldCounters {
  provider: string
  reason: HoldReason
  times: number
  until: Date
}

interface OfCampaignAt extends ShareOf {
  provider: string
}

/** Until when a campaign's messages to this provider wait. Undefined if they need not. */
export type HeldUntil = (message: OfCampaignAt, now: Date) => Promise<Date | undefined>

/** Milliseconds for which the holds of a campaign are kept in memory. */
const keptMs = 1_000
/** The most campaigns in memory. */
const mostKept = 1_000

export function createHeldUntil(db: Db): HeldUntil {
  const cache = new Map<string, { until: number; holds: Promise<Map<string, Date>> }>()
  const read = async (request: OfCampaignAt) =>
    new Map((await listHolds(db, request)).map((hold) => [hold.provider, hold.heldUntil]))
  return async (message, now) => {
    const { campaignId, provider } = message
    let entry = cache.get(campaignId)
    if (!entry || entry.until <= performance.now()) {
      if (cache.size >= mostKept) cache.clear()
      entry = { until: performance.now() + keptMs, holds: read(message) }
      cache.set(campaignId, entry)
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

/** All holds of the campaign, of the past too. */
function listHolds(db: Db, { businessId, campaignId }: ShareOf): Promise<ProviderHold[]> {
  return db.all(sql`
    select provider, reason, times, held_at as "heldAt", held_until as "heldUntil", sent,
      refused_by_policy as "refusedByPolicy", complained, is_rebased as "isRebased",
      jsonb_build_object('sent', base_sent, 'refusedByPolicy', base_refused,
        'complained', base_complained) as base
    from provider_holds where business_id = ${businessId} and campaign_id = ${campaignId}
    order by provider
  `)
}

/** The hold for which a message of a campaign waits. */
function holdOfMessage(
  db: Db,
  businessId: Id<'business'>,
  messageId: Id<'message'>,
  now: Date,
): Promise<Pick<ProviderHold, 'provider' | 'reason' | 'heldUntil'> | undefined> {
  return db.maybe(sql`
    select h.provider, h.reason, h.held_until as "heldUntil"
    from messages m
    join provider_holds h on h.business_id = m.business_id and h.campaign_id = m.campaign_id
      and h.provider = m.provider
    where m.business_id = ${businessId} and m.id = ${messageId}
      and m.state in ('queued', 'deferred') and h.held_until > ${now}
  `)
}

function saveHold(
  tx: Tx,
  { businessId, campaignId }: ShareOf,
  { provider, reason, times, until, sent, refusedByPolicy, complained }: NewHold,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into provider_holds (business_id, campaign_id, provider, reason, times, held_at,
      held_until, sent, refused_by_policy, complained, is_rebased, base_sent, base_refused,
      base_complained)
    values (${businessId}, ${campaignId}, ${provider}, ${reason}, ${times}, ${now}, ${until},
      ${sent}, ${refusedByPolicy}, ${complained}, false, 0, 0, 0)
    on conflict (business_id, campaign_id, provider) do update set
      reason = excluded.reason, times = excluded.times, held_at = excluded.held_at,
      held_until = excluded.held_until, sent = excluded.sent,
      refused_by_policy = excluded.refused_by_policy, complained = excluded.complained,
      is_rebased = false
  `)
}

/** After a hold, the next judgement counts from here. */
function rebaseHold(
  tx: Tx,
  { businessId, campaignId }: ShareOf,
  { provider, sent, refusedByPolicy, complained }: HoldCounters & { provider: string },
): Promise<number> {
  return tx.run(sql`
    update provider_holds set is_rebased = true, base_sent = ${sent},
      base_refused = ${refusedByPolicy}, base_complained = ${complained}
    where business_id = ${businessId} and campaign_id = ${campaignId} and provider = ${provider}
  `)
}

/** The next judgement of each provider counts from here. One that is held stays so until its end. */
function saveBases(
  tx: Tx,
  { businessId, campaignId }: ShareOf,
  rows: readonly (HoldCounters & { provider: string })[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into provider_holds as known (business_id, campaign_id, provider, reason, times, held_at,
      held_until, sent, refused_by_policy, complained, is_rebased, base_sent, base_refused,
      base_complained)
    select ${businessId}, ${campaignId}, provider, 'complaints', 0, ${now}, ${now},
      sent, refused, complained, true, sent, refused, complained
    from unnest(
      ${rows.map(({ provider }) => provider)}::text[],
      ${rows.map(({ sent }) => sent)}::bigint[],
      ${rows.map(({ refusedByPolicy }) => refusedByPolicy)}::bigint[],
      ${rows.map(({ complained }) => complained)}::bigint[]
    ) as counted (provider, sent, refused, complained)
    order by provider
    on conflict (business_id, campaign_id, provider) do update set is_rebased = true,
      base_sent = excluded.base_sent, base_refused = excluded.base_refused,
      base_complained = excluded.base_complained
    where known.held_until <= excluded.held_until
  `)
}
