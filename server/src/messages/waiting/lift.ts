/**
 * Lifts early what messages wait for: the pause of a stream, or the hold of a campaign at one
 * provider. Messages that were put off until its end go within seconds.
 */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { bringForward } from '../../lib/jobs/lanes.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { type ChunkPayload, sendJobs } from '../queue.ts'
import type { ShareOf } from '../throttle/provider-holds.ts'
import type { StreamKey } from '../throttle/throttle.ts'

/** The most jobs brought forward, of up to 200 messages each. Others go when they would have. */
const mostJobs = 500
/** Workers know of a pause or a hold for a second after its end, and would put messages off again. */
const forgotten = seconds(2)

/** How many messages go earlier. Undefined if the stream is not paused. */
export async function liftPause(
  tx: Tx,
  stream: StreamKey,
  { businessId, now }: { businessId?: Id<'business'>; now: Date },
): Promise<number | undefined> {
  const until = await endPause(tx, stream, now)
  return until && releaseFrom(tx, { until, ...(businessId && { businessId }), now })
}

/**
 * How many messages go earlier. Undefined if the provider does not hold the campaign's share. The
 * same refusals mostly paused the streams of the business's own domains too, so these go on as well.
 */
export async function liftHold(
  tx: Tx,
  share: ShareOf,
  { provider, now }: { provider: string; now: Date },
): Promise<number | undefined> {
  const { businessId } = share
  const until = await endHold(tx, share, { provider, now })
  if (!until) return undefined
  let released = await releaseFrom(tx, { until, businessId, now })
  for (const stream of await listOwnPauses(tx, businessId, { provider, now })) {
    released += (await liftPause(tx, stream, { businessId, now })) ?? 0
  }
  return released
}

interface Release {
  /** Messages that waited for this end are due at exactly this moment. */
  until: Date
  businessId?: Id<'business'>
  now: Date
}

async function releaseFrom(tx: Tx, { until, businessId, now }: Release): Promise<number> {
  const dueAt = later(now, forgotten)
  if (dueAt >= until) return 0
  const payloads = await bringForward<ChunkPayload>(tx, {
    kind: sendJobs.email,
    from: until,
    to: dueAt,
    ...(businessId && { businessId }),
    limit: mostJobs,
    now,
  })
  let released = 0
  for (const [business, chunks] of Map.groupBy(payloads, (chunk) => chunk.business_id)) {
    const ids = chunks.flatMap((chunk) => chunk.message_ids)
    released += await makeDue(tx, business, { ids, from: until, to: dueAt })
  }
  return released
}

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
