/**
 * Dispatches recipients: writes their rows, the messages with jobs and events, and the tier's
 * usage, all in the transaction of the tick.
 */

import { formatId, newId } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { quietUntil } from '../../lib/phone/quiet-hours.ts'
import { insertCampaignMessages } from '../../messages/intake/campaign-messages.ts'
import { lockPendingCount } from '../../usage/approval-limit.ts'
import { reserve } from '../../usage/reserve.ts'
import { findVariants } from '../model/queries.ts'
import type { Run, RunKey, RunningCampaign } from '../model/run-queries.ts'
import { addCounts } from '../results/counts.ts'
import { countSent } from './approval-allowance.ts'
import {
  type DispatchedRow,
  findNext,
  findTimed,
  type NextRecipient,
  updateDispatched,
} from './dispatch-queries.ts'

export interface DispatchInput {
  campaign: RunningCampaign
  run: Run
  room: number
  now: Date
}

export interface DispatchResult {
  run: Run
  /** How many rows were examined. If they are fewer than there was room for, none are left. */
  looked: number
}

/** A recipient to whom it can be sent now. */
type Reachable = NextRecipient & { address: string; mark: Buffer }

export async function dispatchRecipients(
  tx: Tx,
  key: RunKey,
  { campaign, run, room, now }: DispatchInput,
): Promise<DispatchResult> {
  const isCounted = campaign.approval !== 'approved'
  if (isCounted) await lockPendingCount(tx, key.businessId)
  const { channel, topic } = campaign
  const asked = { ...key, channel, topic, limit: room }
  const timed = await findTimed(tx, asked, now)
  const rest = room - timed.length
  const inOrder = rest > 0 ? await findNext(tx, { ...asked, limit: rest }, run.takenTo) : []
  const next = [...timed, ...inOrder]
  const rows: DispatchedRow[] = []
  const reachable = next.filter((recipient): recipient is Reachable => {
    const row = rowIfNotSentNow(recipient, campaign, now)
    if (row) rows.push(row)
    return row === undefined
  })
  const afforded = await affordable(tx, key, { campaign, reachable, now })
  rows.push(...reachable.map(({ contactId }, i) => dispatchedRow(contactId, afforded[i])))
  const messages = afforded.filter((message) => message !== undefined)
  const sent = messages.length
  if (isCounted) {
    const { unapproved } = campaign
    await countSent(tx, key.businessId, { id: key.campaignId, unapproved, sent }, now)
  }
  await record(tx, key, {
    campaign,
    rows,
    messages,
    variants: new Map(next.map((recipient) => [recipient.contactId, recipient.variant])),
    now,
  })
  return {
    looked: next.length,
    run: {
      ...run,
      takenTo: inOrder.at(-1)?.contactId ?? run.takenTo,
      taken: run.taken + sent,
    },
  }
}

/** The row of a recipient who does not get it, or does not get it at this hour. */
function rowIfNotSentNow(
  { contactId, address, mark, consent, isCovered, zone }: NextRecipient,
  { channel }: RunningCampaign,
  now: Date,
): DispatchedRow | undefined {
  const row = { contactId, messageId: null, dueAt: null }
  if (consent === null) return { ...row, state: 'skipped', reason: 'erased' }
  if (address === null || mark === null) {
    return { ...row, state: 'skipped', reason: channel === 'email' ? 'no_email' : 'no_phone' }
  }
  if (consent !== 'subscribed') return { ...row, state: 'skipped', reason: 'unsubscribed' }
  if (!isCovered) return { ...row, state: 'skipped', reason: 'topic_not_chosen' }
  const dueAt = channel === 'sms' ? quietUntil(address, zone ?? undefined, now) : undefined
  return dueAt && { ...row, state: 'pending', reason: 'quiet_hours', dueAt }
}

type Message = Parameters<typeof insertCampaignMessages>[1][number]

/** A message for each recipient that the tier allows, in order; undefined for the rest. */
async function affordable(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { campaign, reachable, now }: { campaign: RunningCampaign; reachable: Reachable[]; now: Date },
): Promise<(Message | undefined)[]> {
  if (reachable.length === 0) return []
  const { channel, topic, tier, units } = campaign
  const metric = channel === 'email' ? 'emails' : 'sms'
  const amount = reachable.length * units
  const wanted = { businessId, metric, amount, tier, partial: true, each: units } as const
  const [granted = 0] = await reserve(tx, [wanted], now)
  const variants = await findVariants(tx, businessId, campaignId)
  return reachable.map(({ contactId, address, mark, variant }, i) => {
    const content = variants.find(({ position }) => position === variant) ?? variants[0]
    if (i * units >= granted || !content) return undefined
    const { templateId, versionId: templateVersionId } = content
    const id = newId('message')
    const what = { templateId, templateVersionId, to: address, mark }
    return { businessId, campaignId, id, channel, topic, contactId, ...what }
  })
}

function dispatchedRow(
  contactId: NextRecipient['contactId'],
  message: Message | undefined,
): DispatchedRow {
  return message
    ? { contactId, state: 'taken', reason: null, messageId: message.id, dueAt: null }
    : { contactId, state: 'skipped', reason: 'tier_quota', messageId: null, dueAt: null }
}

interface Recorded {
  campaign: RunningCampaign
  rows: DispatchedRow[]
  messages: Message[]
  variants: ReadonlyMap<NextRecipient['contactId'], number | null>
  now: Date
}

async function record(
  tx: Tx,
  key: RunKey,
  { campaign, rows, messages, variants, now }: Recorded,
): Promise<void> {
  if (rows.length === 0) return
  const skipped = rows.flatMap(({ contactId, state, reason }) => {
    const variant = variants.get(contactId) ?? 0
    return state === 'skipped' ? [{ ...key, variant, metric: `skipped:${reason}`, amount: 1 }] : []
  })
  await Promise.all([
    updateDispatched(tx, key, rows, now),
    addCounts(tx, skipped),
    insertCampaignMessages(tx, messages, { origin: originOf(campaign), now }),
  ])
}

function originOf({ connectionId, callId }: RunningCampaign): Origin | undefined {
  return callId === null ? undefined : { connectionId, callId: formatId('request', callId) }
}
