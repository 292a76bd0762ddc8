/** Erases a contact: its own data at once, and the data in other domains by a job. */

import type { Refusal } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Hmac, Origin } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import { lockStandingCounters, release } from '../../usage/reserve.ts'
import { noSuchContact } from '../contact.ts'
import { lockById } from '../rows.ts'
import { suppressPerson } from '../suppressions/suppress.ts'
import { announceErased } from './announce-erased.ts'
import { endContacts } from './end-contacts.ts'
import { forgetJob } from './forget.ts'
import { deleteHistory, findFormer, idsMergedInto, insertGone } from './former-queries.ts'
import type { ErasedPerson } from './personal-data.ts'

export interface ToErase {
  businessId: Id<'business'>
  id: Id<'contact'>
  origin?: Origin
}

export async function eraseContact(
  tx: Tx,
  hmac: Hmac,
  { businessId, id, origin }: ToErase,
  now: Date,
): Promise<Refusal | undefined> {
  // The lock prevents a new contact from getting the address before the erasure commits.
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const contact = await lockById(tx, businessId, id)
  if (!contact) {
    const former = await findFormer(tx, businessId, id)
    // Erasing again succeeds. A merged contact is erased with the contact that it became.
    return former?.became === null ? undefined : noSuchContact(formatId('contact', id))
  }
  await suppressPerson(tx, hmac, { ...contact, businessId, reason: 'erased' }, now)
  const contactIds = [id, ...(await idsMergedInto(tx, businessId, [id]))]
  await deleteHistory(tx, businessId, contactIds)
  await endContacts(tx, businessId, [id])
  await insertGone(tx, businessId, [id], now)
  await release(tx, [{ businessId, metric: 'contacts', amount: 1 }], now)
  const subject = formatId('contact', id)
  await recordAudit(
    tx,
    [{ businessId, action: 'contact.erase', subject, ...(origin && { origin }) }],
    now,
  )
  await announceErased(tx, { businessId, ids: [id], reason: 'requested', origin }, now)
  const addresses = [contact.email, contact.phone].filter((text) => text !== null)
  const payload: ErasedPerson = { businessId, contactIds, addresses }
  await enqueue(tx, [{ kind: forgetJob, lane: businessId, payload }], now)
  return undefined
}
