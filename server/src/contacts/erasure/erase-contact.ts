/** Ends a contact for good: at once what is its own, by a job what other domains hold. */

import type { Refusal } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Hmac, Origin } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import { lockStandingCounters, release } from '../../usage/reserve.ts'
import { noSuchContact } from '../model/view.ts'
import { lockById } from '../saving/queries.ts'
import { suppressPerson } from '../suppression/suppress-person.ts'
import { endContacts } from './end-contacts.ts'
import { forgetJob } from './forget.ts'
import { deleteHistory, findFormer, idsMergedInto, insertFormer } from './former-queries.ts'
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
  // Nobody takes an address meanwhile that is about to be an erased person's.
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const contact = await lockById(tx, businessId, id)
  if (!contact) {
    const former = await findFormer(tx, businessId, id)
    // Erasing again is no fault; one that became part of another is erased with that one.
    return former?.became === null ? undefined : noSuchContact(formatId('contact', id))
  }
  await suppressPerson(tx, hmac, { ...contact, businessId, reason: 'erased' }, now)
  const contactIds = [id, ...(await idsMergedInto(tx, businessId, id))]
  await deleteHistory(tx, businessId, contactIds)
  await endContacts(tx, businessId, [id])
  await insertFormer(tx, { businessId, id, became: null }, now)
  await release(tx, [{ businessId, metric: 'contacts', amount: 1 }], now)
  const subject = formatId('contact', id)
  await recordAudit(
    tx,
    [{ businessId, action: 'contact.erase', subject, ...(origin && { origin }) }],
    now,
  )
  const addresses = [contact.email, contact.phone].filter((one) => one !== null)
  const payload: ErasedPerson = { businessId, contactIds, addresses }
  await enqueue(tx, [{ kind: forgetJob, lane: businessId, payload }], now)
  return undefined
}
