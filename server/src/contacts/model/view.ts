/** A contact as callers see it. */

import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { untrusted } from '../../core/untrusted.ts'
import { Type } from '../../lib/schema/schema.ts'
import {
  type AttributeValue,
  type Contact,
  consentStatuses,
  contactSources,
  type Topics,
  topicStatuses,
} from '../contact.ts'

export const contactIdInput = Type.String({
  pattern: '^con_[0-9a-hjkmnp-tv-z]{26}$',
})

const topicsView = Type.Record(Type.String(), Type.Enum(topicStatuses))

export const contactFields = {
  contact_id: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  phone: Type.Union([Type.String(), Type.Null()]),
  language: Type.Union([Type.String(), Type.Null()]),
  tags: Type.Array(Type.String()),
  topics: Type.Object({ email: topicsView, sms: topicsView }),
  source: Type.Enum(contactSources),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
  untrusted: untrusted({
    name: Type.Union([Type.String(), Type.Null()]),
    attributes: Type.Unsafe<Record<string, AttributeValue>>({
      type: 'object',
      description: "The business's own fields.",
      additionalProperties: {
        anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
      },
    }),
  }),
}

export const consentStatus = Type.Enum(consentStatuses)

export function fieldsOf(contact: Contact) {
  return {
    contact_id: formatId('contact', contact.id),
    email: contact.email,
    phone: contact.phone,
    language: contact.language,
    tags: [...contact.tags],
    topics: shownTopics(contact.topics),
    source: contact.source,
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
    untrusted: { name: contact.name, attributes: { ...contact.attributes } },
  }
}

export const shownTopics = ({ email = {}, sms = {} }: Topics) => ({
  email: { ...email },
  sms: { ...sms },
})

/** Another business's contact gets the same answer as one that never existed. */
export function noSuchContact(contactId: string, field = 'contact_id'): Refusal {
  return refuse('not_found', `This business has no contact ${contactId}.`, {
    field,
    fix: { tool: 'contact.list', arguments: {} },
  })
}
