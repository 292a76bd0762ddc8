import { limits } from '../../config.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import { emitAll } from '../../events/emit.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import { ids, longTexts, sql, texts } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { days, later, minutes } from '../../lib/time/clock.ts'
import { contactIdInput, externalIdInput, isMoment, noSuchContact } from '../contact.ts'
import { groupByFault } from '../refused-rows.ts'
import { isOwnEventName, ownEventLimits, suggestOwnEventName } from './own-event.ts'
import { lastFollowed } from './revenue.ts'

const output = Type.Object({
  tracked: Type.Integer(),
  repeated: Type.Integer(),
  refused: Type.Integer(),
  refusals: Type.Array(
    Type.Object({
      code: Type.String(),
      field: Type.Optional(Type.String()),
      message: Type.String(),
      count: Type.Integer(),
      rows: Type.Array(Type.Integer()),
    }),
  ),
})

const { propertyKeyLength, propertyLength, value } = ownEventLimits

type Scalar = string | number | boolean

const eventSchema = Type.Object(
  {
    contact: Type.Object(
      {
        contact_id: Type.Optional(contactIdInput),
        email: Type.Optional(Type.String({ maxLength: 320 })),
        phone: Type.Optional(Type.String({ maxLength: 40 })),
        external_id: Type.Optional(externalIdInput),
      },
      { additionalProperties: false, description: 'One of them.' },
    ),
    event: Type.String({ minLength: 1, maxLength: ownEventLimits.nameLength }),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: ownEventLimits.idLength })),
    at: Type.Optional(Type.String({ maxLength: 40 })),
    value: Type.Optional(Type.Number({ minimum: -value, maximum: value })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    properties: Type.Optional(
      Type.Unsafe<Record<string, Scalar | readonly Readonly<Record<string, Scalar>>[]>>({
        type: 'object',
        maxProperties: ownEventLimits.properties,
        propertyNames: { type: 'string', minLength: 1, maxLength: propertyKeyLength },
        additionalProperties: {
          anyOf: [
            { type: 'string', maxLength: propertyLength },
            { type: 'number' },
            { type: 'boolean' },
            {
              type: 'array',
              maxItems: ownEventLimits.items,
              items: {
                type: 'object',
                maxProperties: ownEventLimits.itemProperties,
                propertyNames: { type: 'string', minLength: 1, maxLength: propertyKeyLength },
                additionalProperties: {
                  anyOf: [
                    { type: 'string', maxLength: propertyLength },
                    { type: 'number' },
                    { type: 'boolean' },
                  ],
                },
              },
            },
          ],
        },
      }),
    ),
  },
  { additionalProperties: false },
)
type EventInput = Static<typeof eventSchema>

export const contactTrack = operation({
  name: 'contact.track',
  title: 'Tell what contacts did',
  area: 'contacts',
  summary: `Report what contacts did in your shop or app, up to ${ownEventLimits.events} events a call: {"contact":{"email":"…"},"event":"order","id":"A-1","value":50,"currency":"EUR"}; at and properties as well. An event with an id counts once. Filters use them ({"did":"order"}), a campaign shows the value its links brought. Contacts must exist.`,
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/contacts/track',
  bodyBytes: limits.toolCallBytes,
  input: {
    events: Type.Array(
      // Checked one by one, so that one invalid event does not refuse all of them.
      Type.Unsafe<EventInput>({ type: 'object', additionalProperties: true }),
      { minItems: 1, maxItems: ownEventLimits.events },
    ),
  },
  entries: { events: eventSchema },
  output,
  run: (context, { events }) => context.write((tx) => trackAll(tx, context, events)),
})

async function trackAll(
  tx: Tx,
  context: BusinessContext,
  inputs: readonly EventInput[],
): Promise<Static<typeof output>> {
  const { business, now, origin } = context
  const read = inputs.map((input) => readEvent(input, now))
  const events = read.filter((entry): entry is NamedEvent => !isRefusal(entry))
  const contacts = await contactsOf(tx, business.id, events)
  const placed = read.map((entry) => (isRefusal(entry) ? entry : contacts(entry)))
  const rows = placed.filter((entry): entry is OwnEventRow => !isRefusal(entry))
  const call = {
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
    now,
  }
  const inserted = rows.length > 0 ? await insertOwnEvents(tx, business.id, rows, call) : []
  const fresh = new Set(inserted.map(({ id }) => id))
  const news = events.filter(({ id }) => fresh.has(id))
  const whose = new Map(rows.map(({ id, contactId }) => [id, contactId]))
  await emitAll(
    tx,
    news.flatMap((entry) => {
      const contactId = whose.get(entry.id)
      return contactId ? [announcement(context, entry, contactId)] : []
    }),
    now,
  )
  const refused = placed.flatMap((entry, row) => (isRefusal(entry) ? [rowOf(entry, row)] : []))
  return {
    tracked: inserted.length,
    repeated: rows.length - inserted.length,
    refused: refused.length,
    refusals: groupByFault(refused),
  }
}

