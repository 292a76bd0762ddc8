/**
 * The states of a campaign on its way, and what changes with each: its jobs, its messages, its
 * allowance and its events. Every change is made in the transaction of the caller.
 */

import { checkSending } from '../../accounts/stops/stops.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import { emitAll, type NewEvent } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { holdCampaign, releaseCampaign, stopCampaign } from '../../messages/holds.ts'
import type { CampaignKey } from '../../messages/queue.ts'
import { queueApprovalMails } from '../approvals/mail.ts'
import type { ApprovalReason, Campaign } from '../model/campaign.ts'
import { sentOf } from '../model/count-queries.ts'
import { countTally, findRun, saveAutoPauseFrom } from '../model/run-queries.ts'
import { type CampaignAction, checkAllowed } from '../model/states.ts'
import { noSuchCampaign } from '../model/view.ts'
import { judgeFromNow } from '../providers/hold.ts'
import { releaseAllowance } from './approval-allowance.ts'
import { queueFreeze, queueStart } from './queue.ts'
import { runJob } from './run-job.ts'
import { deleteRun, dropWholeOrder, enterState, lockCampaign } from './transition-queries.ts'

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

/** A campaign that a gate stopped is checked first (`campaigns/operations/resume.ts`). */
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
  const isUnderWay = run !== undefined && run.taken > 0
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
