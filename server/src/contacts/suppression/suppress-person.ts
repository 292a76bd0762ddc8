import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { SuppressionReason } from './suppression.ts'
import { type NewSuppression, suppress } from './suppressions.ts'

export interface Addressed {
  businessId: Id<'business'>
  email: string | null
  phone: string | null
  reason: SuppressionReason
}

/** Puts all addresses of a person on the list, by the word of whoever called. */
export async function suppressPerson(
  tx: Tx,
  hmac: Hmac,
  { businessId, email, phone, reason }: Addressed,
  now: Date,
): Promise<void> {
  const shared = {
    businessId,
    reason,
    source: `contact.${reason === 'erased' ? 'erase' : 'suppress'}`,
  }
  const all: NewSuppression[] = []
  if (email !== null) all.push({ ...shared, channel: 'email', address: email })
  if (phone !== null) all.push({ ...shared, channel: 'sms', address: phone })
  await suppress(tx, hmac, all, now)
}
