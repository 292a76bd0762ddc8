/**
 * The states of a campaign on its way, and what changes with each: its jobs, its messages, its
 * allowance and its events. Every change is made in the transaction of the caller.
 */

import { checkSending } from '../../accounts/stops/stops.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import { emitAll, type NewEvent } from '../../events/emit.ts'
import { plannedAnew, sql, sqlWithin } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { holdCampaign, releaseCampaign, stopCampaign } from '../../messages/holds.ts'
import type { CampaignKey } from '../../messages/queue.ts'
import { queueApprovalMails } from '../approvals/mail.ts'
import {
  type ApprovalReason,
  type Campaign,
  type CampaignState,
  columnsOf,
  type ZoneMode,
} from '../campaign.ts'
import { countTally, findRun, saveAutoPauseFrom, sentOf } from '../campaign-run.ts'
import { judgeFromNow } from '../providers/hold.ts'
import { type CampaignAction, checkAllowed } from '../states.ts'
import { noSuchCampaign } from '../view.ts'
import { releaseAllowance } from './approval-allowance.ts'
import { queueFreeze, queueStart, runJob } from './campaign-job.ts'

export interface CampaignTransition {
  businessId: Id<'business'>
  id: Id<'campaign'>
  /** Absent if no call caused the change. */
  origin?: Origin | undefined
}

interface Start extends Omit<CampaignTransition, 'id'> {
  /** Set for a start that the caller pauses where sending is stopped. */
  evenIfStopped?: true
}

/**
 * Starts it, at once or at its hour. The caller has locked the row. While a person has stopped all
 * sending, nothing can be started at once.
 */
