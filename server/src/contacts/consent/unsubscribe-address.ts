/** Applies a person's no that did not come to us: a report says that they unsubscribed elsewhere. */

import { isRefusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { ConsentGiven } from '../contact.ts'
import { readCurrentContact } from '../find.ts'
import { findByEmail } from '../rows.ts'
import { suppress, suppressionsOf } from '../suppressions/suppression.ts'
import { changeConsent } from './change-consent.ts'

export interface Unsubscription {
  businessId: Id<'business'>
  /** The contact that the mail was for, which may have been merged or erased since. */
  contactId: Id<'contact'> | null
  /** The normalised address that the mail went to. */
  email: string
  /** Where the person said so, for the consent ledger. */
  evidence: Pick<ConsentGiven, 'source' | 'text' | 'at'>
}

/**
 * Ends the consent to email of the contact that the mail was for, and of the one that has its
 * address. An address of no contact is suppressed for marketing, so that a later import keeps the
 * no. Returns whether anything changed.
 */
export async function unsubscribeAddress(
  tx: Tx,
  hmac: Hmac,
  { businessId, contactId, email, evidence }: Unsubscription,
  now: Date,
): Promise<boolean> {
  const addressee = contactId && (await readCurrentContact(tx, businessId, contactId))
  const owner = addressee?.email === email ? addressee : await findByEmail(tx, businessId, email)
  const ids = new Set([addressee?.id, owner?.id].flatMap((id) => (id ? [id] : [])))
  let changed = false
  for (const id of [...ids].toSorted()) {
    const before = await readCurrentContact(tx, businessId, id)
    const choice = { channel: 'email' as const, status: 'unsubscribed' as const, ...evidence }
    const values = await changeConsent(tx, { businessId, contactId: id, choices: [choice] }, now)
    // A contact without an email address gets no mail.
    if (!values || isRefusal(values)) continue
    changed ||= before?.consent.email !== values.consent.email
  }
  if (owner) return changed
  const listed = await suppressionsOf(tx, hmac, businessId, { email, phone: null })
  const { source } = evidence
  const row = { businessId, channel: 'email', address: email, reason: 'unsubscribed' } as const
  await suppress(tx, hmac, [{ ...row, source }], now)
  return changed || listed.length === 0
}
