import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { mergeChoices } from '../changes.ts'
import type { ContactValues } from '../contact.ts'
import { recordChanges, recordConsents } from '../record.ts'
import { lockById, updateContacts } from '../rows.ts'
import type { ConsentChoice } from './consent.ts'

export interface ContactChoices {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  /** The choices in order, with the evidence for the consent ledger. */
  choices: readonly ConsentChoice[]
}

/**
 * Applies a person's own choices about what they get, as a link in a mail offers them. Repeating a
 * choice changes nothing; where the person was asked anew, it is recorded. Returns undefined if the contact no longer exists, and a refusal for a
 * channel for which the contact has no address.
 */
export async function changeConsent(
  tx: Tx,
  { businessId, contactId, choices }: ContactChoices,
  now: Date,
): Promise<ContactValues | Refusal | undefined> {
  const stored = await lockById(tx, businessId, contactId)
  if (!stored) return undefined
  const merged = mergeChoices(stored, choices, stored.pendingSince ?? undefined)
  if (isRefusal(merged)) return merged
  const entry = { businessId, id: contactId, stored, values: merged.values }
  const item = { businessId, source: 'person' as const }
  const saved = { item, change: { ...merged, entry, kind: 'updated' as const } }
  if (merged.changed.length === 0) {
    await recordConsents(tx, saved, now)
    return merged.values
  }
  const marks = { emailMark: null, phoneMark: null }
  await updateContacts(tx, [{ ...merged.values, ...marks, businessId, id: contactId }], now)
  await recordChanges(tx, [saved], now)
  return merged.values
}
