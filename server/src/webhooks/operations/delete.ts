import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { release } from '../../usage/reserve.ts'
import { deleteWebhook } from '../model/queries.ts'
import { noSuchWebhook, webhookIdInput } from '../model/view.ts'
import { byWebhook } from './find-business.ts'

/** Waiting deliveries are dropped when their turn comes, because they have no receiver. */
export const webhookDelete = operation({
  name: 'webhook.delete',
  title: 'Delete a webhook',
  area: 'webhooks',
  summary:
    'Permanently delete a webhook and its pending deliveries. webhook.save can pause it instead.',
  reach: 'business',
  scope: 'provisioning:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/webhooks/:webhook_id',
  locate: { webhook_id: byWebhook },
  input: { webhook_id: webhookIdInput },
  output: Type.Object({ webhook_id: Type.String(), deleted: Type.Boolean() }),

  async run({ business, now, write, origin }, { webhook_id }) {
    const id = parseId('webhook', webhook_id)
    if (!id) throw noSuchWebhook(webhook_id)
    return write(async (tx) => {
      const found = await deleteWebhook(tx, business.id, id, now)
      if (!found) throw noSuchWebhook(webhook_id)
      if (found.was === 'deleted') {
        await release(tx, [{ businessId: business.id, metric: 'webhooks', amount: 1 }], now)
        const entry = { businessId: business.id, action: 'webhook.delete', subject: webhook_id }
        await recordAudit(tx, [{ ...entry, origin }], now)
      }
      return { webhook_id, deleted: true }
    })
  },
})
