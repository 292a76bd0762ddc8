import { operation } from '../core/operation.ts'
import { pageInput } from '../core/paging.ts'
import { externalIdInput, noSuchContact } from './contact.ts'
import { wholeContact, wholeViewOf } from './get.ts'
import { findContactBy } from './rows.ts'

export const contactGetByExternalId = operation({
  name: 'contact.get_by_external_id',
  title: 'Look at a contact by your own id',
  area: 'contacts',
  summary: 'The contact with this external_id, as contact.get shows it. Its case matters.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/contacts/by-external-id/:external_id',
  input: { external_id: externalIdInput, ...pageInput },
  output: wholeContact,

  async run(context, { external_id, ...paging }) {
    const { db, business } = context
    const contact = await findContactBy(db, business.id, { external_id })
    if (!contact) throw noSuchContact(external_id, 'external_id')
    return wholeViewOf(context, contact, paging)
  },
})
