/** An event as callers write one: the schema, and the normalised spelling of each value. */
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { type Id, newId, parseId } from '../../core/ids.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { days, later, minutes } from '../../lib/time/clock.ts'
import { contactIdInput, noSuchContact } from '../contact.ts'
import { isMoment } from '../filters/times.ts'
import { isOwnEventName, ownEventLimits, suggestOwnEventName } from '../model/own-event.ts'
import type { OwnEventRow } from './queries.ts'

const { propertyKeyLength, propertyLength, value } = ownEventLimits

export const eventSchema = Type.Object(
  {
    contact: Type.Object(
      {
        contact_id: Type.Optional(contactIdInput),
        email: Type.Optional(Type.String({ maxLength: 320 })),
        phone: Type.Optional(Type.String({ maxLength: 40 })),
      },
      { additionalProperties: false, description: 'One of them.' },
    ),
    event: Type.String({ minLength: 1, maxLength: ownEventLimits.nameLength }),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: ownEventLimits.idLength })),
    at: Type.Optional(Type.String({ maxLength: 40 })),
    value: Type.Optional(Type.Number({ minimum: -value, maximum: value })),
    currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$' })),
    properties: Type.Optional(
      Type.Unsafe<Record<string, string | number | boolean>>({
        type: 'object',
        maxProperties: ownEventLimits.properties,
        propertyNames: { type: 'string', minLength: 1, maxLength: propertyKeyLength },
        additionalProperties: {
          anyOf: [
            { type: 'string', maxLength: propertyLength },
            { type: 'number' },
            { type: 'boolean' },
          ],
        },
      }),
    ),
  },
  { additionalProperties: false },
)
export type EventInput = Static<typeof eventSchema>

const fault = schemaCheck(eventSchema, 'the event')

/** An event with the contact as the caller named it, before the contact is looked up. */
export interface NamedEvent extends Omit<OwnEventRow, 'contactId'> {
  contact: { id: Id<'contact'> } | { email: string } | { phone: string }
  /** The caller's input, for a refusal. */
  input: EventInput
}

export function readEvent(input: EventInput, now: Date): NamedEvent | Refusal {
  const wrong = fault(input)
  if (wrong) return wrong
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
}: EventInput['contact']): NamedEvent['contact'] | Refusal {
  const given = [contact_id, email, phone].filter((entry) => entry !== undefined)
  if (given.length !== 1) {
    const text = 'contact takes exactly one of contact_id, email and phone.'
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
  const number = normalisePhone(phone ?? '')
  return isRefusal(number) ? within(number) : { phone: number }
}

const within = ({ code, message, details }: Refusal) =>
  refuse(code, `contact.${message}`, { ...details, field: `contact.${details.field}` })

function refuseName(event: string): Refusal {
  const text =
    'event takes a name of small letters, digits, _ and -, such as order; not sent, delivered, opened, clicked, bounced, replied or submitted, which the service sees by itself.'
  const name = suggestOwnEventName(event)
  return refuse('invalid_request', text, { field: 'event', ...(name && { data: { name } }) })
}

function readMoment(written: string, now: Date): Date | Refusal {
  if (!isMoment(written)) {
    const text = 'at takes a moment with its offset (RFC 3339), such as 2026-11-02T09:00:00Z.'
    return refuse('invalid_request', text, { field: 'at' })
  }
  const at = new Date(written)
  const { minutesAhead, days: most } = ownEventLimits
  if (at > later(now, minutes(minutesAhead))) {
    const text = `at is more than ${minutesAhead} minutes in the future: it takes the time at which the event happened.`
    return refuse('invalid_request', text, { field: 'at' })
  }
  if (at >= later(now, -days(most))) return at
  return refuse('invalid_request', 'at is more than ten years ago.', { field: 'at' })
}
