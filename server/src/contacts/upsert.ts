import { ifVersionInput } from '../accounts/saves/stale-save.ts'
import { limits } from '../config.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { isConnection, operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { type ContactToSave, consentSubjects } from './contact.ts'
import { personFields, readPerson } from './model/person.ts'
import { saveContacts } from './save.ts'

/**
 * A contact is identified by its email address, or its phone number, within one business. Calling
 * twice with the same input leaves the same row and sends no event the second time, so a client
 * that lost an answer can simply call again.
 */
export const contactUpsert = operation({
  name: 'contact.upsert',
  title: 'Save a contact',
  summary:
    "Create a contact, or change the one with this email (or, without one, this phone). What you leave out stays. Consent needs its source; never claim any that was not given. Who left stays so without their words (text) and a later at. Sends nothing but the mail of consent pending. A new contact counts against the tier's limit.",
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'PUT /v1/contacts',
  bodyBytes: limits.recordBytes,
  input: { ...personFields, if_version: ifVersionInput },
  output: Type.Object({
    contact_id: Type.String(),
    created: Type.Boolean(),
    stayed_unsubscribed: Type.Optional(Type.Array(Type.Enum(consentSubjects))),
    still_suppressed: Type.Optional(Type.Array(Type.Enum(consentSubjects))),
    warnings: Type.Optional(Type.Array(Type.String())),
  }),

  async run({ batch, write, business, principal, now, origin, hmac }, input) {
    const { if_version: ifVersion, ...given } = input
    const read = readPerson(given)
    if (isRefusal(read)) return read
    const { id: businessId, tier } = business
    const mustConfirm = isConnection(principal) && { mustConfirm: true as const }
    const common = { businessId, tier, source: 'api', origin, hmac } as const
    const person: ContactToSave = { ...read, ...common, ...mustConfirm }
    const saved =
      ifVersion === undefined
        ? await batch(saveContacts, person)
        : await (await import('./saving/versioned-save.ts')).saveVersioned(write, {
            person,
            ifVersion,
            principal,
            now,
          })
    if (isRefusal(saved)) return saved
    const { id, change, stayedUnsubscribed, stillSuppressed, awaitsConfirmation } = saved
    return {
      contact_id: formatId('contact', id),
      created: change === 'created',
      ...(stayedUnsubscribed && { stayed_unsubscribed: stayedUnsubscribed }),
      ...(stillSuppressed && { still_suppressed: stillSuppressed }),
      ...(awaitsConfirmation && { warnings: [awaitsTheirButton] }),
    }
  },
})

const awaitsTheirButton =
  'consent.email: this person had unsubscribed, and a connected app cannot take that back. A mail asks them to confirm. Until they press its button they get no marketing, and the consent is `pending`, or that of the topics that they left stays `unsubscribed`.'
