/**
 * A contact: a person a business writes to, with at most one email address and one phone number,
 * each unique within the business. This file has its types, its fields as callers see and write
 * them, and how a person is read. The files beside it, in the order in which a reader needs them:
 *
 * - `upsert.ts`, `import.ts`: operations that save people; `save.ts` saves a set of them, planned by
 *   `plan-saving.ts`; `changes.ts` computes what each contact becomes, `record.ts` writes what follows
 *   from it (the ledger, events, the timeline), `rows.ts` has the statements that several files share
 * - `get.ts`, `get-by-email.ts`, `get-by-external-id.ts`, `list.ts`, `recipients.ts`: reading
 *   contacts. `search.ts` has the statements of a list, `search-index.ts` the words by which a part
 *   of a name finds somebody, `find.ts` what other domains read; `people-on-file.ts` tells an
 *   import's preview who is a contact already
 * - `merge.ts`, `erase.ts`, `retention.ts`: how contacts end; `personal-data.ts` is what other
 *   domains do then, `opt-outs.ts` the opt-outs, as kept in backups
 * - `refused-rows.ts`: the refused rows of a file, grouped by fault
 * - `put-back.ts`, `field-values.ts`: undoing an import
 *
 * `consent/`, `suppressions/`, `topics/`, `segments/`, `filters/`, `fields/`, `tagging/`,
 * `own-events/`, `timeline/`, `exporting/` and `hygiene/` are nouns of their own.
 */

import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Hmac, Origin, Tier } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { normalisePhone } from '../lib/phone/phone-number.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { canonicalLanguageTag } from '../lib/text/language-tag.ts'
import { isSingleLine, singleLine } from '../lib/text/single-line.ts'
import { momentAt } from '../lib/time/wall-clock.ts'
import { topicKeyInput, topicLimits } from './topics/topic.ts'

export const channels = ['email', 'sms'] as const
export type Channel = (typeof channels)[number]

/** What a consent may be about: a channel, or that opens and clicks are recorded. */
export const consentSubjects = [...channels, 'tracking'] as const
export type ConsentSubject = (typeof consentSubjects)[number]

export const consentStatuses = ['none', 'pending', 'subscribed', 'unsubscribed'] as const
export type ConsentStatus = (typeof consentStatuses)[number]

/** A person's choice for a topic on a channel; a topic without a choice is absent. */
const topicStatuses = ['subscribed', 'unsubscribed'] as const
export type TopicStatus = (typeof topicStatuses)[number]

/** Choices by the topic's key. */
export type TopicsOfChannel = Readonly<Record<string, TopicStatus>>
export type Topics = Readonly<Partial<Record<ConsentSubject, TopicsOfChannel>>>

/** A key may be a name that every object inherits, such as `constructor`. */
export function topicStatusOf(
  topics: Topics,
  channel: ConsentSubject,
  key: string,
): TopicStatus | undefined {
  const statuses = topics[channel]
  return statuses && Object.hasOwn(statuses, key) ? statuses[key] : undefined
}

/** How a contact, or a change to one, arrived. */
export const contactSources = ['api', 'import', 'form'] as const
export type ContactSource = (typeof contactSources)[number]

/** How a change arrived: also `person`, for a link in a mail. */
export type ChangeSource = ContactSource | 'person'

export const contactLimits = {
  externalIdLength: 200,
  nameLength: 200,
  /** The length of a first or a last name: both, with a space, fit into a name. */
  namePartLength: 99,
  /** The minimum that RFC 5646 section 4.4.1 requires of software that stores language tags. */
  languageLength: 35,
  attributes: 100,
  attributeKeyLength: 64,
  attributeLength: 4_000,
  tags: 50,
  tagLength: 64,
  consentSourceLength: 200,
  consentTextLength: 4_000,
} as const

export type AttributeValue = string | number | boolean

/** Fields of plain text, whose value stays until another one replaces it. */
export const textFields = ['external_id', 'name', 'first_name', 'last_name', 'language'] as const
type TextField = (typeof textFields)[number]

export const nameFields = ['name', 'first_name', 'last_name'] as const

/** Builds an object with the value of each text field. */
export function eachText<T>(textOf: (field: TextField) => T): Record<TextField, T> {
  return {
    external_id: textOf('external_id'),
    name: textOf('name'),
    first_name: textOf('first_name'),
    last_name: textOf('last_name'),
    language: textOf('language'),
  }
}

export interface ContactValues extends Readonly<Record<TextField, string | null>> {
  /** The address as `normaliseEmail` spells it. */
  email: string | null
  /** The phone number (E.164). */
  phone: string | null
  attributes: Readonly<Record<string, AttributeValue>>
  /** Sorted, without duplicates. */
  tags: readonly string[]
  consent: Readonly<Record<ConsentSubject, ConsentStatus>>
  topics: Topics
}

export interface Contact extends ContactValues {
  id: Id<'contact'>
  source: ContactSource
  createdAt: Date
  updatedAt: Date
}

