/** Computes what a contact becomes by a change. Pure: no database, no clock. */
import { type Refusal, refuse } from '../core/errors.ts'
import {
  type ConfirmationAsked,
  type ConsentChange,
  mergeConsent,
  type Said,
  saidBy,
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
import { nobodyReturns, type Returning } from './saving/may-return.ts'

export interface AppliedChange {
  values: ContactValues
  /** Fields whose value changed, as `contact.updated` lists them. */
  changed: string[]
  consents: ConsentChange[]
  /** Consents that were not applied, because the person had withdrawn them. */
  stayedUnsubscribed: ConsentSubject[]
  /** Channels that are subscribed now, although a suppression of their address remains. */
  stillSuppressed: ConsentSubject[]
  /** The person had left, and a mail asks them before they are subscribed. */
  awaitsConfirmation: boolean
  confirmation: ConfirmationAsked | undefined
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

export function applyChange(
  before: ContactValues,
  person: Person,
  source: ChangeSource,
  returning: Returning = nobodyReturns,
): AppliedChange | Refusal {
  const phone = person.phone ?? before.phone
  const hasNewNumber = before.phone !== null && phone !== before.phone
  const merged = mergeConsent(before, saidBy(person), { ...returning, source, hasNewNumber })
  const { name, language } = eachText((field) => {
    return person.clear?.includes(field) ? null : (person[field] ?? before[field])
  })
  // Field by field: copies of objects took half of the memory of an import.
  const values: ContactValues = {
    email: person.email ?? before.email,
    phone,
    name,
    language,
    attributes: mergeAttributes(before.attributes, person.attributes),
    tags: mergeTags(before.tags, person),
    consent: merged.consent,
    topics: merged.topics,
  }
  const wrong = refuseTooMuch(values) ?? lacksAddress(values, person)
  if (wrong) return wrong
  return {
    values,
    changed: differences(before, values),
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
export function mergeSaid(
  before: ContactValues,
  said: readonly Said[],
  pendingSince?: Date,
): AppliedChange | Refusal {
  const merged = mergeConsent(before, said, {
    ...nobodyReturns,
    pendingSince,
    source: 'person',
    hasNewNumber: false,
  })
  const after = { ...before, consent: merged.consent, topics: merged.topics }
  const lacking = channels.find((channel) => {
    return before[addressOn[channel]] === null && said.some((entry) => entry.channel === channel)
  })
  if (lacking) return refuseWithoutAddress(lacking)
  return { ...merged, values: after, changed: differences(before, after) }
}

function mergeAttributes(
  before: ContactValues['attributes'],
  given: Person['attributes'],
): ContactValues['attributes'] {
  if (!given) return before
  if (Object.keys(before).length === 0 && hasNoNull(given)) return given
  const merged = { ...before, ...given }
  for (const key in given) if (merged[key] === null) delete merged[key]
  // All that are null were deleted.
  return merged as ContactValues['attributes']
}

function hasNoNull(
  given: NonNullable<Person['attributes']>,
): given is Record<string, AttributeValue> {
  for (const key in given) if (given[key] === null) return false
  return true
}

const noTags: readonly string[] = []

function mergeTags(
  before: readonly string[],
  { tags = noTags, removeTags = noTags }: Person,
): readonly string[] {
  if (tags.length === 0 && removeTags.length === 0) return before
  const all = before.length === 0 ? tags : [...before, ...tags]
  return all.filter((tag, i) => all.indexOf(tag) === i && !removeTags.includes(tag)).sort()
}

export function refuseTooMuch({ attributes, tags }: ContactValues): Refusal | undefined {
  const keys = Object.keys(attributes).length
  if (keys > contactLimits.attributes) {
    return refuseField(
      'attributes',
      `would be ${keys}; a contact has ${contactLimits.attributes} at most.`,
    )
  }
  if (tags.length > contactLimits.tags) {
    return refuseField(
      'tags',
      `would be ${tags.length}; a contact has ${contactLimits.tags} at most.`,
    )
  }
  return undefined
}

const addressOn = { email: 'email', sms: 'phone' } as const

function lacksAddress(after: ContactValues, { consent }: Person): Refusal | undefined {
  const channel = channels.find((word) => consent?.[word] && after[addressOn[word]] === null)
  return channel && refuseWithoutAddress(channel)
}

function refuseWithoutAddress(channel: Channel): Refusal {
  const what = channel === 'email' ? 'an email address' : 'a phone number'
  return refuseField(`consent.${channel}`, `needs ${what}, and this contact has none.`)
}

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

function refuseField(field: string, rule: string): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field })
}
