import { refuse } from '../../core/errors.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import { Type } from '../../lib/schema/schema.ts'
import { countDeadLetters } from '../delivery/dead-letter-queries.ts'
import { type ReplayDead, replayDeadJob, replayOne } from '../delivery/replay-dead.ts'
import { maxAttempts } from '../delivery/schedule.ts'
import { findAttempt } from '../log/log.ts'
import { deliveryIdInput } from '../log/log-view.ts'
import { findWebhook, lockWebhook } from '../model/queries.ts'
import { noSuchDelivery, noSuchWebhook, webhookIdInput } from '../model/view.ts'
import { byDelivery, byWebhook } from './find-business.ts'

export const webhookReplay = operation({
  name: 'webhook.replay',
  title: 'Replay deliveries',
  area: 'webhooks',
  summary: `Send an event again: same event id and bytes, ${maxAttempts} attempts. With webhook_id: all undelivered ones.`,
  reach: 'business',
  scope: 'provisioning:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  rest: [
    'POST /v1/webhooks/deliveries/:delivery_id/replay',
    'POST /v1/webhooks/:webhook_id/replay',
  ],
  status: 202,
  locate: { delivery_id: byDelivery, webhook_id: byWebhook },
  input: {
    delivery_id: Type.Optional(deliveryIdInput),
    webhook_id: Type.Optional(webhookIdInput),
  },
  output: Type.Object({
    webhook_id: Type.String(),
    delivery_id: Type.Optional(Type.String()),
    event_id: Type.Optional(Type.String()),
    replaying: Type.Integer(),
  }),

  async run(context, { delivery_id, webhook_id }) {
    if (delivery_id !== undefined) return replayDelivery(context, delivery_id, webhook_id)
    if (webhook_id !== undefined) return replayAll(context, webhook_id)
    const text =
      'delivery_id is missing: name a delivery, or give a webhook_id for all its undelivered events.'
    throw refuse('invalid_request', text, { field: 'delivery_id', data: { reason: 'missing' } })
  },
})

/** The caller may name any attempt of the delivery, of the first chain or of a replay. */
async function replayDelivery(
  { business, now, write }: BusinessContext,
  text: string,
  ofWebhook: string | undefined,
): Promise<Replayed> {
  const id = parseId('delivery', text)
  if (!id) throw noSuchDelivery(text)
  return write(async (tx) => {
    const attempt = await findAttempt(tx, [business.id], id)
    if (!attempt) throw noSuchDelivery(text)
    const webhookId = formatId('webhook', attempt.webhookId)
    if (ofWebhook !== undefined && ofWebhook !== webhookId) throw noSuchWebhook(ofWebhook)
    // Locked, so that the same attempt is not replayed twice at once.
    if (!(await lockWebhook(tx, business.id, attempt.webhookId))) throw noSuchWebhook(webhookId)
    const replayed = await replayOne(tx, attempt, now)
    return {
      webhook_id: webhookId,
      delivery_id: formatId('delivery', replayed.id),
      event_id: formatId('event', attempt.eventId),
      replaying: 1,
    }
  })
}

interface Replayed {
  webhook_id: string
  delivery_id?: string
  event_id?: string
  replaying: number
}

/** Replays the current dead letters. There may be a million, so a job replays them. */
async function replayAll(
  { business, now, write }: BusinessContext,
  text: string,
): Promise<Replayed> {
  const webhookId = parseId('webhook', text)
  if (!webhookId) throw noSuchWebhook(text)
  return write(async (tx) => {
    if (!(await findWebhook(tx, business.id, webhookId))) throw noSuchWebhook(text)
    const { count, last } = await countDeadLetters(tx, business.id, webhookId)
    if (last !== null) {
      const payload: ReplayDead = { business_id: business.id, webhook_id: webhookId, up_to: last }
      await enqueue(tx, [{ kind: replayDeadJob, lane: webhookId, payload }], now)
    }
    return { webhook_id: text, replaying: count }
  })
}
