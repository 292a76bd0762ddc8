import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Channel, ConsentGiven, ContactValues } from '../model/contact.ts'
import { announce } from '../saving/announce.ts'
import { merge } from '../saving/apply-changes.ts'
import { lockById, updateContacts } from '../saving/queries.ts'

export interface ConsentWish {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  /** Of those channels alone; with the evidence that the ledger keeps. */
  consent: Partial<Record<Channel, ConsentGiven>>
}

/**
 * The person's own word on what they get, as a link in a mail lets them say it. Said again it
 * changes nothing. Undefined where the contact is gone; a channel that they cannot have,
 * without an address for it, is refused.
 */
export async function changeConsent(
  tx: Tx,
  { businessId, contactId, consent }: ConsentWish,
  now: Date,
): Promise<ContactValues | Refusal | undefined> {
  const stored = await lockById(tx, businessId, contactId)
  if (!stored) return undefined
  const merged = merge(stored, { consent }, 'person')
  if (isRefusal(merged)) return merged
  if (merged.changed.length === 0) return merged.values
  const entry = { businessId, id: contactId, stored, values: merged.values }
  const marks = { emailMark: null, phoneMark: null }
  await updateContacts(tx, [{ ...merged.values, ...marks, businessId, id: contactId }], now)
  const item = { businessId, source: 'person' as const }
  await announce(tx, [{ item, change: { ...merged, entry, kind: 'updated' } }], now)
  return merged.values
}
