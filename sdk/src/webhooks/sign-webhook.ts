/** The sender's side of a webhook, for tests of receivers and for `crier webhooks listen`. */
import type { CrierEvent } from '../generated/events.ts'
import { defaultSlug, headerName } from './webhook-headers.ts'
import { writeSignature } from './webhook-signature.ts'

/** See {@link signWebhook}. */
export interface ToSign {
  body: string
  secret: string | readonly string[]
  /** `dlv_…`: the id of this attempt. */
  deliveryId: string
  now?: Date
  slug?: string
}

/**
 * The headers with which Crier delivers this body, for the tests of a receiver. The body is an
 * event's JSON, and its `type` becomes the event header.
 */
export function signWebhook(delivery: ToSign): Record<string, string> {
  const { body, secret, deliveryId, now = new Date(), slug = defaultSlug } = delivery
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const secrets = typeof secret === 'string' ? [secret] : secret
  return {
    'content-type': 'application/json',
    [headerName(slug, 'event')]: (JSON.parse(body) as CrierEvent).type,
    [headerName(slug, 'delivery')]: deliveryId,
    [headerName(slug, 'timestamp')]: timestamp,
    [headerName(slug, 'signature')]: writeSignature(secrets, timestamp, body),
  }
}