export async function startSending(
  tx: Tx,
  campaign: Campaign,
  { businessId, origin, evenIfStopped }: Start,
  now: Date,
): Promise<'scheduled' | 'deployed'> {
  const { id, sendAt } = campaign
  if (sendAt && sendAt > now) {
    await enterState(tx, businessId, { id, state: 'scheduled' }, now)
    await queueStart(tx, { businessId, id, sendAt }, now)
    return 'scheduled'
  }
  if (!evenIfStopped) await checkSending(tx, businessId)
  await enterState(tx, businessId, { id, state: 'deployed' }, now)
  await queueFreeze(tx, { businessId, id }, now)
  const data = { ...factsOf(campaign), status: 'deployed' }
  await emitAll(tx, [{ businessId, type: 'campaign.deployed', data, origin }], now)
  return 'deployed'
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

interface Waiting extends Omit<CampaignTransition, 'id'> {
  approvalReason?: ApprovalReason | null
}

/** Sets it to wait for a person's approval. */
export async function awaitApproval(
  tx: Tx,
  campaign: Campaign,
  { businessId, origin, approvalReason }: Waiting,
  now: Date,
): Promise<void> {
  const { id } = campaign
  await enterState(tx, businessId, { id, state: 'awaiting_approval', approvalReason }, now)
  await queueApprovalMails(tx, { businessId, id }, now)
  const data = { ...factsOf(campaign), status: 'awaiting_approval' }
  await emitAll(tx, [{ businessId, type: 'campaign.awaiting_approval', data, origin }], now)
}

/** Completes it once no recipient is open. The caller has locked the row. */
export async function completeCampaign(
  tx: Tx,
  campaign: Campaign,
  businessId: Id<'business'>,
  now: Date,
): Promise<void> {
  const { id } = campaign
  await releaseAllowance(tx, businessId, campaign)
  await enterState(tx, businessId, { id, state: 'completed' }, now)
  const sent = await sentOf(tx, businessId, id)
  const data = { ...factsOf(campaign), status: 'completed', sent }
  await emitAll(tx, [{ businessId, type: 'campaign.completed', data }], now)
}

type PauseReason = Extract<NewEvent, { type: 'campaign.paused' }>['data']['reason']

/**
 * Pauses a deployed campaign. The caller gives the reason: a person, the automatic pause, a gate, a
 * missing approval, a stop, or a restored backup.
 */
export async function pauseCampaign(
  tx: Tx,
  { businessId, id, origin }: CampaignTransition,
  reason: PauseReason,
  now: Date,
): Promise<Campaign> {
  const campaign = await lockIfAllowed('pause', tx, { businessId, id })
  await enterState(tx, businessId, { id, state: 'paused', reason }, now)
  await pauseRun(tx, { businessId, campaignId: id, channel: campaign.channel }, now)
  const sent = await sentOf(tx, businessId, id)
  const data = { ...factsOf(campaign), status: 'paused', sent, reason }
  await emitAll(tx, [{ businessId, type: 'campaign.paused', data, origin }], now)
  return { ...campaign, state: 'paused', pauseReason: reason, updatedAt: now }
}

/** A campaign that a gate stopped is checked first (`campaigns/resume.ts`). */
export async function resumeCampaign(
  tx: Tx,
  { businessId, id, origin }: CampaignTransition,
  now: Date,
): Promise<Campaign> {
  const campaign = await lockIfAllowed('resume', tx, { businessId, id })
  await enterState(tx, businessId, { id, state: 'deployed' }, now)
  await resumeRun(tx, { businessId, campaignId: id, channel: campaign.channel }, now)
  const sent = await sentOf(tx, businessId, id)
  const data = { ...factsOf(campaign), status: 'deployed', sent }
  await emitAll(tx, [{ businessId, type: 'campaign.resumed', data, origin }], now)
  return { ...campaign, state: 'deployed', pauseReason: null, updatedAt: now }
}

export async function cancelCampaign(
  tx: Tx,
  { businessId, id }: CampaignTransition,
  now: Date,
): Promise<Campaign> {
  const campaign = await lockIfAllowed('cancel', tx, { businessId, id })
  await releaseAllowance(tx, businessId, campaign)
  await enterState(tx, businessId, { id, state: 'cancelled' }, now)
  await cancelRun(tx, { businessId, campaignId: id, channel: campaign.channel }, now)
  return { ...campaign, state: 'cancelled', pauseReason: null, updatedAt: now, cancelledAt: now }
}

/**
 * Takes an ordered campaign back: it is a draft as before its order, and whoever approved it is
 * asked again. A paused one can be taken back until its first recipient was taken, which is read
 * once the row is locked.
 */
export async function unscheduleCampaign(
  tx: Tx,
  { businessId, id }: CampaignTransition,
  now: Date,
): Promise<Campaign> {
  const campaign = await lockIfAllowed('unschedule', tx, { businessId, id })
  const run = await findRun(tx, { businessId, campaignId: id })
  const isUnderWay = run !== undefined && run.dispatched > 0
  checkAllowed('unschedule', { ...campaign, isUnderWay })
  await releaseAllowance(tx, businessId, campaign)
  if (campaign.state === 'paused') {
    await deleteRun(tx, businessId, id)
    await releaseCampaign(tx, { businessId, campaignId: id, channel: campaign.channel }, now)
  }
  await dropWholeOrder(tx, businessId, id, now)
  const draft = await lockCampaign(tx, businessId, id)
  if (!draft) throw new Error('a campaign that is locked and not there')
  return draft
}

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

/**
 * Makes an ordered campaign a draft again, as if it had never been ordered: its time, plan and
 * approval no longer count. Its links follow the business's default again if they did before.
 */
function dropWholeOrder(
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
function deleteRun(
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

/** The campaign, locked, if the action is allowed on it. */
export async function lockIfAllowed(
  action: CampaignAction,
  tx: Tx,
  { businessId, id }: CampaignTransition,
): Promise<Campaign> {
  const campaign = await lockCampaign(tx, businessId, id)
  if (!campaign) throw noSuchCampaign(formatId('campaign', id))
  checkAllowed(action, campaign)
  return campaign
}

function factsOf({ id, name, channel, recipients }: Campaign) {
  return {
    campaign_id: formatId('campaign', id),
    name,
    channel,
    recipients: recipients ?? 0,
  }
}

/** Pauses the sending: nothing more is sent after this transaction commits. */
async function pauseRun(tx: Tx, campaign: CampaignKey, now: Date): Promise<void> {
  await holdCampaign(tx, campaign, now)
}

/** A person has seen why it paused, so the automatic pause and the holds of providers count anew. */
async function resumeRun(tx: Tx, campaign: CampaignKey, now: Date): Promise<void> {
  await releaseCampaign(tx, campaign, now)
  await saveAutoPauseFrom(tx, campaign, await countTally(tx, campaign), now)
  await judgeFromNow(tx, campaign, now)
  await enqueue(tx, [runJob(campaign, now)], now)
}

async function cancelRun(tx: Tx, campaign: CampaignKey, now: Date): Promise<void> {
  await stopCampaign(tx, campaign, now)
  await enqueue(tx, [runJob(campaign, now)], now)
}

interface SendingOptions {
  sendAt: Date | null
  sendLocal: string | null
  zoneMode: ZoneMode
  throttlePerMinute: number | null
}

interface Order extends SendingOptions {
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

interface Decision {
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
