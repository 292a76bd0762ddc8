import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { findWebhook } from '../model/queries.ts'
import { namesFor, type Rights, withoutRight } from '../model/rights.ts'
import { noSuchWebhook, viewOf, webhookIdInput, webhookView } from '../model/view.ts'
import { byWebhook } from './find-business.ts'

export function webhookGet({ rights }: { rights: Rights }) {
  return operation({
    name: 'webhook.get',
    title: 'Read a webhook',
    area: 'webhooks',
    unlisted: true,
    summary: 'One webhook: URL, event types, status, since when it fails. Never its secret. Free.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/webhooks/:webhook_id',
    locate: { webhook_id: byWebhook },
    input: { webhook_id: webhookIdInput },
    output: webhookView,

    async run({ db, business, principal }, { webhook_id }) {
      const id = parseId('webhook', webhook_id)
      const webhook = id && (await findWebhook(db, business.id, id))
      if (!webhook) throw noSuchWebhook(webhook_id)
      const stopped = await withoutRight(rights, db, business.id, [webhook])
      const names = await namesFor(rights, db, business.id, { webhooks: [webhook], principal })
      return viewOf(business.id, webhook, !stopped.has(webhook), names.get(webhook.holder))
    },
  })
}
