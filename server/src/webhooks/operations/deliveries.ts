import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { bodiesOf } from '../../events/bodies.ts'
import { typesWithin } from '../../events/catalog.ts'
import { Type } from '../../lib/schema/schema.ts'
import { listDeadLetters } from '../delivery/dead-letter-queries.ts'
import { maxAttempts } from '../delivery/schedule.ts'
import { findAttempt, type LogRow, listAttempts } from '../log/log.ts'
import {
  attemptView,
  deliveryIdInput,
  viewOfAttempt,
  viewOfLetter,
  wholeAttempt,
  wholeViewOf,
} from '../log/log-view.ts'
import { findWebhook } from '../model/queries.ts'
import { noSuchDelivery, noSuchWebhook, webhookIdInput } from '../model/view.ts'
import { byDelivery, byWebhook } from './find-business.ts'

const outcomes = ['delivered', 'failed', 'undelivered'] as const

export function webhookDeliveries({ slug }: { slug: string }) {
  return operation({
    name: 'webhook.deliveries',
    title: 'Read the delivery log',
    area: 'webhooks',
    summary: `Attempts of a webhook, newest first, kept 30 days; or the one of delivery_id with request and response. undelivered: events given up after ${maxAttempts} failures, which webhook.replay takes. Free.`,
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    // The second route has an extra segment, so that it does not match a webhook named deliveries.
    rest: [
      'GET /v1/webhooks/:webhook_id/deliveries',
      'GET /v1/webhooks/deliveries/:delivery_id/attempts',
    ],
    locate: { webhook_id: byWebhook, delivery_id: byDelivery },
    input: {
      webhook_id: Type.Optional(webhookIdInput),
      delivery_id: Type.Optional(deliveryIdInput),
      outcome: Type.Optional(Type.Enum(outcomes)),
      ...pageInput,
    },
    output: Type.Object({
      deliveries: Type.Array(Type.Union([wholeAttempt, attemptView])),
      next_cursor: nextCursor,
    }),

    async run(context, { webhook_id, delivery_id, outcome = null, ...paging }) {
      const { db, business, now } = context
      if (delivery_id !== undefined) {
        const row = await oneOf(context, delivery_id)
        const itsOwn = formatId('webhook', row.webhookId)
        if (webhook_id !== undefined && webhook_id !== itsOwn) throw noSuchWebhook(webhook_id)
        const body = await bodyFor(context, row)
        return { deliveries: [wholeViewOf(row, { slug, now, body })] }
      }
      if (webhook_id === undefined) throw missingWebhook()
      const page = pageOf('delivery', paging)
      const id = parseId('webhook', webhook_id)
      if (!id || !(await findWebhook(db, business.id, id))) throw noSuchWebhook(webhook_id)
      const key = { businessId: business.id, webhookId: id }
      if (outcome === 'undelivered') {
        const letters = await listDeadLetters(db, { ...key, ...page })
        const { shown, next } = pageFrom('delivery', letters, page, viewOfLetter)
        return { deliveries: shown.map(viewOfLetter), ...next }
      }
      const of = { ...key, outcome }
      const { shown, next } = pageFrom(
        'delivery',
        await listAttempts(db, { ...of, ...page }, now),
        page,
        (row) => viewOfAttempt(row, now),
      )
      return { deliveries: shown.map((row) => viewOfAttempt(row, now)), ...next }
    },
  })
}

async function oneOf({ db, business }: BusinessContext, text: string): Promise<LogRow> {
  const id = parseId('delivery', text)
  const row = id && (await findAttempt(db, [business.id], id))
  if (!row) throw noSuchDelivery(text)
  return row
}

/** Shows answers of contacts only to callers who may also read them in other ways. */
async function bodyFor({ db, principal }: BusinessContext, row: LogRow) {
  if (!typesWithin(principal.scopes).includes(row.type)) return undefined
  const key = { businessId: row.businessId, id: row.eventId, createdAt: row.eventAt }
  return (await bodiesOf(db, [key])).get(row.eventId) ?? undefined
}

function missingWebhook(): Refusal {
  const text = 'webhook_id is missing: say whose deliveries, or give a delivery_id.'
  return refuse('invalid_request', text, {
    field: 'webhook_id',
    fix: { tool: 'webhook.list', arguments: {} },
    data: { reason: 'missing' },
  })
}
