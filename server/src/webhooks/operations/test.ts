import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, newId, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { eventTypeNames, typesOf } from '../../events/catalog.ts'
import { type NewEvent, writeTestEvent } from '../../events/emit.ts'
import { eventSamples } from '../../events/samples.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { Type } from '../../lib/schema/schema.ts'
import { insertAttempts } from '../delivery/attempt-queries.ts'
import { jobOf } from '../model/delivery.ts'
import { findWebhook } from '../model/queries.ts'
import { noSuchWebhook, webhookIdInput } from '../model/view.ts'
import { byWebhook } from './find-business.ts'

/**
 * A test takes the same path as real deliveries, to show how they will be. It is tried once, and is
 * also sent to a paused webhook.
 */
export const webhookTest = operation({
  name: 'webhook.test',
  title: 'Send a test event',
  area: 'webhooks',
  summary:
    'Send a made-up event, signed, once. webhook.deliveries with the delivery_id tells what came of it.',
  reach: 'business',
  scope: 'provisioning:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  rest: 'POST /v1/webhooks/:webhook_id/test',
  status: 202,
  locate: { webhook_id: byWebhook },
  input: {
    webhook_id: webhookIdInput,
    type: Type.Optional(
      Type.String({ maxLength: 40, description: 'Event type; default: the first it names.' }),
    ),
  },
  output: Type.Object({
    webhook_id: Type.String(),
    delivery_id: Type.String(),
    event_id: Type.String(),
    type: Type.String(),
  }),

  async run({ business, now, write, origin }, { webhook_id, type: requestedType }) {
    const webhookId = parseId('webhook', webhook_id)
    if (!webhookId) throw noSuchWebhook(webhook_id)
    return write(async (tx) => {
      const webhook = await findWebhook(tx, business.id, webhookId)
      if (!webhook) throw noSuchWebhook(webhook_id)
      const type = eventTypeNames.find(
        (name) => name === (requestedType ?? typesOf(webhook.events)[0]),
      )
      if (!type) throw noSuchType(String(requestedType))
      const event = { businessId: business.id, type, data: eventSamples[type], origin } as NewEvent
      const eventId = await writeTestEvent(tx, event, now)
      const first = { id: newId('delivery'), createdAt: now }
      const delivery = {
        businessId: business.id,
        webhookId: webhook.id,
        eventId,
        eventAt: now,
        type,
      }
      const attempt = {
        ...delivery,
        ...first,
        attempt: 1,
        replayOf: null,
        begunAt: null,
        url: null,
        cause: 'test' as const,
      }
      await insertAttempts(tx, [attempt])
      await enqueue(tx, [jobOf({ ...delivery, first, test: true })], now)
      return {
        webhook_id,
        delivery_id: formatId('delivery', first.id),
        event_id: formatId('event', eventId),
        type,
      }
    })
  },
})

function noSuchType(requestedType: string): Refusal {
  const text = `${requestedType} is no event type. There are: ${eventTypeNames.join(', ')}.`
  return refuse('invalid_request', text, {
    field: 'type',
    data: { reason: 'not_a_choice', allowed: eventTypeNames.join(', ') },
  })
}
