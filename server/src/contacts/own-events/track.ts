import { limits } from '../../config.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { emitAll } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { ownEventLimits } from '../model/own-event.ts'
import { groupByFault } from '../refused-rows.ts'
import { type EventInput, type NamedEvent, readEvent } from './event-input.ts'
import { type FoundContact, insertOwnEvents, lockContacts, type OwnEventRow } from './queries.ts'

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

export const contactTrack = operation({
  name: 'contact.track',
  title: 'Tell what contacts did',
  summary: `Tell what your shop or app knows of contacts, up to ${ownEventLimits.events} events a call: {"contact":{"email":"…"},"event":"order","id":"A-1","value":50,"currency":"EUR"}; at and properties as well. An event with an id is taken once. Filters ask for them ({"did":"order"}), a campaign shows the value its links brought. Contacts must exist.`,
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
  const named = read.filter((entry): entry is NamedEvent => !isRefusal(entry))
  const contacts = await contactsOf(tx, business.id, named)
  const placed = read.map((entry) => (isRefusal(entry) ? entry : contacts(entry)))
  const rows = placed.filter((entry): entry is OwnEventRow => !isRefusal(entry))
  const told = {
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
    now,
  }
  const written = rows.length > 0 ? await insertOwnEvents(tx, business.id, rows, told) : []
  const fresh = new Set(written.map(({ id }) => id))
  const news = named.filter(({ id }) => fresh.has(id))
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
    tracked: written.length,
    repeated: rows.length - written.length,
    refused: refused.length,
    refusals: groupByFault(refused),
  }
}

/** Finds the contact of each event, or returns the refusal that there is none. */
async function contactsOf(tx: Tx, businessId: Id<'business'>, named: readonly NamedEvent[]) {
  const contacts = named.map(({ contact }) => contact)
  const once = <T>(values: readonly T[]) => [...new Set(values)]
  const found = await lockContacts(tx, businessId, {
    ids: once(contacts.flatMap((entry) => ('id' in entry ? [entry.id] : []))),
    emails: once(contacts.flatMap((entry) => ('email' in entry ? [entry.email] : []))),
    phones: once(contacts.flatMap((entry) => ('phone' in entry ? [entry.phone] : []))),
  })
  const by = (spelt: (one: FoundContact) => string | null) =>
    new Map(found.map((entry) => [spelt(entry), entry.id]))
  const [byId, byEmail, byPhone] = [
    by(({ id }) => id),
    by(({ email }) => email),
    by(({ phone }) => phone),
  ]
  return (event: NamedEvent): OwnEventRow | Refusal => {
    const { contact, input: _, ...row } = event
    const contactId =
      'id' in contact
        ? byId.get(contact.id)
        : 'email' in contact
          ? byEmail.get(contact.email)
          : byPhone.get(contact.phone)
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
