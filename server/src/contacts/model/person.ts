/** A person as callers write one: the schema, and the normalised spelling of each value. */

import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { canonicalLanguageTag } from '../../lib/text/language-tag.ts'
import { isSingleLine, singleLine } from '../../lib/text/single-line.ts'
import {
  type AttributeValue,
  type ConsentGiven,
  type ConsentSubject,
  consentBases,
  consentSubjects,
  contactLimits,
  type Person,
} from '../contact.ts'
import { topicKeyInput, topicLimits } from './topic.ts'

const tags = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: contactLimits.tagLength }), {
      maxItems: contactLimits.tags,
      description,
    }),
  )

/** A moment with its offset (RFC 3339 section 5.6). */
const momentPattern =
  '^[12]\\d{3}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d([.]\\d{1,9})?)?(Z|[+-]\\d\\d:\\d\\d)$'

const consentGiven = <S extends 'pending' | 'subscribed' | 'unsubscribed'>(
  statuses: readonly S[],
  description: string,
) =>
  Type.Optional(
    Type.Object(
      {
        status: Type.Enum(statuses),
        source: Type.String({
          minLength: 1,
          maxLength: contactLimits.consentSourceLength,
          description: 'Where the person said so, such as checkout page.',
        }),
        text: Type.Optional(
          Type.String({
            maxLength: contactLimits.consentTextLength,
            description: 'What was agreed to, word for word.',
          }),
        ),
        at: Type.Optional(
          Type.String({
            pattern: momentPattern,
            description:
              'When the person said so. Later than their no, with text, it takes the no back.',
          }),
        ),
        basis: Type.Optional(Type.Enum(consentBases)),
        topics: Type.Optional(
          Type.Array(topicKeyInput, {
            minItems: 1,
            maxItems: topicLimits.topics,
            description: 'Of these alone; without them of the whole channel.',
          }),
        ),
      },
      { additionalProperties: false, description },
    ),
  )

/** Consent to tracking has no topics, unlike a channel, and no mail asks for its confirmation. */
const trackingGiven = Type.Optional(
  Type.Object(
    {
      status: Type.Enum(['subscribed', 'unsubscribed']),
      source: Type.String({ minLength: 1, maxLength: contactLimits.consentSourceLength }),
      text: Type.Optional(Type.String({ maxLength: contactLimits.consentTextLength })),
      at: Type.Optional(Type.String({ pattern: momentPattern })),
    },
    { additionalProperties: false, description: 'To being tracked.' },
  ),
)

export const personFields = {
  email: Type.Optional(
    Type.String({ maxLength: 320, description: 'Who it is; where it is left out, phone is.' }),
  ),
  phone: Type.Optional(
    Type.String({ maxLength: 40, description: 'With country code: +33 6 12 34 56 78.' }),
  ),
  name: Type.Optional(Type.String({ maxLength: contactLimits.nameLength })),
  language: Type.Optional(
    Type.String({
      maxLength: contactLimits.languageLength,
      description: 'A tag of BCP 47, such as de-AT.',
    }),
  ),
  attributes: Type.Optional(
    Type.Unsafe<Record<string, AttributeValue | null>>({
      type: 'object',
      description: "The business's own fields, merged by key; null takes a key away.",
      maxProperties: contactLimits.attributes,
      propertyNames: { type: 'string', minLength: 1, maxLength: contactLimits.attributeKeyLength },
      additionalProperties: {
        anyOf: [
          { type: 'string', maxLength: contactLimits.attributeLength },
          { type: 'number' },
          { type: 'boolean' },
          { type: 'null' },
        ],
      },
    }),
  ),
  tags: tags('Added to those it has.'),
  remove_tags: tags('Taken from those it has.'),
  consent: Type.Optional(
    Type.Object(
      {
        email: consentGiven(
          ['subscribed', 'pending', 'unsubscribed'],
          'To email. pending: a mail asks the person to confirm.',
        ),
        sms: consentGiven(['subscribed', 'unsubscribed'], 'To SMS.'),
        tracking: trackingGiven,
      },
      {
        additionalProperties: false,
        description: 'What the person agreed to or withdrew; kept for good with its evidence.',
      },
    ),
  ),
}

const personSchema = Type.Object(personFields, { additionalProperties: false })
export type PersonInput = Static<typeof personSchema>
export { personSchema }

/** Reads a person that fits the schema into the spelling in which it is stored and compared. */
export function readPerson(input: PersonInput): Person | Refusal {
  const person: Person = {}
  if (input.email === undefined && input.phone === undefined) {
    return refuseField('email', 'is missing, and phone too: one of them says who it is.')
  }
  if (input.email !== undefined) {
    const email = normaliseEmail(input.email)
    if (isRefusal(email)) return email
    person.email = email
  }
  if (input.phone !== undefined) {
    const phone = normalisePhone(input.phone)
    if (isRefusal(phone)) return phone
    person.phone = phone
  }
  if (input.name !== undefined) {
    person.name = singleLine(input.name)
    if (!isSingleLine(person.name)) return refuseField('name', 'takes one line of text.')
  }
  if (input.language !== undefined) {
    const language = canonicalLanguageTag(input.language)
    if (!language)
      return refuseField('language', 'takes a language tag (BCP 47), such as fr or de-AT.')
    person.language = language
  }
  return readDetails(person, input)
}

function readDetails(person: Person, input: PersonInput): Person | Refusal {
  if (input.attributes) {
    const key = Object.keys(input.attributes).find((text) => !isSingleLine(text))
    if (key !== undefined)
      return refuseField(`attributes.${key}`, 'is named otherwise than in one line of text.')
    person.attributes = input.attributes
  }
  if (input.tags) {
    const tags = readTags(input.tags, 'tags')
    if (isRefusal(tags)) return tags
    person.tags = tags
  }
  if (input.remove_tags) {
    const tags = readTags(input.remove_tags, 'remove_tags')
    if (isRefusal(tags)) return tags
    person.removeTags = tags
  }
  const both = person.removeTags?.findIndex((tag) => person.tags?.includes(tag)) ?? -1
  if (both >= 0)
    return refuseField(`remove_tags[${both}]`, 'is in tags too: name it in one of them.')
  if (!input.consent) return person
  for (const channel of consentSubjects) {
    const given = input.consent[channel]
    if (given && !isSingleLine(given.source))
      return refuseField(`consent.${channel}.source`, 'takes one line of text.')
  }
  const consent = readConsent(input.consent)
  if (isRefusal(consent)) return consent
  person.consent = consent
  return person
}

function readTags(given: readonly string[], field: string): string[] | Refusal {
  const read = given.map(singleLine)
  const wrong = read.findIndex((tag) => !isSingleLine(tag))
  return wrong < 0 ? read : refuseField(`${field}[${wrong}]`, 'takes one line of text.')
}

function readConsent(
  given: NonNullable<PersonInput['consent']>,
): NonNullable<Person['consent']> | Refusal {
  const consent: Partial<Record<ConsentSubject, ConsentGiven>> = {}
  for (const channel of consentSubjects) {
    const one = given[channel]
    if (!one) continue
    const { at: written, ...said } = one
    const at = written === undefined ? undefined : new Date(written)
    if (at && Number.isNaN(at.getTime())) {
      return refuseField(`consent.${channel}.at`, 'takes a moment that exists (RFC 3339).')
    }
    consent[channel] = { ...said, ...(at && { at }) }
  }
  return consent
}

/** Refuses a value of a field. */
function refuseField(field: string, rule: string): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field })
}
