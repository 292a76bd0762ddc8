import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import {
  inView,
  isBrief,
  nextCursor,
  pageFrom,
  pageInput,
  pageOf,
  viewInput,
} from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { findWebhook, listWebhooks } from '../model/queries.ts'
import { type HolderName, namesFor, type Rights, withoutRight } from '../model/rights.ts'
import { noSuchWebhook, viewOf, webhookIdInput, webhookView } from '../model/view.ts'
import type { Webhook } from '../model/webhook.ts'
import { byWebhook } from './find-business.ts'

export function webhookList({ rights }: { rights: Rights }) {
  return operation({
    name: 'webhook.list',
    title: 'List webhooks',
    area: 'webhooks',
    summary:
      'Webhooks, newest first, or the one of webhook_id: URL, event types, status, since when it fails. Never secrets. Free.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/webhooks',
    locate: { webhook_id: byWebhook },
    input: { webhook_id: Type.Optional(webhookIdInput), view: viewInput, ...pageInput },
    seldom: ['view'],
    output: Type.Object({ webhooks: Type.Array(webhookView), next_cursor: nextCursor }),

    async run(context, { webhook_id, view, ...paging }) {
      const { db, business, principal } = context
      if (webhook_id !== undefined) {
        const id = parseId('webhook', webhook_id)
        const webhook = id && (await findWebhook(db, business.id, id))
        if (!webhook) throw noSuchWebhook(webhook_id)
        const stopped = await withoutRight(rights, db, business.id, [webhook])
        const names = await namesFor(rights, db, business.id, { webhooks: [webhook], principal })
        const isLive = !stopped.has(webhook)
        return { webhooks: [viewOf(business.id, webhook, isLive, names.get(webhook.holder))] }
      }
      const page = pageOf('webhook', paging)
      const rows = await listWebhooks(db, business.id, page)
      const brief = isBrief(context, view)
      const shownOf = (webhook: Webhook, ...more: [boolean, HolderName?]) =>
        inView(viewOf(business.id, webhook, ...more), { brief, fields: briefFields })
      const { shown, next } = pageFrom('webhook', rows, page, (row) => shownOf(row, true))
      const stopped = await withoutRight(rights, db, business.id, shown)
      const names = await namesFor(rights, db, business.id, { webhooks: shown, principal })
      return {
        webhooks: shown.map((webhook) =>
          shownOf(webhook, !stopped.has(webhook), names.get(webhook.holder)),
        ),
        ...next,
      }
    },
  })
}

const briefFields = [
  'webhook_id',
  'url',
  'events',
  'description',
  'status',
  'paused_because',
  'failing_since',
] as const