/** The basis of a message: the person's own consent, or that they are a customer already. */
export const consentBases = ['consent', 'existing_customer'] as const
export type ConsentBasis = (typeof consentBases)[number]

/**
 * How a form's box was answered. `ticked`: it was empty on the form's own page, and the person
 * ticked it. `sent`: another site or a program sent the answer, and how it showed the box is
 * unknown.
 */
export const consentBoxes = ['ticked', 'sent'] as const
export type ConsentBox = (typeof consentBoxes)[number]

/** Consent that was given or withdrawn, with its evidence. */
export interface ConsentGiven {
  /** `pending`: a mail asks the person to confirm, and they are not subscribed before they do. */
  status: 'pending' | 'subscribed' | 'unsubscribed'
  /** Where the person chose, such as `checkout page`. */
  source: string
  /** The exact text that was agreed to. */
  text?: string
  ip?: string
  agent?: string
  /** Keys of the topics that it is about; without them it is about the whole channel. */
  topics?: readonly string[]
  /** When the person chose, if that is known. */
  at?: Date
  basis?: ConsentBasis
  /** The page that the form was on, and the form's version. */
  page?: string
  formVersion?: number
  box?: ConsentBox
  /** The language that the person read (BCP 47), in which a confirmation mail is written. */
  language?: string
  formId?: Id<'form'>
  /** No challenge was solved on a guarded form, so a person must release the mail. */
  unproven?: boolean
  /** The contact is known for another reason, and stays even if this is never confirmed. */
  keepsContact?: boolean
  /** The confirmation by which the person agreed. */
  confirmationId?: Id<'confirmation'>
}

/** A change to a person; fields left out stay as they are. */
export interface Person extends Partial<Record<TextField, string>> {
  /** Normalised, like `phone`. At least one of the two is set, or the `external_id` of a contact. */
  email?: string
  phone?: string
  /** Merged by key; null deletes a key. */
  attributes?: Readonly<Record<string, AttributeValue | null>>
  /** Added to the existing tags. */
  tags?: readonly string[]
  removeTags?: readonly string[]
  /** The text fields to clear. */
  clear?: readonly TextField[]
  consent?: Partial<Record<ConsentSubject, ConsentGiven>>
}

/** A person to save as a contact, with the call on whose behalf this happens. */
export interface ContactToSave extends Person {
  businessId: Id<'business'>
  tier: Tier
  source: ContactSource
  origin: Origin
  /** Recognises the addresses of erased people, which stay erased. */
  hmac: Hmac
  /** An OAuth connection makes the call: who left is asked by mail, and only they come back. */
  mustConfirm?: true
  /** How an existing contact is treated; without it, the contact is updated. */
  existing?: 'keep' | 'fill_blanks'
}

export interface SavedContact {
  id: Id<'contact'>
  change: 'created' | 'updated' | 'unchanged'
  /** Consents that were not applied, because the person had withdrawn them. */
  stayedUnsubscribed?: ConsentSubject[]
  /** Channels that are subscribed now, while a suppression of the address still stops marketing. */
  stillSuppressed?: ConsentSubject[]
  /** The person had left email or a topic of it, and a mail asks them before they are back. */
  awaitsConfirmation?: boolean
}

export const contactIdInput = Type.String({
  pattern: '^con_[0-9a-hjkmnp-tv-z]{26}$',
})

const topicsView = Type.Record(Type.String(), Type.Enum(topicStatuses))

export const contactFields = {
  contact_id: Type.String(),
  email: Type.Union([Type.String(), Type.Null()]),
  phone: Type.Union([Type.String(), Type.Null()]),
  external_id: Type.Union([Type.String(), Type.Null()]),
  language: Type.Union([Type.String(), Type.Null()]),
  tags: Type.Array(Type.String()),
  topics: Type.Object({ email: topicsView, sms: topicsView }),
  source: Type.Enum(contactSources),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
  untrusted: untrusted({
    name: Type.Union([Type.String(), Type.Null()]),
    first_name: Type.Union([Type.String(), Type.Null()]),
    last_name: Type.Union([Type.String(), Type.Null()]),
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
    external_id: contact.external_id,
    language: contact.language,
    tags: [...contact.tags],
    topics: shownTopics(contact.topics),
    source: contact.source,
    created_at: contact.createdAt.toISOString(),
    updated_at: contact.updatedAt.toISOString(),
    untrusted: {
      name: contact.name,
      first_name: contact.first_name,
      last_name: contact.last_name,
      attributes: { ...contact.attributes },
    },
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

/**
 * Changes with each change of a contact. It is the time of the last one, in milliseconds since 1970,
 * because a counter would be one more column that millions of imported rows write.
 */
export const versionOf = ({ updatedAt }: Pick<Contact, 'updatedAt'>): number => updatedAt.getTime()

export const tagList = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: contactLimits.tagLength }), {
      maxItems: contactLimits.tags,
      description,
    }),
  )

const firstYear = 1800
const lastYear = 2999

