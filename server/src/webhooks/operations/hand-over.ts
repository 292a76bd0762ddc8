import { type Refusal, refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { allows, operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { missingScopes, typesOf } from '../../events/catalog.ts'
import type { Db } from '../../lib/db/types.ts'
import { resumeLane } from '../../lib/jobs/lanes.ts'
import { Type } from '../../lib/schema/schema.ts'
import { laneOf } from '../model/delivery.ts'
import { lockWebhook, updateWebhook } from '../model/queries.ts'
import { namesFor, type Rights } from '../model/rights.ts'
import { noSuchWebhook, viewOf, webhookIdInput, webhookView } from '../model/view.ts'
import type { Holder, Webhook } from '../model/webhook.ts'
import { byWebhook } from './find-business.ts'

/**
 * The address stays, and so does what it gets: only whose right the webhook has changes. What it
 * held while its former holder had ended is delivered.
 */
export function webhookHandOver({ rights }: { rights: Rights }) {
  return operation({
    name: 'webhook.hand_over',
    title: 'Hand a webhook over',
    summary:
      'Let another API key, or an admin or owner, hold a webhook: it delivers for as long as they reach the business, and continues if its former holder has ended.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'POST /v1/webhooks/:webhook_id/hand-over',
    locate: { webhook_id: byWebhook },
    input: {
      webhook_id: webhookIdInput,
      holder_id: Type.String({
        description: 'cnx_… of an API key, or usr_… of a member.',
        pattern: '^(cnx|usr)_[0-9a-hjkmnp-tv-z]{26}$',
      }),
    },
    output: webhookView,

    async run({ business, principal, now, write, origin }, { webhook_id, holder_id }) {
      const id = parseId('webhook', webhook_id)
      if (!id) throw noSuchWebhook(webhook_id)
      return write(async (tx) => {
        const before = await lockWebhook(tx, business.id, id)
        if (!before) throw noSuchWebhook(webhook_id)
        const holder = await newHolder(rights, tx, business.id, { webhook: before, holder_id })
        const isHeld = before.pausedBecause === 'connection_ended'
        const after = { ...before, holder, updatedAt: now }
        if (isHeld) after.pausedBecause = null
        await updateWebhook(tx, business.id, after, now)
        const lane = laneOf({ businessId: business.id, webhookId: id })
        if (after.pausedBecause === null) await resumeLane(tx, lane, now)
        const entry = { businessId: business.id, action: 'webhook.hand_over', subject: webhook_id }
        await recordAudit(tx, [{ ...entry, details: { holder: holder_id }, origin }], now)
        const names = await namesFor(rights, tx, business.id, { webhooks: [after], principal })
        return viewOf(business.id, after, true, names.get(holder))
      })
    },
  })
}

/** Whoever takes a webhook over could have made it. */
async function newHolder(
  rights: Rights,
  db: Db,
  businessId: Id<'business'>,
  { webhook, holder_id }: { webhook: Webhook; holder_id: string },
): Promise<Holder> {
  const candidate = await rights.candidateOf(db, businessId, holder_id)
  if (!candidate) throw noSuchHolder(holder_id)
  if (!allows(candidate.role, { role: 'admin' })) throw roleTooLow(holder_id)
  const lacking = missingScopes(typesOf(webhook.events), candidate.scopes)
  if (!candidate.scopes.has('provisioning:write')) lacking.push('provisioning:write')
  if (lacking.length > 0) throw scopesMissing(holder_id, lacking)
  return candidate.id
}

function noSuchHolder(id: string): Refusal {
  const text = `The business has no API key or member ${id}. key.list and member.list have those there are; a test key holds webhooks of test mode alone.`
  return refuse('not_found', text, { field: 'holder_id', data: { reason: 'no_such_holder' } })
}

function roleTooLow(id: string): Refusal {
  const text = `Only admins and owners hold webhooks, and ${id} has a lower role. Choose another holder, or change the role first.`
  return refuse('invalid_request', text, { field: 'holder_id', data: { reason: 'holder_role' } })
}

function scopesMissing(id: string, lacking: readonly string[]): Refusal {
  const scope = lacking.join(' ')
  const text = `The API key ${id} lacks ${lacking.join(' and ')}, which this webhook needs. Choose another holder, or take the events away that need it.`
  return refuse('invalid_request', text, {
    field: 'holder_id',
    data: { reason: 'holder_scopes', scope },
  })
}
