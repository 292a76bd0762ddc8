import type { Channel } from '../contacts/contact.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { release } from '../usage/reserve.ts'
import { type MessageState, messageStates } from './message.ts'
import { eventRow, insertEvents } from './message-events.ts'
import { messageIdInput, noSuchMessage } from './view.ts'

export const messageCancel = operation({
  name: 'message.cancel',
  title: 'Cancel a message',
  area: 'messages',
  summary: 'Cancel a message that waits for send_at or the morning; refunds its cost.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/messages/:message_id/cancel',
  input: { message_id: messageIdInput },
  output: Type.Object({ message_id: Type.String(), status: Type.Enum(messageStates) }),

  async run(context, { message_id }) {
    const id = parseId('message', message_id)
    if (!id) throw noSuchMessage(message_id)
    return context.write(async (tx) => {
      await cancel(tx, context, id)
      return { message_id, status: 'cancelled' as const }
    })
  },
})

async function cancel(
  tx: Tx,
  { business, now, origin }: BusinessContext,
  id: Id<'message'>,
): Promise<void> {
  const businessId = business.id
  const cancelled = await cancelWaiting(tx, businessId, id, now)
  if (!cancelled) return checkCancelled(tx, businessId, id)
  const { channel, segments, createdAt } = cancelled
  const metric = channel === 'sms' ? ('sms' as const) : ('emails' as const)
  await freeCancelled(tx, businessId, id)
  await insertEvents(tx, [eventRow({ businessId, messageId: id, type: 'cancelled' }, now)], now)
  const subject = formatId('message', id)
  await recordAudit(tx, [{ businessId, action: 'message.cancel', subject, origin }], now)
  // Returned to the month in which it was counted.
  await release(tx, [{ businessId, metric, amount: segments ?? 1 }], createdAt)
}

/** Refuses unless the message is cancelled already, because repeating the call is fine. */
async function checkCancelled(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<void> {
  const message_id = formatId('message', id)
  const message = await findState(tx, businessId, id)
  if (!message) throw noSuchMessage(message_id)
  const { state, campaignId } = message
  if (campaignId) {
    const text = 'This message is one of a campaign: cancel or pause the campaign.'
    const campaign_id = formatId('campaign', campaignId)
    throw refuse('conflict', text, {
      field: 'message_id',
      fix: { tool: 'campaign.get', arguments: { campaign_id } },
      data: { reason: 'part_of_campaign' },
    })
  }
  if (state === 'cancelled') return
  throw refuse('conflict', `Too late to cancel: ${happened[state]}`, {
    field: 'message_id',
    data: { reason: 'too_late', status: state },
    fix: { tool: 'message.get', arguments: { message_id } },
  })
}

const happened: Readonly<Record<Exclude<MessageState, 'cancelled'>, string>> = {
  scheduled: 'it is being sent at this moment.',
  queued: 'it is due, and goes out now.',
  attempting: 'it is being sent at this moment.',
  deferred: 'it was tried already, and the receiving side put it off.',
  accepted: 'it was sent.',
  delivered: 'it was delivered.',
  bounced: 'it was sent, and bounced.',
  failed: 'it failed already, and does not go out.',
  unknown: 'it was sent, and may have arrived.',
  suppressed: 'it was stopped already: the address is suppressed.',
}

interface CancelledMessage {
  channel: Channel
  segments: number | null
  createdAt: Date
}

/**
 * Cancels a message that waits for its `send_at`, or marketing by SMS that waits for the morning. A
 * worker that is about to send it holds its row or has changed its state, so exactly one of the two
 * succeeds.
 */
function cancelWaiting(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'message'>,
  now: Date,
): Promise<CancelledMessage | undefined> {
  return tx.maybe(sql`
    update messages set state = 'cancelled', updated_at = ${now}
    where business_id = ${businessId} and id = ${id} and campaign_id is null
      and (state = 'scheduled' or (state = 'queued' and channel = 'sms' and kind = 'marketing'
        and attempts = 0 and due_at > ${now}))
    returning channel, segments, created_at as "createdAt"
  `)
}

/** Lets the same message be sent again at once. */
function freeCancelled(
  tx: Tx,
  businessId: Id<'business'>,
  messageId: Id<'message'>,
): Promise<number> {
  return tx.run(sql`
    delete from recent_messages where business_id = ${businessId} and message_id = ${messageId}
  `)
}

function findState(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<{ state: MessageState; campaignId: Id<'campaign'> | null } | undefined> {
  return db.maybe(sql`
    select state, campaign_id as "campaignId" from messages
    where business_id = ${businessId} and id = ${id}
  `)
}
