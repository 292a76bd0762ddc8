import { limits } from '../config.ts'
import type { Channel } from '../contacts/contact.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { readSendAt } from '../core/send-at.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { type MessageKind, type MessageState, messageStates } from './message.ts'
import { queueMessages } from './queue.ts'
import { messageIdInput, noSuchMessage } from './view.ts'

export const messageReschedule = operation({
  name: 'message.reschedule',
  title: 'Move a scheduled message',
  area: 'messages',
  summary: 'Send a transactional message that waits for send_at at another time.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: ['PATCH /v1/messages/:message_id', 'PATCH /v1/emails/:message_id'],
  input: {
    message_id: messageIdInput,
    send_at: Type.String({ description: 'With its zone: 2026-11-30T09:00:00+01:00.' }),
  },
  output: Type.Object({
    message_id: Type.String(),
    status: Type.Enum(messageStates),
    send_at: Type.String(),
  }),

  async run(context, { message_id, send_at }) {
    const id = parseId('message', message_id)
    if (!id) throw noSuchMessage(message_id)
    const moment = readSendAt(send_at, { now: context.now, daysAhead: limits.sendAheadDays })
    const dueAt = new Date(Math.max(moment.getTime(), context.now.getTime()))
    return context.write(async (tx) => {
      await reschedule(tx, context, { id, dueAt })
      return { message_id, status: 'scheduled' as const, send_at: dueAt.toISOString() }
    })
  },
})

async function reschedule(
  tx: Tx,
  { business, now, origin }: BusinessContext,
  { id, dueAt }: { id: Id<'message'>; dueAt: Date },
): Promise<void> {
  const businessId = business.id
  const message = await lockMessage(tx, businessId, id)
  if (!message) throw noSuchMessage(formatId('message', id))
  checkMovable(message)
  if (message.dueAt.getTime() === dueAt.getTime()) return
  await tx.run(sql`
    update messages set due_at = ${dueAt}, updated_at = ${now}
    where business_id = ${businessId} and id = ${id}
  `)
  // The job of the former time finds nothing that is due.
  await queueMessages(tx, [{ ...message, businessId, dueAt }], now)
  const subject = formatId('message', id)
  const details = { from: message.dueAt.toISOString(), to: dueAt.toISOString() }
  const entry = { businessId, action: 'message.reschedule', subject, details, origin }
  await recordAudit(tx, [entry], now)
}

interface LockedMessage {
  id: Id<'message'>
  channel: Channel
  kind: MessageKind
  isReply: boolean
  state: MessageState
  dueAt: Date
  campaignId: Id<'campaign'> | null
}

/** Marketing counts against the limits of the day that it was scheduled for. */
function checkMovable({ id, state, kind, campaignId }: LockedMessage): void {
  const message_id = formatId('message', id)
  if (campaignId) {
    const text = 'This message is one of a campaign, which is moved as a whole.'
    throw refuse('conflict', text, {
      field: 'message_id',
      fix: { tool: 'campaign.get', arguments: { campaign_id: formatId('campaign', campaignId) } },
      data: { reason: 'part_of_campaign' },
    })
  }
  if (state !== 'scheduled') {
    const text = `Only a scheduled message can be moved, and this one is ${state}.`
    throw refuse('conflict', text, {
      field: 'message_id',
      data: { reason: 'too_late', status: state },
      fix: { tool: 'message.get', arguments: { message_id } },
    })
  }
  if (kind === 'transactional') return
  const text = 'Marketing is not moved: cancel the message, and send it again with another send_at.'
  throw refuse('conflict', text, {
    field: 'message_id',
    data: { reason: 'marketing_not_moved' },
    fix: { tool: 'message.cancel', arguments: { message_id } },
  })
}

function lockMessage(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<LockedMessage | undefined> {
  return tx.maybe(sql`
    select id, channel, kind, is_reply as "isReply", state, due_at as "dueAt",
      campaign_id as "campaignId"
    from messages where business_id = ${businessId} and id = ${id} for no key update
  `)
}
