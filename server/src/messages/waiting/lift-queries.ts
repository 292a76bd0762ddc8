/** Statements that end pauses and holds, and make their messages due. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { ShareOf } from '../throttle/provider-hold.ts'
import type { StreamKey } from '../throttle/stream-queries.ts'

/** The end that the pause had. Refusals are counted from the start. */
export async function endPause(
  tx: Tx,
  { route, domain, kind, provider }: StreamKey,
  now: Date,
): Promise<Date | undefined> {
  const row = await tx.maybe<{ until: Date }>(sql`
    with paused as (
      select paused_until from send_throttles
      where route = ${route} and domain = ${domain} and kind = ${kind} and provider = ${provider}
        and paused_until > ${now}
      for update
    ), ended as (
      update send_throttles set paused_until = null, refusals = 0, refused_since = null
      where route = ${route} and domain = ${domain} and kind = ${kind} and provider = ${provider}
        and paused_until > ${now}
    )
    select paused_until as until from paused
  `)
  return row?.until
}

/** The end that the hold had. What came before it is not judged again. */
export async function endHold(
  tx: Tx,
  { businessId, campaignId }: ShareOf,
  { provider, now }: { provider: string; now: Date },
): Promise<Date | undefined> {
  const row = await tx.maybe<{ until: Date }>(sql`
    with held as (
      select held_until from provider_holds
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and provider = ${provider} and held_until > ${now}
      for update
    ), ended as (
      update provider_holds set held_until = ${now}
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and provider = ${provider} and held_until > ${now}
    )
    select held_until as until from held
  `)
  return row?.until
}

export function makeDue(
  tx: Tx,
  businessId: Id<'business'>,
  { ids, from, to }: { ids: readonly Id<'message'>[]; from: Date; to: Date },
): Promise<number> {
  return tx.run(sql`
    update messages set due_at = ${to}
    where business_id = ${businessId} and id = any (${[...ids]}::uuid[])
      and state in ('queued', 'deferred') and due_at = ${from}
  `)
}

/** Paused streams of marketing of the business's own domains to this provider. */
export function listOwnPauses(
  tx: Tx,
  businessId: Id<'business'>,
  { provider, now }: { provider: string; now: Date },
): Promise<StreamKey[]> {
  return tx.all(sql`
    select t.route, t.domain, t.kind, t.provider from send_throttles t
    join domains d on d.name = t.domain
    where d.business_id = ${businessId} and t.kind = 'marketing' and t.provider = ${provider}
      and t.paused_until > ${now}
    order by t.route, t.domain limit 20
  `)
}
