import { limits } from '../../config.ts'
import { isRefusal } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { consentSubjects } from '../model/contact.ts'
import { personFields, readPerson } from '../model/person.ts'
import { saveContacts } from '../saving/save.ts'

/**
 * A contact is identified by its email address, or its phone number, within one business. Calling
 * twice with the same input leaves the same row and sends no event the second time, so a client
 * that lost an answer can simply call again.
 */
export const contactUpsert = operation({
  name: 'contact.upsert',
  title: 'Save a contact',
  summary:
    'Create a contact, or change the one with this email address (or, without one, this phone number). What you leave out stays. Consent needs its source; never claim consent that was not given. Who left stays so without their words (text) and a later at. Sends nothing but the mail of consent pending. A new contact counts against the limit of the tier.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'PUT /v1/contacts',
  bodyBytes: limits.recordBytes,
  input: personFields,
  output: Type.Object({
    contact_id: Type.String(),
    created: Type.Boolean(),
    stayed_unsubscribed: Type.Optional(Type.Array(Type.Enum(consentSubjects))),
    still_suppressed: Type.Optional(Type.Array(Type.Enum(consentSubjects))),
  }),

  async run({ batch, business, origin, hmac }, input) {
    const person = readPerson(input)
    if (isRefusal(person)) return person
    const saved = await batch(saveContacts, {
      ...person,
      businessId: business.id,
      tier: business.tier,
      source: 'api',
      origin,
      hmac,
    })
    if (isRefusal(saved)) return saved
    const { id, change, stayedUnsubscribed, stillSuppressed } = saved
    return {
      contact_id: formatId('contact', id),
      created: change === 'created',
      ...(stayedUnsubscribed && { stayed_unsubscribed: stayedUnsubscribed }),
      ...(stillSuppressed && { still_suppressed: stillSuppressed }),
    }
  },
})
