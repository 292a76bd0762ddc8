/**
 * Deletes people nobody wrote to or heard from. An opt-out is remembered: the hash of the address
 * is suppressed as `unsubscribed`, so that no import brings them back.
 */
import type { Batch, RetainedData } from '../../accounts/businesses/retention.ts'
import { type Id, lowestIdAt } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import { lockStandingCounters, release } from '../../usage/reserve.ts'
import { channels } from '../contact.ts'
import { announceErased } from '../erasure/announce-erased.ts'
import { endContacts } from '../erasure/end-contacts.ts'
import { forgetJob, type ToForget } from '../erasure/forget.ts'
import { deleteHistory, idsMergedInto, insertGone } from '../erasure/former-queries.ts'
import { type NewSuppression, suppress } from '../suppressions/suppression.ts'
import { countSilent, lockSilent, type SilentContact } from './contact-queries.ts'

export const retainedContacts: RetainedData = {
  kind: 'contacts',

  count: (db, { businessId, before }, most) =>
    countSilent(db, { businessId, before, below: lowestIdAt('contact', before), most }),

  async deleteSome(tx, batch, now) {
    const { businessId, before, after, size } = batch
    // The lock prevents a new contact from getting an address that is about to become free.
    await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
    const below = lowestIdAt('contact', before)
    const { silent, last, looked } = await lockSilent(tx, {
      businessId,
      before,
      below,
      after,
      size,
    })
    if (silent.length > 0) await end(tx, batch, { silent, now })
    return { count: silent.length, next: looked < size ? null : last }
  },
}

async function end(
  tx: Tx,
  { businessId, hmac, before }: Batch,
  { silent, now }: { silent: readonly SilentContact[]; now: Date },
): Promise<void> {
  await suppress(tx, hmac, silent.flatMap(rememberedNo(businessId)), now)
  const ids = silent.map(({ id }) => id)
  const contactIds = [...ids, ...(await idsMergedInto(tx, businessId, ids))]
  await deleteHistory(tx, businessId, contactIds)
  const amount = await endContacts(tx, businessId, ids)
  await insertGone(tx, businessId, ids, now)
  await announceErased(tx, { businessId, ids, reason: 'retention' }, now)
  await release(tx, [{ businessId, metric: 'contacts', amount }], now)
  // Without addresses: whoever signs up anew meanwhile is not meant.
  const silentSince = before.toISOString()
  const payload: ToForget = { businessId, contactIds, addresses: [], silentSince }
  // In a lane of its own, behind which no person waits who was erased.
  const lane = `retention ${businessId}`
  await enqueue(tx, [{ kind: forgetJob, lane, payload, priority: 'bulk' }], now)
}

/** An opt-out from a topic is remembered for the channel, because no topic can be stored for it. */
const rememberedNo =
  (businessId: Id<'business'>) =>
  (contact: SilentContact): NewSuppression[] =>
    channels.flatMap((channel) => {
      const address = channel === 'email' ? contact.email : contact.phone
      const said = [contact.consent[channel], ...Object.values(contact.topics[channel] ?? {})]
      if (address === null || !said.includes('unsubscribed')) return []
      return [{ businessId, channel, address, reason: 'unsubscribed', source: 'retention' }]
    })
