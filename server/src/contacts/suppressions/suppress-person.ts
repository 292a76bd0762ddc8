import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { deleteHashed } from './hashed-queries.ts'
import type { SuppressionReason } from './suppression.ts'
import { markOf, type NewSuppression, sha256Of, suppress } from './suppressions.ts'

export interface Addressed {
  businessId: Id<'business'>
  email: string | null
  phone: string | null
  reason: SuppressionReason
}

/**
 * Suppresses all addresses of a person at the caller's request. For an erased person, the plain
 * SHA-256 hashes are deleted, because anybody could compute them.
 */
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
  if (reason !== 'erased') return
  for (const { address } of all) {
    const mark = markOf(hmac, businessId, address)
    await deleteHashed(tx, businessId, { sha256: sha256Of(address), mark })
  }
}
