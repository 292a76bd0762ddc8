import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import { lockStandingCounters, release } from '../../usage/reserve.ts'
import type { StoredContact } from '../rows.ts'
import { announceErased } from './announce-erased.ts'
import { endContacts } from './end-contacts.ts'
import { forgetJob } from './forget.ts'
import { deleteHistory, idsMergedInto, insertGone } from './former-queries.ts'
import type { ErasedPerson } from './personal-data.ts'

/** Deletes a person who never confirmed. No hash is stored, so they may sign up again. */
export async function deleteUnconfirmed(
  tx: Tx,
  { businessId, id }: Pick<StoredContact, 'businessId' | 'id'>,
  now: Date,
): Promise<void> {
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const contactIds: Id<'contact'>[] = [id, ...(await idsMergedInto(tx, businessId, [id]))]
  await deleteHistory(tx, businessId, contactIds)
  await endContacts(tx, businessId, [id])
  await insertGone(tx, businessId, [id], now)
  await announceErased(tx, { businessId, ids: [id], reason: 'unconfirmed' }, now)
  await release(tx, [{ businessId, metric: 'contacts', amount: 1 }], now)
  // Addresses are left out, so that a new sign-up with the same address is not erased.
  const payload: ErasedPerson = { businessId, contactIds, addresses: [] }
  await enqueue(tx, [{ kind: forgetJob, lane: businessId, payload }], now)
}