/** Finds the contact of each event, or returns the refusal that there is none. */
async function contactsOf(tx: Tx, businessId: Id<'business'>, events: readonly NamedEvent[]) {
  const contacts = events.map(({ contact }) => contact)
  const once = <T>(values: readonly T[]) => [...new Set(values)]
  const found = await lockContacts(tx, businessId, {
    ids: once(contacts.flatMap((entry) => ('id' in entry ? [entry.id] : []))),
    emails: once(contacts.flatMap((entry) => ('email' in entry ? [entry.email] : []))),
    phones: once(contacts.flatMap((entry) => ('phone' in entry ? [entry.phone] : []))),
    externalIds: once(
      contacts.flatMap((entry) => ('externalId' in entry ? [entry.externalId] : [])),
    ),
  })
  const by = (spelt: (contact: FoundContact) => string | null) =>
    new Map(found.map((entry) => [spelt(entry), entry.id]))
  const [byId, byEmail, byPhone, byExternalId] = [
    by(({ id }) => id),
    by(({ email }) => email),
    by(({ phone }) => phone),
    by(({ external_id }) => external_id),
  ]
  return (event: NamedEvent): OwnEventRow | Refusal => {
    const { contact, input: _, ...row } = event
    const contactId =
      'id' in contact
        ? byId.get(contact.id)
        : 'email' in contact
          ? byEmail.get(contact.email)
          : 'phone' in contact
            ? byPhone.get(contact.phone)
            : byExternalId.get(contact.externalId)
    return contactId ? { ...row, contactId } : unknownContact()
  }
}

function unknownContact(): Refusal {
  const text = 'The business has no such contact: save it first (contact.upsert).'
  return refuse('not_found', text, { field: 'contact' })
}

function rowOf({ code, message, details: { field } }: Refusal, row: number) {
  return { row, outcome: 'refused', code, message, ...(field !== undefined && { field }) }
}

function announcement(
  { business, origin }: BusinessContext,
  { id, input, name, at, value, currency }: NamedEvent,
  contactId: Id<'contact'>,
) {
  return {
    businessId: business.id,
    type: 'contact.event' as const,
    origin,
    data: {
      contact_id: formatId('contact', contactId),
      event: name,
      event_id: input.id ?? formatId('activity', id),
      at: at.toISOString(),
      value,
      currency,
      properties: input.properties ?? {},
    },
  }
}

const fault = schemaCheck(eventSchema, 'the event')

/** An event with the contact as the caller named it, before the contact is looked up. */
interface NamedEvent extends Omit<OwnEventRow, 'contactId'> {
  contact: { id: Id<'contact'> } | { email: string } | { phone: string } | { externalId: string }
  /** The caller's input, for a refusal. */
  input: EventInput
}

function readEvent(input: EventInput, now: Date): NamedEvent | Refusal {
  const refusal = fault(input)
  if (refusal) return refusal
  const contact = readContactReference(input.contact)
  if (isRefusal(contact)) return contact
  if (!isOwnEventName(input.event)) return refuseName(input.event)
  const at = input.at === undefined ? now : readMoment(input.at, now)
  if (isRefusal(at)) return at
  if (input.currency !== undefined && input.value === undefined) {
    const text = 'value is missing: a currency needs a value.'
    return refuse('invalid_request', text, { field: 'value' })
  }
  const id = newId('activity')
  return {
    contact,
    input,
    id,
    key: sha256(input.id === undefined ? `own ${id}` : `id ${input.id}`),
    name: input.event,
    at,
    value: input.value ?? null,
    currency: input.currency ?? null,
    properties: JSON.stringify(input.properties ?? {}),
  }
}

function readContactReference({
  contact_id,
  email,
  phone,
  external_id,
}: EventInput['contact']): NamedEvent['contact'] | Refusal {
  const references = [contact_id, email, phone, external_id].filter((entry) => entry !== undefined)
  if (references.length !== 1) {
    const text = 'contact must have exactly one of contact_id, email, phone and external_id.'
    return refuse('invalid_request', text, { field: 'contact' })
  }
  if (contact_id !== undefined) {
    const id = parseId('contact', contact_id)
    return id ? { id } : noSuchContact(contact_id, 'contact.contact_id')
  }
  if (email !== undefined) {
    const address = normaliseEmail(email)
    return isRefusal(address) ? within(address) : { email: address }
  }
  if (external_id !== undefined) return { externalId: external_id }
  const number = normalisePhone(phone ?? '')
  return isRefusal(number) ? within(number) : { phone: number }
}

