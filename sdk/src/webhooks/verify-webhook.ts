/** The receiver's side of a webhook on Node, without a promise. */
import type { CrierEvent } from '../generated/events.ts'
import { type Delivery, readDelivery } from './delivery.ts'
import { matches } from './webhook-signature.ts'

/**
 * Checks the signature and the age of a delivery and returns its event. Otherwise throws a {@link
 * CrierError} whose code gives the reason:
 *
 * - `signature_missing`, `signature_malformed`: it does not come from Crier
 * - `signature_mismatch`: another secret, or a body that differs from what was sent
 * - `delivery_stale`: sent longer ago than the tolerance, or in the future
 * - `event_malformed`: correctly signed, but its headers and its body differ
 * - `body_parsed`, `secret_invalid`: this program passed an unusable argument
 *
 * The same event may arrive more than once: act once for each `id`.
 */
export function verifyWebhook(delivery: Delivery): CrierEvent {
  const { signature, secrets, body, accept } = readDelivery(delivery)
  return accept(matches(signature, secrets, body))
}
