import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { overLimit } from '../../usage/refusal.ts'
import { reserve } from '../../usage/reserve.ts'
import { insertWebhook } from '../model/queries.ts'
import { checkEvents, holderOf } from '../model/rights.ts'
import { insertSecret } from '../model/secret-queries.ts'
import { newSecret, type Sealer } from '../model/secrets.ts'
import type { Changes } from './change.ts'

/**
 * A new subscription. Its secret stays sealed, because responses are stored with idempotency keys.
 */
export interface Added {
  id: Id<'webhook'>
  url: string
  events: Changes['events'] & {}
  created_at: string
  version: number
  sealed: string
}

export async function addWebhook(
  vault: Sealer,
  { business, principal, now, write, origin }: BusinessContext,
  { url, events, description = null, status = 'active' }: Changes,
): Promise<Added> {
  if (url === undefined) throw isNeeded('url')
  if (events === undefined) throw isNeeded('events')
  if (status === 'paused') {
    const text = 'A new webhook is active. Leave status out, and pause it afterwards.'
    throw refuse('invalid_request', text, { field: 'status' })
  }
  const beyond = checkEvents(events, principal.scopes)
  if (beyond) throw beyond
  return write(async (tx) => {
    const taken = { businessId: business.id, metric: 'webhooks' as const, amount: 1 }
    const [granted] = await reserve(tx, [{ ...taken, tier: business.tier, partial: false }], now)
    if (!granted) throw overLimit('webhooks', business.tier)
    const holder = holderOf(principal)
    const webhook = { id: newId('webhook'), url, events, description, holder }
    await insertWebhook(tx, business.id, webhook, now)
    const secret = newSecret(vault, { webhookId: webhook.id, version: 1 })
    await insertSecret(tx, business.id, secret, now)
    const subject = formatId('webhook', webhook.id)
    const entry = { businessId: business.id, action: 'webhook.save', subject }
    await recordAudit(tx, [{ ...entry, details: { events: events.join(' ') }, origin }], now)
    const { id } = webhook
    const sealed = secret.sealed.toString('base64')
    return { id, url, events, created_at: now.toISOString(), version: secret.version, sealed }
  })
}

function isNeeded(field: string): Refusal {
  const text = `${field} is missing: a new webhook needs it. To change one, give its webhook_id.`
  return refuse('invalid_request', text, { field })
}