/** Whether the text is an existing day: `2026-11-01`. */
export function isDay(text: string): boolean {
  if (text.length !== 10 || !momentAt(`${text}T00:00`, 'UTC')) return false
  const year = Number(text.slice(0, 4))
  return year >= firstYear && year <= lastYear
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** `2026-11-01T09:00:00Z` (RFC 3339, section 5.6). */
export function isMoment(text: string): boolean {
  return rfc3339.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
}

export const isTime = (text: string): boolean => isDay(text) || isMoment(text)

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

export const externalIdInput = Type.String({
  minLength: 1,
  maxLength: contactLimits.externalIdLength,
  description: 'The id of the person in your own system.',
})

export const personFields = {
  email: Type.Optional(
    Type.String({ maxLength: 320, description: 'Who it is; where it is left out, phone is.' }),
  ),
  phone: Type.Optional(
    Type.String({ maxLength: 40, description: 'With country code: +33 6 12 34 56 78.' }),
  ),
  external_id: Type.Optional(externalIdInput),
  name: Type.Optional(
    Type.String({
      maxLength: contactLimits.nameLength,
      description: 'Left out: made of the parts.',
    }),
  ),
  first_name: Type.Optional(Type.String({ maxLength: contactLimits.namePartLength })),
  last_name: Type.Optional(Type.String({ maxLength: contactLimits.namePartLength })),
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
  tags: tagList('Added to those it has.'),
  remove_tags: tagList('Taken from those it has.'),
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

export const personSchema = Type.Object(personFields, { additionalProperties: false })

export type PersonInput = Static<typeof personSchema>

/** Reads a person that fits the schema into the spelling in which it is stored and compared. */
export function readPerson(input: PersonInput): Person | Refusal {
  const person: Person = {}
  const { external_id } = input
  if ((input.email ?? input.phone ?? external_id) === undefined) {
    return refuseField('email', 'is missing, and so is phone: one of them is required.', {
      reason: 'email_or_phone',
    })
  }
  if (external_id !== undefined) {
    const refusal = refuseExternalId(external_id)
    if (refusal) return refusal
    person.external_id = external_id
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
  for (const field of nameFields) {
    const text = input[field]
    if (text === undefined) continue
    const line = singleLine(text)
    if (!isSingleLine(line))
      return refuseField(field, 'must be one line of text.', { reason: 'one_line' })
    person[field] = line
  }
  if (input.language !== undefined) {
    const language = canonicalLanguageTag(input.language)
    if (!language)
      return refuseField('language', 'must be a language tag (BCP 47), such as fr or de-AT.', {
        reason: 'no_language',
      })
    person.language = language
  }
  return readDetails(person, input)
}

/** An id is compared as it is written, so that one with spaces around it would never be found. */
export function refuseExternalId(externalId: string): Refusal | undefined {
  if (isSingleLine(externalId) && externalId === externalId.trim()) return undefined
  return refuseField('external_id', 'takes one line of text, without spaces around it.', {
    reason: 'one_line',
  })
}

function readDetails(person: Person, input: PersonInput): Person | Refusal {
  if (input.attributes) {
    const key = Object.keys(input.attributes).find((text) => !isSingleLine(text))
    if (key !== undefined)
      return refuseField(`attributes.${key}`, "has a key that isn't a single line of text.", {
        reason: 'one_line',
      })
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
    return refuseField(`remove_tags[${both}]`, 'is in tags too: name it in one of them.', {
      reason: 'tag_added_and_removed',
    })
  if (!input.consent) return person
  for (const channel of consentSubjects) {
    const channelConsent = input.consent[channel]
    if (channelConsent && !isSingleLine(channelConsent.source))
      return refuseField(`consent.${channel}.source`, 'must be one line of text.', {
        reason: 'one_line',
      })
  }
  const consent = readConsent(input.consent)
  if (isRefusal(consent)) return consent
  person.consent = consent
  return person
}

function readTags(tags: readonly string[], field: string): string[] | Refusal {
  const read = tags.map(singleLine)
  const invalidTag = read.findIndex((tag) => !isSingleLine(tag))
  return invalidTag < 0
    ? read
    : refuseField(`${field}[${invalidTag}]`, 'must be one line of text.', { reason: 'one_line' })
}

function readConsent(
  input: NonNullable<PersonInput['consent']>,
): NonNullable<Person['consent']> | Refusal {
  const consent: Partial<Record<ConsentSubject, ConsentGiven>> = {}
  for (const channel of consentSubjects) {
    const channelInput = input[channel]
    if (!channelInput) continue
    const { at: dateField, ...fields } = channelInput
    const at = dateField === undefined ? undefined : new Date(dateField)
    if (at && Number.isNaN(at.getTime())) {
      return refuseField(`consent.${channel}.at`, 'must be a valid date and time (RFC 3339).', {
        reason: 'no_moment',
      })
    }
    consent[channel] = { ...fields, ...(at && { at }) }
  }
  return consent
}

/** Refuses a value of a field. */
function refuseField(
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data })
}
