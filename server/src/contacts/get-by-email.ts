import { orThrow } from '../core/errors.ts'
import { operation } from '../core/operation.ts'
import { pageInput } from '../core/paging.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { Type } from '../lib/schema/schema.ts'
import { noSuchContact } from './contact.ts'
import { wholeContact, wholeViewOf } from './get.ts'
import { findContactBy } from './rows.ts'

export const contactGetByEmail = operation({
  name: 'contact.get_by_email',
  title: 'Look at a contact by its email address',
  area: 'contacts',
  summary: 'The contact with this email address, as contact.get shows it.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/contacts/by-email/:email',
  input: {
    email: Type.String({ minLength: 1, maxLength: 320 }),
    ...pageInput,
  },
  output: wholeContact,

  async run(context, { email: address, ...paging }) {
    const { db, business } = context
    const email = orThrow(normaliseEmail(address))
    const contact = await findContactBy(db, business.id, { email })
    if (!contact) throw noSuchContact(email, 'email')
    return wholeViewOf(context, contact, paging)
  },
})
