/** Computes what a contact becomes by one change. Pure: no database, no clock. */
import { type Refusal, refuse } from '../core/errors.ts'
import {
  type ConfirmationRequest,
  type ConsentChange,
  type ConsentChoice,
  consentChoicesOf,
  mergeConsent,
  nobodyReturns,
  type Returning,
} from './consent/consent.ts'
import {
  type AttributeValue,
  type ChangeSource,
  type Channel,
  type ConsentSubject,
  type ContactValues,
  channels,
  consentSubjects,
  contactLimits,
  eachText,
  type Person,
  textFields,
} from './contact.ts'

export interface AppliedChange {
  values: ContactValues
  /** Fields whose value changed, as `contact.updated` lists them. */
  changed: string[]
  /** Tags that the contact did not have before. */
  tagsAdded: readonly string[]
  consents: ConsentChange[]
  /** Consents that were not applied, because the person had withdrawn them. */
  stayedUnsubscribed: ConsentSubject[]
  /** Channels that are subscribed now, although a suppression of their address remains. */
  stillSuppressed: ConsentSubject[]
  /** The person had left, and a mail asks them before they are subscribed. */
  awaitsConfirmation: boolean
  confirmation: ConfirmationRequest | undefined
}

export function applyChange(
  before: ContactValues,
  person: Person,
  source: ChangeSource,
  returning: Returning = nobodyReturns,
): AppliedChange | Refusal {
  const phone = person.phone ?? before.phone
  const hasNewNumber = before.phone !== null && phone !== before.phone
  const merged = mergeConsent(before, consentChoicesOf(person), {
    ...returning,
    source,
    hasNewNumber,
    hasNewEmail: before.email !== null && (person.email ?? before.email) !== before.email,
  })
  const { external_id, name, first_name, last_name, language } = eachText((field) => {
    return person.clear?.includes(field) ? null : (person[field] ?? before[field])
  })
  // Field by field: copies of objects took half of the memory of an import.
  const values: ContactValues = {
    email: person.email ?? before.email,
    phone,
    external_id,
    name,
    first_name,
    last_name,
    language,
    attributes: mergeAttributes(before.attributes, person.attributes),
    tags: mergeTags(before.tags, person),
    consent: merged.consent,
    topics: merged.topics,
  }
  const refusal = refuseTooMuch(values) ?? refuseMissingAddress(values, person)
  if (refusal) return refusal
  return {
    values,
    changed: differences(before, values),
    tagsAdded: values.tags.filter((tag) => !before.tags.includes(tag)),
    consents: merged.consents,
    stayedUnsubscribed: merged.stayedUnsubscribed,
    stillSuppressed: merged.stillSuppressed,
    awaitsConfirmation: merged.awaitsConfirmation,
    confirmation: merged.confirmation,
  }
}

/**
 * Applies the person's own choices to their consent, in order: a page may make several.
 * `pendingSince`: when they left, if their consent is `pending` since.
 */
export function mergeChoices(
  before: ContactValues,
  choices: readonly ConsentChoice[],
  pendingSince?: Date,
): AppliedChange | Refusal {
  const merged = mergeConsent(before, choices, {
    ...nobodyReturns,
    pendingSince,
    source: 'person',
    hasNewNumber: false,
    hasNewEmail: false,
  })
  const after = { ...before, consent: merged.consent, topics: merged.topics }
  const lacking = channels.find((channel) => {
    return before[addressOn[channel]] === null && choices.some((entry) => entry.channel === channel)
  })
  if (lacking) return refuseWithoutAddress(lacking)
  return { ...merged, values: after, changed: differences(before, after), tagsAdded: noTags }
}

function mergeAttributes(
  before: ContactValues['attributes'],
  changes: Person['attributes'],
): ContactValues['attributes'] {
  if (!changes) return before
  if (Object.keys(before).length === 0 && hasNoNull(changes)) return changes
  const merged = { ...before, ...changes }
  for (const key in changes) if (merged[key] === null) delete merged[key]
  // All that are null were deleted.
  return merged as ContactValues['attributes']
}

function hasNoNull(
  changes: NonNullable<Person['attributes']>,
): changes is Record<string, AttributeValue> {
  for (const key in changes) if (changes[key] === null) return false
  return true
}

