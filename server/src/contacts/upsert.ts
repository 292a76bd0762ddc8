import { ifVersionInput, refuseStale, versionOfNothing } from '../accounts/saves/stale-save.ts'
import { limits } from '../config.ts'
import { orThrow } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { type BusinessContext, isConnection, operation, type Principal } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import {
  type Contact,
  type ContactToSave,
  consentSubjects,
  personFields,
  readPerson,
  type SavedContact,
  textFields,
  versionOf,
} from './contact.ts'
import { findContact, lockByEmail, lockByExternalId, lockByPhone } from './rows.ts'
import { saveContacts } from './save.ts'

/**
 * A contact is identified by its email address, or its phone number, within one business. Calling
 * twice with the same input leaves the same row and sends no event the second time, so a client
 * that lost an answer can simply call again.
 */
export const contactUpsert = operation({
  name: 'contact.upsert',
  title: 'Save a contact',
  area: 'contacts',
  everyday: true,
  summary:
    "Create a contact, or change the one with this email (or, without one, this phone). Omitted fields stay. Consent needs its source; never claim any not given. Unsubscribed people stay unsubscribed unless you pass their consent text and a later at. Only pending consent sends mail. New contacts count against the tier's limit.",
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'PUT /v1/contacts',
  bodyBytes: limits.recordBytes,
  input: { ...personFields, if_version: ifVersionInput },
  seldom: ['external_id'],
  output: Type.Object({
    contact_id: Type.String(),
    created: Type.Boolean(),
    stayed_unsubscribed: Type.Optional(Type.Array(Type.Enum(consentSubjects))),
    still_suppressed: Type.Optional(Type.Array(Type.Enum(consentSubjects))),
    warnings: Type.Optional(Type.Array(Type.String())),
  }),

  async run(context, input) {
    const { batch, write, business, principal, now, origin, hmac, appUrl, isToolCall } = context
    const { if_version: ifVersion, ...personInput } = input
    const read = orThrow(readPerson(personInput))
    const { id: businessId, tier } = business
    const mustConfirm = isConnection(principal) && { mustConfirm: true as const }
    const common = { businessId, tier, source: 'api', origin, hmac } as const
    const person: ContactToSave = { ...read, ...common, ...mustConfirm }
    const saved =
      ifVersion === undefined
        ? await batch(saveContacts, person)
        : await write((tx) => saveFromVersion(tx, { person, ifVersion, principal, now }))
    const { id, change, stayedUnsubscribed, stillSuppressed, awaitsConfirmation } = saved
    const page = `${appUrl}/b/${formatId('business', businessId)}/contacts/${formatId('contact', id)}`
    const isAsked = awaitsConfirmation || read.consent?.email?.status === 'pending'
    const isUnasked = isAsked && isConnection(principal) && (await hasAskedEnough(context))
    const warnings = [
      ...(isUnasked ? [nobodyIsAsked] : []),
      ...(awaitsConfirmation && !isUnasked ? [awaitsTheirButton] : []),
      ...(stayedUnsubscribed && isToolCall ? [onlyThey(page)] : []),
      ...(stillSuppressed && isToolCall ? [liftedAt(page)] : []),
    ]
    return {
      contact_id: formatId('contact', id),
      created: change === 'created',
      ...(stayedUnsubscribed && { stayed_unsubscribed: stayedUnsubscribed }),
      ...(stillSuppressed && { still_suppressed: stillSuppressed }),
      ...(warnings.length > 0 && { warnings }),
    }
  },
})

const awaitsTheirButton =
  'consent.email: this person had unsubscribed, and a connected app cannot take that back. A mail asks them to confirm. Until they press its button they get no marketing, and the consent is `pending`, or that of the topics that they left stays `unsubscribed`.'

const nobodyIsAsked = `consent.email: this connection has asked more than ${limits.askedByConnectionPerDay} people in 24 hours to confirm. No mail goes to this person, now or later, and the consent stays \`pending\`. A form asks as many as fill it in; a person imports a list in the app.`

/** Whether the connection has asked as many people as it may in 24 hours, this one among them. */
async function hasAskedEnough({ db, business, origin, now }: BusinessContext): Promise<boolean> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*) as n from (
      select from confirmations
      where business_id = ${business.id} and connection_id = ${origin.connectionId}
        and (form_id is null or left_at is not null) and asked_at > ${later(now, -days(1))}
      limit ${limits.askedByConnectionPerDay + 1}
    ) asked
  `)
  return n > limits.askedByConnectionPerDay
}

const onlyThey = (page: string) =>
  `This person had unsubscribed, or marked an email as spam, and stays without marketing: only they can take that back, by a form that asks them to confirm. ${page} shows why.`

const liftedAt = (page: string) =>
  `The address of this person is suppressed, so nothing is sent there until a person lifts that at ${page}.`

interface VersionedSave {
  person: ContactToSave
  ifVersion: number
  principal: Principal
  now: Date
}

async function saveFromVersion(
  tx: Tx,
  { person, ifVersion, principal, now }: VersionedSave,
): Promise<SavedContact> {
  const stored = await lockContact(tx, person)
  if (!stored) throw versionOfNothing('contact')
  const stale = await refuseStale(tx, principal, {
    noun: 'contact',
    object: { businessId: person.businessId, objectId: stored.id },
    ifVersion,
    version: versionOf(stored),
    ...comparison(person, stored),
    fix: {
      tool: 'contact.get',
      arguments: { contact_id: formatId('contact', stored.id) },
    },
  })
  if (stale) throw stale
  const [saved] = await saveContacts.save(tx, [person], now)
  if (!saved) throw new Error('a contact that was saved has no outcome')
  return orThrow(saved)
}

/** The contact with the id, or if nobody has it, with the address, else with the phone number. */
async function lockContact(
  tx: Tx,
  { businessId, email, phone, external_id }: ContactToSave,
): Promise<Contact | undefined> {
  const [byExternalId] =
    external_id === undefined
      ? []
      : await lockByExternalId(tx, [{ businessId, address: external_id }])
  if (byExternalId) return findContact(tx, businessId, byExternalId.id)
  const [byEmail] =
    email === undefined ? [] : await lockByEmail(tx, [{ businessId, address: email }])
  const [byPhone] =
    byEmail || phone === undefined ? [] : await lockByPhone(tx, [{ businessId, address: phone }])
  const locked = byEmail ?? byPhone
  return locked && findContact(tx, businessId, locked.id)
}

/**
 * What the call gives, beside the same fields as they are stored. Consent is left out: each change
 * of it is kept with its evidence, so that none replaces another.
 */
function comparison(person: ContactToSave, stored: Contact) {
  const yours: Record<string, unknown> = {}
  const theirs: Record<string, unknown> = {}
  for (const field of ['email', 'phone', ...textFields] as const) {
    if (person[field] === undefined) continue
    yours[field] = person[field]
    theirs[field] = stored[field]
  }
  if (person.tags || person.removeTags) {
    const gone = new Set(person.removeTags)
    const remaining = stored.tags.filter((tag) => !gone.has(tag))
    yours['tags'] = [...new Set([...remaining, ...(person.tags ?? [])])]
    theirs['tags'] = [...stored.tags]
  }
  for (const [key, value] of Object.entries(person.attributes ?? {})) {
    yours[`attributes.${key}`] = value
    theirs[`attributes.${key}`] = stored.attributes[key] ?? null
  }
  return { yours, theirs }
}
