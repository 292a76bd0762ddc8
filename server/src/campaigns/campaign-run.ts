/** The run of a campaign: the row of its progress, and the counts of its recipients. */

import type { Filter } from '../contacts/filters/filter.ts'
import type { Id } from '../core/ids.ts'
import type { Tier } from '../core/operation.ts'
import { plannedAnew, sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { type RouteFacts, silentOnComplaints } from '../messages/relays/route-facts.ts'
import type { Audience, CampaignChannel, CampaignState, ZoneMode } from './campaign.ts'

/** Identifies a campaign in a job's payload. */
export interface RunKey {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
}

/** A campaign, with the columns that sending it needs. */
export interface RunningCampaign {
  name: string
  channel: CampaignChannel
  state: CampaignState
  audience: Audience
  topic: string | null
  /** The filter of the planned audience, including the filters of its segments. */
  filter: Filter | null
  zoneMode: ZoneMode
  sendLocal: string | null
  throttlePerMinute: number | null
  frozenAt: Date | null
  approval: string | null
  /** How many recipients its approval showed; null if it is a person's own order, or from before. */
  approvedRecipients: number | null
  unapproved: number
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  tier: Tier
  timeZone: string
  feedId: Id<'feed'> | null
  /** The tier's units for each recipient: 1, or the number of segments that the plan calculated. */
  units: number
}

/** The campaign, locked, so that nothing changes its state during a tick. */
export function lockRunning(
  tx: Tx,
  { businessId, campaignId }: RunKey,
): Promise<RunningCampaign | undefined> {
  return tx.maybe(sql`
    select c.name, c.channel, c.state, c.audience, c.topic,
      coalesce(c.plan -> 'filter', c.audience -> 'filter') as filter, c.zone_mode as "zoneMode",
      c.send_local as "sendLocal", c.throttle_per_minute as "throttlePerMinute",
      c.frozen_at as "frozenAt", c.approval,
      c.approved_recipients as "approvedRecipients", c.unapproved, c.connection_id as "connectionId", c.call_id as "callId",
      b.tier, b.time_zone as "timeZone", c.feed_id as "feedId",
      greatest(1, coalesce((c.plan -> 'cost' ->> 'amount')::integer
        / nullif((c.plan ->> 'recipients')::integer, 0), 1)) as units
    from campaigns c join businesses b on b.id = c.business_id
    where c.business_id = ${businessId} and c.id = ${campaignId}
    for no key update of c
  `)
}

/** Counters from which the automatic pause computes its rates. */
export interface Tally {
  sent: number
  /** How many of these are at providers that report no complaints; absent in older runs. */
  silent?: number
  bounced: number
  complained: number
}

export interface Run {
  /** When the audience was first evaluated; its days are calculated from then. */
  askedAt: Date | null
  freezeEnd: Id<'contact'>
  frozenTo: Id<'contact'> | null
  quotaLeft: number | null
  recipients: number
  dispatchedTo: Id<'contact'> | null
  dispatched: number
  endedTo: Id<'contact'> | null
  canary: number
  canaryUntil: Date | null
  tokens: number
  pacedAt: Date
  autoPauseFrom: Tally
}

export function findRun(db: Db, { businessId, campaignId }: RunKey): Promise<Run | undefined> {
  return db.maybe(sql`
    select asked_at as "askedAt", freeze_end as "freezeEnd", frozen_to as "frozenTo", quota_left as "quotaLeft",
      recipients, taken_to as "dispatchedTo", taken as dispatched, ended_to as "endedTo", canary,
      canary_until as "canaryUntil", tokens, paced_at as "pacedAt", brake_from as "autoPauseFrom"
    from campaign_runs where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}

export function insertRun(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  run: Pick<Run, 'freezeEnd' | 'quotaLeft' | 'autoPauseFrom'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into campaign_runs (business_id, campaign_id, asked_at, freeze_end, quota_left, recipients,
      taken, canary, tokens, paced_at, brake_from, updated_at)
    values (${businessId}, ${campaignId}, ${now}, ${run.freezeEnd}, ${run.quotaLeft}, 0, 0, 0, 0, ${now},
      ${JSON.stringify(run.autoPauseFrom)}, ${now})
  `)
}

export function saveRun(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  run: Run,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaign_runs set frozen_to = ${run.frozenTo}, quota_left = ${run.quotaLeft},
      recipients = ${run.recipients}, taken_to = ${run.dispatchedTo}, taken = ${run.dispatched},
      ended_to = ${run.endedTo}, canary = ${run.canary}, canary_until = ${run.canaryUntil},
      tokens = ${run.tokens}, paced_at = ${run.pacedAt}, updated_at = ${now}
    where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}

/** Resets the base from which the automatic pause counts. */
export function saveAutoPauseFrom(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  tally: Tally,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaign_runs set brake_from = ${JSON.stringify(tally)}, updated_at = ${now}
    where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}

export function countTally(db: Db, { businessId, campaignId }: RunKey): Promise<Tally> {
  return db.one(sql`
    select coalesce(sum(amount) filter (where metric = 'sent'), 0)::bigint as sent,
      (
        select coalesce(sum(silent), 0)::bigint from (
          select sum(sent) as silent from campaign_provider_counts
          where business_id = ${businessId} and campaign_id = ${campaignId}
            and provider = any(${silentOnComplaints}::text[])
          group by provider having sum(complained) = 0
        ) as providers
      ) as silent,
      coalesce(sum(amount) filter (where metric = 'bounced'), 0)::bigint as bounced,
      coalesce(sum(amount) filter (where metric = 'complained'), 0)::bigint as complained
    from campaign_counts
    where business_id = ${businessId} and campaign_id = ${campaignId}
  `)
}

/** The first recipient after `after` who has not reached a final state. */
export function findOpen(
  db: Db,
  { businessId, campaignId }: RunKey,
  after: Id<'contact'> | null,
): Promise<{ id: Id<'contact'> } | undefined> {
  return db.maybe(
    plannedAnew(sql`
      select contact_id as id from campaign_recipients
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and contact_id >= ${after ?? oldest} and state in ('pending', 'taken')
      order by contact_id limit 1
    `),
  )
}

const oldest = '00000000-0000-0000-0000-000000000000'

export function markFrozen(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { recipients, route }: { recipients: number; route: RouteFacts },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaigns c set frozen_at = ${now}, recipients = ${recipients}, updated_at = ${now},
      leaves_machine = ${route.leavesMachine}, delivery_reported = ${route.deliveryReported},
      complaints_reported = ${route.complaintsReported},
      -- Its links stay the same to the end, whatever happens to the business's default.
      utm = coalesce(utm, (select b.utm from businesses b where b.id = c.business_id), '{}')
    where business_id = ${businessId} and id = ${campaignId}
  `)
}

/** The final states that recipients of the frozen audience reach while the campaign is sent. */
export const recipientEnds: readonly string[] = [
  'sent',
  'failed',
  'unknown',
  'cancelled',
  'skipped:unsubscribed',
  'skipped:erased',
]

export function listCounts(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<{ variant: number; metric: string; amount: number }[]> {
  return db.all(sql`
    select variant, metric, sum(amount)::bigint as amount from campaign_counts
    where business_id = ${businessId} and campaign_id = ${campaignId}
    group by variant, metric having sum(amount) <> 0 order by variant, metric
  `)
}

/** How many messages were sent so far. */
export async function sentOf(
  db: Db,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<number> {
  const { sent } = await db.one<{ sent: number }>(sql`
    select coalesce(sum(amount), 0)::bigint as sent from campaign_counts
    where business_id = ${businessId} and campaign_id = ${campaignId} and metric = 'sent'
  `)
  return sent
}
