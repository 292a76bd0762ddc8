/**
 * The queue of messages: jobs of several messages each, in a lane per business, channel and kind. A
 * campaign has two lanes of its own.
 */

import type { Channel } from '../contacts/contact.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import type { LaneName, NewJob, Priority } from '../lib/jobs/job.ts'
import { enqueue } from '../lib/jobs/job.ts'
import type { MessageKind } from './message.ts'
import type { Announced } from './message-events.ts'

export const sendJobs: Readonly<Record<Channel, string>> = {
  email: 'message.email',
  sms: 'message.sms',
}

export interface ChunkPayload {
  business_id: Id<'business'>
  message_ids: Id<'message'>[]
}

interface ToQueue {
  businessId: Id<'business'>
  id: Id<'message'>
  channel: Channel
  kind: MessageKind
  isReply: boolean
  dueAt: Date
  campaignId?: Id<'campaign'> | null
  /** Whether a provider deferred it or pauses its sender. It no longer counts as sent ahead. */
  again?: boolean
}

/** The most messages in one job. */
const perChunk = 200

/** Queues messages. Messages that are due together in one lane share a job. */
export async function queueMessages(tx: Tx, messages: ToQueue[], now: Date): Promise<void> {
  const lanes = Map.groupBy(messages, (message) => `${laneOf(message)} ${message.dueAt.getTime()}`)
  const jobs: NewJob[] = []
  for (const lane of lanes.values()) {
    const [first] = lane
    for (let at = 0; first && at < lane.length; at += perChunk)
      jobs.push(jobOf(lane.slice(at, at + perChunk), spreadOf(first, at / perChunk)))
  }
  await enqueue(tx, jobs, now)
}

/**
 * A campaign's first tries and its retries are in separate lanes. The first lane holds the messages
 * that were dispatched ahead of the sending, and stays small.
 */
function laneOf({ businessId, channel, kind, isReply, campaignId, again }: ToQueue): string {
  if (!campaignId) return `${businessId} ${channel} ${isReply ? 'reply' : kind}`
  return again ? `${campaignId} again` : campaignId
}

/** Suffixes of lanes, so that several workers share a campaign. */
const campaignSpreads = ['0', '1', '2', '3', '4', '5', '6', '7']

/** The suffix of the n-th chunk after `first`. Chunks queued together get different lanes. */
function spreadOf({ id, campaignId }: ToQueue, n: number): string {
  const places = campaignId ? campaignSpreads.length : 16
  return ((Number.parseInt(id.slice(-1), 16) + n) % places).toString(16)
}

/** A campaign, and the channel it is sent on. */
export interface CampaignKey {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  channel: Channel
}

/** The lanes in which the first tries of a campaign's messages wait. */
export function firstLanes({ businessId, campaignId, channel }: CampaignKey): LaneName[] {
  const lane = { kind: sendJobs[channel], businessId, lane: campaignId }
  return campaignSpreads.map((spread) => ({ ...lane, spread }))
}

export function campaignLanes(campaign: CampaignKey): LaneName[] {
  const again = `${campaign.campaignId} again`
  return firstLanes(campaign).flatMap((lane) => [lane, { ...lane, lane: again }])
}

function jobOf(chunk: ToQueue[], spread: string): NewJob {
  const [first] = chunk
  if (!first) throw new Error('a chunk without messages')
  const payload: ChunkPayload = {
    business_id: first.businessId,
    message_ids: chunk.map(({ id }) => id),
  }
  return {
    kind: sendJobs[first.channel],
    businessId: first.businessId,
    lane: laneOf(first),
    // Spreads one business's messages over the workers.
    spread,
    payload,
    dueAt: first.dueAt,
    priority: priorityOf(first),
  }
}

function priorityOf({ kind, isReply }: ToQueue): Priority {
  if (isReply) return 'urgent'
  return kind === 'marketing' ? 'bulk' : 'normal'
}

/** Ends waiting messages as failed or cancelled. Returns those that were still open. */
export function endWaitingMessages(
  tx: Tx,
  businessId: Id<'business'>,
  { ids, state }: { ids: readonly Id<'message'>[]; state: 'failed' | 'cancelled' },
  now: Date,
): Promise<Announced[]> {
  return tx.all(sql`
    update messages set state = ${state}, updated_at = ${now}
    where business_id = ${businessId} and id = any(${ids}::uuid[])
      and state in ('queued', 'deferred')
    returning business_id as "businessId", id, channel, campaign_id as "campaignId",
      contact_id as "contactId", recipient as "to", labels
  `)
}