function mergeTags(
  before: readonly string[],
  { tags = noTags, removeTags = noTags }: Person,
): readonly string[] {
  if (tags.length === 0 && removeTags.length === 0) return before
  const all = before.length === 0 ? tags : [...before, ...tags]
  return all.filter((tag, i) => all.indexOf(tag) === i && !removeTags.includes(tag)).sort()
}

const noTags: readonly string[] = []

export function refuseTooMuch({ attributes, tags }: ContactValues): Refusal | undefined {
  const keys = Object.keys(attributes).length
  if (keys > contactLimits.attributes) {
    return refuseField(
      'attributes',
      `would be ${keys}; a contact has ${contactLimits.attributes} at most.`,
      { reason: 'too_many', limit: contactLimits.attributes },
    )
  }
  if (tags.length > contactLimits.tags) {
    return refuseField(
      'tags',
      `would be ${tags.length}; a contact has ${contactLimits.tags} at most.`,
      { reason: 'too_many', limit: contactLimits.tags },
    )
  }
  return undefined
}

function refuseField(
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data })
}

function refuseMissingAddress(after: ContactValues, { consent }: Person): Refusal | undefined {
  const channel = channels.find((word) => consent?.[word] && after[addressOn[word]] === null)
  return channel && refuseWithoutAddress(channel)
}

function refuseWithoutAddress(channel: Channel): Refusal {
  const addressNoun = channel === 'email' ? 'an email address' : 'a phone number'
  return refuseField(`consent.${channel}`, `needs ${addressNoun}, and this contact has none.`, {
    reason: 'no_address',
  })
}

const addressOn = { email: 'email', sms: 'phone' } as const

export function differences(before: ContactValues, after: ContactValues): string[] {
  const changed: string[] = []
  if (after.email !== before.email) changed.push('email')
  if (after.phone !== before.phone) changed.push('phone')
  for (const field of textFields) if (after[field] !== before[field]) changed.push(field)
  if (after.tags !== before.tags && !isSameList(after.tags, before.tags)) changed.push('tags')
  for (const channel of consentSubjects) {
    if (after.consent[channel] !== before.consent[channel]) changed.push(`consent.${channel}`)
    const [now, then] = [after.topics[channel], before.topics[channel]]
    if (now === then) continue
    for (const key of keysOf(then, now)) {
      if (now?.[key] !== then?.[key]) changed.push(`topics.${channel}.${key}`)
    }
  }
  if (after.attributes !== before.attributes) {
    for (const key of keysOf(before.attributes, after.attributes)) {
      if (ownProperty(before.attributes, key) !== ownProperty(after.attributes, key))
        changed.push(`attributes.${key}`)
    }
  }
  return changed
}

/** The keys of both, each once. */
function keysOf(a: object = {}, b: object = {}): string[] {
  const [keys, others] = [Object.keys(a), Object.keys(b)]
  if (keys.length === 0) return others
  for (const key of others) if (!Object.hasOwn(a, key)) keys.push(key)
  return keys
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i])
}

/** Reads an own property: a key may be a name that every object inherits, such as `constructor`. */
function ownProperty(
  attributes: ContactValues['attributes'],
  key: string,
): AttributeValue | undefined {
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined
}

/** An address that a contact gave up. */
export interface AddressGivenUp {
  channel: Channel
  address: string
}

/**
 * The addresses that a contact gives up although the person opted out there. The no stays with the
 * address: it is suppressed, or the next contact with the address would be written to.
 */
export function optedOutAddresses(
  before: ContactValues & { pendingSince?: Date | null | undefined },
  after: Pick<ContactValues, 'email' | 'phone'>,
): AddressGivenUp[] {
  const { email, phone, consent, pendingSince } = before
  const givenUp: AddressGivenUp[] = []
  const hasLeftEmail =
    consent.email === 'unsubscribed' || (consent.email === 'pending' && pendingSince)
  if (email !== null && email !== after.email && hasLeftEmail) {
    givenUp.push({ channel: 'email', address: email })
  }
  if (phone !== null && phone !== after.phone && consent.sms === 'unsubscribed') {
    givenUp.push({ channel: 'sms', address: phone })
  }
  return givenUp
}

export const blankContact: ContactValues = {
  email: null,
  phone: null,
  ...eachText(() => null),
  attributes: {},
  tags: [],
  consent: { email: 'none', sms: 'none', tracking: 'none' },
  topics: {},
}