const within = ({ code, message, details }: Refusal) =>
  refuse(code, `contact.${message}`, { ...details, field: `contact.${details.field}` })

function refuseName(event: string): Refusal {
  const text =
    'event must be a name of lower-case letters, digits, _ and -, such as order; not sent, delivered, opened, clicked, bounced, replied or submitted, which the service sees by itself.'
  const name = suggestOwnEventName(event)
  return refuse('invalid_request', text, { field: 'event', ...(name && { data: { name } }) })
}

function readMoment(written: string, now: Date): Date | Refusal {
  if (!isMoment(written)) {
    const text = 'at must be a moment with its offset (RFC 3339), such as 2026-11-02T09:00:00Z.'
    return refuse('invalid_request', text, { field: 'at' })
  }
  const at = new Date(written)
  const { minutesAhead, days: maxDays } = ownEventLimits
  if (at > later(now, minutes(minutesAhead))) {
    const text = `at is more than ${minutesAhead} minutes in the future: it must be the time at which the event happened.`
    return refuse('invalid_request', text, { field: 'at' })
  }
  if (at >= later(now, -days(maxDays))) return at
  return refuse('invalid_request', 'at is more than ten years ago.', { field: 'at' })
}

interface NamedContacts {
  ids: readonly Id<'contact'>[]
  /** Normalised, as contacts store them. */
  emails: readonly string[]
  phones: readonly string[]
  externalIds: readonly string[]
}

interface FoundContact {
  id: Id<'contact'>
  email: string | null
  phone: string | null
  external_id: string | null
}

/** Finds the named contacts and locks them, so that none is deleted or merged in the meantime. */
function lockContacts(
  tx: Tx,
  businessId: Id<'business'>,
  contacts: NamedContacts,
): Promise<FoundContact[]> {
  return tx.all(sql`
    select c.id, c.email, c.phone, c.external_id from contacts c
    where c.business_id = ${businessId} and c.id in (
      select id from contacts where business_id = ${businessId} and id = any (${contacts.ids}::uuid[])
      union all
      select id from contacts
      where business_id = ${businessId} and email = any (${contacts.emails}::text[])
      union all
      select id from contacts
      where business_id = ${businessId} and phone = any (${contacts.phones}::text[])
      union all
      select id from contacts
      where business_id = ${businessId} and external_id = any (${contacts.externalIds}::text[])
    )
    order by c.id
    for key share
  `)
}

interface OwnEventRow {
  key: Buffer
  id: Id<'activity'>
  contactId: Id<'contact'>
  name: string
  at: Date
  value: number | null
  currency: string | null
  /** JSON text. */
  properties: string
}

interface EventSource {
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  now: Date
}

/** Inserts events and returns the ids of the new ones: an event with a known key is ignored. */
async function insertOwnEvents(
  tx: Tx,
  businessId: Id<'business'>,
  rows: readonly OwnEventRow[],
  { connectionId, callId, now }: EventSource,
): Promise<{ id: Id<'activity'> }[]> {
  const mails = await lastFollowed(
    tx,
    businessId,
    rows.filter(({ value }) => value !== null),
  )
  return tx.all(sql`
    insert into own_events (business_id, key, id, contact_id, name, happened_at, value, currency,
      properties, campaign_id, sequence_id, connection_id, call_id, created_at)
    select ${businessId}, key, id, contact_id, name, at, value, currency, properties::json,
      campaign_id, sequence_id, ${connectionId}, ${callId}, ${now}
    from unnest(
      ${rows.map((row) => row.key)}::bytea[],
      ${ids(rows.map((row) => row.id))}::uuid[],
      ${ids(rows.map((row) => row.contactId))}::uuid[],
      ${texts(rows.map((row) => row.name))}::text[],
      ${rows.map((row) => row.at)}::timestamptz[],
      ${rows.map((row) => row.value)}::numeric[],
      ${texts(rows.map((row) => row.currency))}::text[],
      ${longTexts(rows.map((row) => row.properties))}::text[],
      ${ids(rows.map(({ id }) => mails.get(id)?.campaignId ?? null))}::uuid[],
      ${ids(rows.map(({ id }) => mails.get(id)?.sequenceId ?? null))}::uuid[]
    ) as new (key, id, contact_id, name, at, value, currency, properties, campaign_id, sequence_id)
    on conflict do nothing
    returning id
  `)
}
