import { parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { contactIdInput, noSuchContact } from './contact.ts'
import { eraseContact } from './erasure/erase-contact.ts'

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
      const { business, hmac, now, origin } = context
      const refused = await eraseContact(tx, hmac, { businessId: business.id, id, origin }, now)
      return refused ?? { contact_id, erased: true }
    })
  },
})
