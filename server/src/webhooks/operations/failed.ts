import { formatId, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { type ListedLetter, listDeadLetters } from '../delivery/dead-letter-queries.ts'
import { maxAttempts } from '../delivery/schedule.ts'
import { errorOf, lastError } from '../model/last-error.ts'
import { findWebhook } from '../model/queries.ts'
import { noSuchWebhook, webhookIdInput } from '../model/view.ts'
import { byWebhook } from './find-business.ts'

const deadLetter = Type.Object({
  event_id: Type.String(),
  type: Type.String(),
  delivery_id: Type.String(),
  attempts: Type.Integer(),
  last_error: lastError,
  failed_at: Type.String({ description: 'ISO 8601, UTC.' }),
})

/** The dead-letter queue (contract 10.6). A replayed event is removed from it. */
export const webhookFailed = operation({
  name: 'webhook.failed',
  title: 'List undelivered events',
  area: 'webhooks',
  unlisted: true,
  summary: `Events given up after ${maxAttempts} failures, latest first, with the last error. Kept 30 days. Free.`,
  reach: 'business',
  scope: 'provisioning:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/webhooks/:webhook_id/failed',
  locate: { webhook_id: byWebhook },
  input: { webhook_id: webhookIdInput, ...pageInput },
  output: Type.Object({ failed: Type.Array(deadLetter), next_cursor: nextCursor }),

  async run({ db, business }, { webhook_id, ...paging }) {
    const page = pageOf('delivery', paging)
    const id = parseId('webhook', webhook_id)
    if (!id || !(await findWebhook(db, business.id, id))) throw noSuchWebhook(webhook_id)
    const of = { businessId: business.id, webhookId: id }
    const { shown, next } = pageFrom(
      'delivery',
      await listDeadLetters(db, { ...of, ...page }),
      page,
      viewOf,
    )
    return { failed: shown.map(viewOf), ...next }
  },
})

function viewOf(letter: ListedLetter) {
  return {
    event_id: formatId('event', letter.eventId),
    type: letter.type,
    delivery_id: formatId('delivery', letter.id),
    attempts: letter.attempts,
    last_error: errorOf(letter),
    failed_at: letter.failedAt.toISOString(),
  }
}
