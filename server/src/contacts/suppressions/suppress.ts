import { orThrow, refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { type Hmac, operation } from '../../core/operation.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { Type } from '../../lib/schema/schema.ts'
import { channels, contactIdInput, noSuchContact } from '../contact.ts'
import { readContact } from '../find.ts'
import { recordActivity } from '../timeline/activity.ts'
import {
  deleteHashed,
  markOf,
  type NewSuppression,
  type SuppressionReason,
  sha256Of,
  suppress,
  suppressionsOf,
} from './suppression.ts'

export const contactSuppress = operation({
  name: 'contact.suppress',
  title: 'Suppress a person',
  area: 'contacts',
  everyday: true,
  summary:
    'Stop all sending to a contact, or to an address, transactional too. No tool can undo it.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/contacts/suppress',
  input: {
    contact_id: Type.Optional(contactIdInput),
    email: Type.Optional(Type.String({ maxLength: 254 })),
    phone: Type.Optional(Type.String({ maxLength: 40 })),
  },
  output: Type.Object({
    contact_id: Type.Optional(Type.String()),
    suppressed: Type.Array(
      Type.Object({
        channel: Type.Enum(channels),
        reason: Type.String(),
        since: Type.String({ description: 'ISO 8601, UTC.' }),
      }),
    ),
  }),

  async run({ db, business, hmac, now, origin, write }, input) {
    const person = await personOf(db, business.id, input)
    const { contactId } = person
    return write(async (tx) => {
      await suppressPerson(tx, hmac, { ...person, businessId: business.id, reason: 'manual' }, now)
      const activity = { businessId: business.id, type: 'contact.suppressed', details: {}, origin }
      if (contactId) await recordActivity(tx, [{ ...activity, contactId }], now)
      const all = await suppressionsOf(tx, hmac, business.id, person)
      const suppressed = all.map(({ channel, reason, createdAt }) => {
        return { channel, reason, since: createdAt.toISOString() }
      })
      return { ...(contactId && { contact_id: formatId('contact', contactId) }), suppressed }
    })
  },
})

interface PersonToSuppress {
  contactId?: Id<'contact'>
  email: string | null
  phone: string | null
}

/** Accepts either a contact or an address: both together might belong to two people. */
async function personOf(
  db: Db,
  businessId: Id<'business'>,
  { contact_id, email, phone }: { contact_id?: string; email?: string; phone?: string },
): Promise<PersonToSuppress> {
  const references = Object.entries({ contact_id, email, phone }).filter(
    ([, value]) => value !== undefined,
  )
  if (references.length !== 1) {
    const text = 'Give exactly one of contact_id, email and phone.'
    throw refuse('invalid_request', text, {
      field: references[1]?.[0] ?? 'contact_id',
      data: { reason: 'one_of' },
    })
  }
  if (contact_id !== undefined) {
    const id = parseId('contact', contact_id)
    const contact = id && (await readContact(db, businessId, id))
    if (!contact) throw noSuchContact(contact_id)
    return { contactId: contact.id, email: contact.email, phone: contact.phone }
  }
  if (email !== undefined) {
    const address = orThrow(normaliseEmail(email))
    return { email: address, phone: null }
  }
  const number = orThrow(normalisePhone(phone ?? ''))
  return { email: null, phone: number }
}

interface Addressed {
  businessId: Id<'business'>
  email: string | null
  phone: string | null
  reason: SuppressionReason
}

/**
 * Suppresses all addresses of a person at the caller's request. For an erased person, the plain
 * SHA-256 hashes are deleted, because anybody could compute them.
 */
export async function suppressPerson(
  tx: Tx,
  hmac: Hmac,
  { businessId, email, phone, reason }: Addressed,
  now: Date,
): Promise<void> {
  const shared = {
    businessId,
    reason,
    source: `contact.${reason === 'erased' ? 'erase' : 'suppress'}`,
  }
  const all: NewSuppression[] = []
  if (email !== null) all.push({ ...shared, channel: 'email', address: email })
  if (phone !== null) all.push({ ...shared, channel: 'sms', address: phone })
  await suppress(tx, hmac, all, now)
  if (reason !== 'erased') return
  for (const { address } of all) {
    const mark = markOf(hmac, businessId, address)
    await deleteHashed(tx, businessId, { sha256: sha256Of(address), mark })
  }
}
