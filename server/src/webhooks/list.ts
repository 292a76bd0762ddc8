import { isRefusal } from '../platform/errors.ts'
import { operation } from '../platform/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../platform/paging.ts'
import { Type } from '../platform/schema.ts'
import { listWebhooks } from './queries.ts'
import { type Rights, withoutRight } from './rights.ts'
import { viewOf, webhookView } from './view.ts'

export function webhookList({ rights }: { rights: Rights }) {
  return operation({
    name: 'webhook.list',
    title: 'List webhooks',
    summary:
      'Webhooks, newest first: URL, event types, status, since when it fails. Never secrets. Free.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/webhooks',
    input: pageInput,
    output: Type.Object({ webhooks: Type.Array(webhookView), next_cursor: nextCursor }),

    async run({ db, business }, asked) {
      const page = pageOf('webhook', asked)
      if (isRefusal(page)) return page
      const rows = await listWebhooks(db, business.id, page)
      const { shown, next } = pageFrom('webhook', rows, page)
      const stopped = await withoutRight(rights, db, business.id, shown)
      return {
        webhooks: shown.map((webhook) => viewOf(business.id, webhook, !stopped.has(webhook))),
        ...next,
      }
    },
  })
}
