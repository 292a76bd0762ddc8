import type { Refusal } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import { Type } from '../../lib/schema/schema.ts'
import { lockStandingCounters, release } from '../../usage/reserve.ts'
import { endContacts } from '../erasure/end-contacts.ts'
import { forgetJob } from '../erasure/forget.ts'
import {
  deleteHistory,
  findFormer,
  idsMergedInto,
  insertFormer,
} from '../erasure/former-queries.ts'
import type { ErasedPerson } from '../erasure/personal-data.ts'
import { contactIdInput, noSuchContact } from '../model/view.ts'
import { lockById } from '../saving/queries.ts'
import { suppressPerson } from '../suppression/suppress-person.ts'

export const contactErase = operation({
  name: 'contact.erase',
  title: 'Erase a contact',
  summary:
    'Erase a person for good, answers and messages too; a hash keeps the person out. Confirm first.',
  reach: 'business',
  scope: 'audience:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/contacts/:contact_id',
  input: { contact_id: contactIdInput },
  output: Type.Object({ contact_id: Type.String(), erased: Type.Boolean() }),

  async run(context, { contact_id }) {
    const id = parseId('contact', contact_id)
    if (!id) return noSuchContact(contact_id)
    return context.write(async (tx) => {
      const refused = await erase(tx, context, id)
      return refused ?? { contact_id, erased: true }
    })
  },
})

async function erase(
  tx: Tx,
  { business, hmac, now, origin }: BusinessContext,
  id: Id<'contact'>,
): Promise<Refusal | undefined> {
  const businessId = business.id
  // Lock the counter, so that nobody can take an address that is about to be erased.
  await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
  const contact = await lockById(tx, businessId, id)
  if (!contact) {
    const former = await findFormer(tx, businessId, id)
    // Erasing again is fine. A contact that was merged into another one is erased with that one.
    return former?.became === null ? undefined : noSuchContact(formatId('contact', id))
  }
  await suppressPerson(tx, hmac, { ...contact, businessId, reason: 'erased' }, now)
  const contactIds = [id, ...(await idsMergedInto(tx, businessId, id))]
  await deleteHistory(tx, businessId, contactIds)
  await endContacts(tx, businessId, [id])
  await insertFormer(tx, { businessId, id, became: null }, now)
  await release(tx, [{ businessId, metric: 'contacts', amount: 1 }], now)
  const subject = formatId('contact', id)
  await recordAudit(tx, [{ businessId, action: 'contact.erase', subject, origin }], now)
  const addresses = [contact.email, contact.phone].filter((one) => one !== null)
  const payload: ErasedPerson = { businessId, contactIds, addresses }
  await enqueue(tx, [{ kind: forgetJob, lane: businessId, payload }], now)
  return undefined
}
