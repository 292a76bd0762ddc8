import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { ContactValues } from '../model/contact.ts'
import { recordChanges } from '../saving/announce.ts'
import { mergeSaid } from '../saving/apply-changes.ts'
import type { Said } from '../saving/merge-consent.ts'
import { lockById, updateContacts } from '../saving/queries.ts'

export interface ConsentWish {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  /** In order, with the evidence that the ledger keeps. */
  said: readonly Said[]
}

/**
 * The person's own word on what they get, as a link in a mail lets them say it. Said again it
 * changes nothing. Undefined where the contact is gone; a channel that they cannot have,
 * without an address for it, is refused.
 */
export async function changeConsent(
  tx: Tx,
  { businessId, contactId, said }: ConsentWish,
  now: Date,
): Promise<ContactValues | Refusal | undefined> {
  const stored = await lockById(tx, businessId, contactId)
  if (!stored) return undefined
  const merged = mergeSaid(stored, said)
  if (isRefusal(merged)) return merged
  if (merged.changed.length === 0) return merged.values
  const entry = { businessId, id: contactId, stored, values: merged.values }
  const marks = { emailMark: null, phoneMark: null }
  await updateContacts(tx, [{ ...merged.values, ...marks, businessId, id: contactId }], now)
  const item = { businessId, source: 'person' as const }
  await recordChanges(tx, [{ item, change: { ...merged, entry, kind: 'updated' } }], now)
  return merged.values
}
