/** Statements that change a campaign's state. */

import type { Id } from '../../core/ids.ts'
import { plannedAnew, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { ApprovalReason, Campaign, CampaignState, ZoneMode } from '../model/campaign.ts'
import { columnsOf } from '../model/queries.ts'

/** The campaign, locked until the transaction ends. */
export function lockCampaign(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'campaign'>,
): Promise<Campaign | undefined> {
  return tx.maybe(sqlWithin`
    select ${columnsOf(businessId)}
    from campaigns where business_id = ${businessId} and id = ${id} for no key update
  `)
}

interface NewState {
  id: Id<'campaign'>
  state: CampaignState
  reason?: string | null
  approvalReason?: ApprovalReason | null | undefined
}

/** Sets a state with its time; the time of the first deploy stays when the campaign is resumed. */
export function enterState(
  tx: Tx,
  businessId: Id<'business'>,
  { id, state, reason = null, approvalReason = null }: NewState,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaigns set state = ${state}, pause_reason = ${reason},
      approval_reason = ${approvalReason}, updated_at = ${now},
      deployed_at = case when ${state} = 'deployed' then coalesce(deployed_at, ${now})
        else deployed_at end,
      completed_at = case when ${state} = 'completed' then ${now} else completed_at end,
      cancelled_at = case when ${state} = 'cancelled' then ${now} else cancelled_at end
    where business_id = ${businessId} and id = ${id}
  `)
}

export interface SendingOptions {
  sendAt: Date | null
  sendLocal: string | null
  zoneMode: ZoneMode
  throttlePerMinute: number | null
}

export interface Order extends SendingOptions {
  id: Id<'campaign'>
  recipients: number
  /** The plan as JSON text. */
  plan: string
  planHash: string
  approval: 'asked' | 'approved' | null
  userId: Id<'user'>
  /** Who approved it, where that is another person: who signed the mandate. */
  decidedBy: Id<'user'> | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

/** Stores the order, and the plan it is based on. */
export function writeOrder(
  tx: Tx,
  businessId: Id<'business'>,
  order: Order,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaigns set send_at = ${order.sendAt}, send_local = ${order.sendLocal},
      zone_mode = ${order.zoneMode}, throttle_per_minute = ${order.throttlePerMinute},
      recipients = ${order.recipients}, plan = ${order.plan}, plan_hash = ${order.planHash},
      approval = ${order.approval}, refusal_reason = null, ordered_by = ${order.userId},
      decided_by = case when ${order.approval} = 'approved'
        then coalesce(${order.decidedBy}, ${order.userId})::uuid end,
      decided_at = case when ${order.approval} = 'approved' then ${now}::timestamptz end,
      connection_id = ${order.connectionId}, approved_recipients = null,
      call_id = ${order.callId}, updated_at = ${now}
    where business_id = ${businessId} and id = ${order.id}
  `)
}

export interface Decision {
  id: Id<'campaign'>
  approval: 'approved' | 'refused'
  refusalReason: string | null
  userId: Id<'user'>
  /** How many recipients the approval showed. */
  approvedRecipients: number | null
}

export function writeDecision(
  tx: Tx,
  businessId: Id<'business'>,
  { id, approval, refusalReason, userId, approvedRecipients }: Decision,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaigns set approval = ${approval}, refusal_reason = ${refusalReason}, decided_by = ${userId}, decided_at = ${now},
      approved_recipients = ${approvedRecipients},
      updated_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
}

/** Makes it a draft again: its time and plan no longer count. */
export function dropOrder(tx: Tx, businessId: Id<'business'>, id: Id<'campaign'>): Promise<number> {
  return tx.run(sql`
    update campaigns set send_at = null, send_local = null, zone_mode = 'business',
      recipients = null, plan = null, plan_hash = null
    where business_id = ${businessId} and id = ${id}
  `)
}

/**
 * Makes an ordered campaign a draft again, as if it had never been ordered: its time, plan and
 * approval no longer count. Its links follow the business's default again if they did before.
 */
export function dropWholeOrder(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'campaign'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update campaigns c set state = 'draft', pause_reason = null, approval_reason = null,
      send_at = null, send_local = null, zone_mode = 'business', throttle_per_minute = null, recipients = null, plan = null,
      plan_hash = null, approval = null, decided_by = null, decided_at = null,
      approved_recipients = null, refusal_reason = null, ordered_by = null, connection_id = null, call_id = null,
      deployed_at = null, frozen_at = null, updated_at = ${now},
      utm = case
        when frozen_at is not null
          and utm = (select coalesce(b.utm, '{}') from businesses b where b.id = c.business_id)
        then null else utm end
    where business_id = ${businessId} and id = ${id}
  `)
}

/** Deletes the frozen audience of a campaign of which nobody was sent anything. */
export function deleteRun(
  tx: Tx,
  businessId: Id<'business'>,
  campaignId: Id<'campaign'>,
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      with recipients as (
        delete from campaign_recipients
        where business_id = ${businessId} and campaign_id = ${campaignId}
      ), counts as (
        delete from campaign_counts
        where business_id = ${businessId} and campaign_id = ${campaignId}
      ), test as (
        update campaign_tests set winner = null, by_hand = false, decided_at = null,
          is_beyond_chance = null, evidence = null
        where business_id = ${businessId} and campaign_id = ${campaignId} and winner is not null
      )
      delete from campaign_runs
      where business_id = ${businessId} and campaign_id = ${campaignId}
    `),
  )
}

/** Sets how much of the approval limit it reserves from now on. */
export function updateUnapproved(
  tx: Tx,
  businessId: Id<'business'>,
  { id, unapproved }: { id: Id<'campaign'>; unapproved: number },
): Promise<number> {
  return tx.run(sql`
    update campaigns set unapproved = ${unapproved}
    where business_id = ${businessId} and id = ${id}
  `)
}

/** Stores the plan that a person approved, in place of the one that was submitted. */
export function bindPlan(
  tx: Tx,
  businessId: Id<'business'>,
  bound: Pick<Order, 'id' | 'recipients' | 'plan' | 'planHash'>,
): Promise<number> {
  return tx.run(sql`
    update campaigns set recipients = ${bound.recipients}, plan = ${bound.plan},
      plan_hash = ${bound.planHash}
    where business_id = ${businessId} and id = ${bound.id}
  `)
}
