/** What a contact becomes by what is said of it: no database, no clock. */
import { type Refusal, refuse } from '../../core/errors.ts'
import {
  type AttributeValue,
  type ChangeSource,
  type Channel,
  type ConsentGiven,
  type ConsentStatus,
  type ContactValues,
  channels,
  contactLimits,
  eachText,
  type Person,
  textFields,
} from '../model/contact.ts'

export interface ConsentChange {
  channel: Channel
  action: ConsentStatus
  evidence: Omit<ConsentGiven, 'status'>
}

export interface Merged {
  values: ContactValues
  /** Fields that have another value than before, as `contact.updated` tells them. */
  changed: string[]
  consents: ConsentChange[]
  /** Channels that the person had left, and that an import does not bring back. */
  stayedUnsubscribed: Channel[]
}

export const blank: ContactValues = {
  email: null,
  phone: null,
  ...eachText(() => null),
  attributes: {},
  tags: [],
  consent: { email: 'none', sms: 'none' },
}

export function merge(
  before: ContactValues,
  person: Person,
  source: ChangeSource,
): Merged | Refusal {
  const values = {
    email: person.email ?? before.email,
    phone: person.phone ?? before.phone,
    ...eachText((field) => person[field] ?? before[field]),
    attributes: mergeAttributes(before.attributes, person.attributes),
    tags: mergeTags(before.tags, person),
  }
  const { consent, consents, stayedUnsubscribed } = mergeConsent(before, person, source)
  const after = { ...values, consent }
  const wrong = tooMuch(after) ?? withoutAddress(after, person)
  if (wrong) return wrong
  return { values: after, changed: differences(before, after), consents, stayedUnsubscribed }
}

function mergeAttributes(
  before: ContactValues['attributes'],
  given: Person['attributes'],
): ContactValues['attributes'] {
  if (!given) return before
  const merged = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(given)) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

function mergeTags(before: readonly string[], { tags = [], removeTags = [] }: Person) {
  if (tags.length === 0 && removeTags.length === 0) return before
  const merged = new Set([...before, ...tags])
  for (const tag of removeTags) merged.delete(tag)
  return [...merged].sort()
}

function mergeConsent(
  before: ContactValues,
  person: Person,
  source: ChangeSource,
): Pick<Merged, 'consents' | 'stayedUnsubscribed'> & { consent: ContactValues['consent'] } {
  const consent = { ...before.consent }
  const consents: ConsentChange[] = []
  const stayedUnsubscribed: Channel[] = []
  const become = (channel: Channel, action: ConsentStatus, evidence: ConsentChange['evidence']) => {
    consent[channel] = action
    consents.push({ channel, action, evidence })
  }
  // Consent to get SMS was given for one number, and is not taken along to another.
  if (consent.sms === 'subscribed' && hasNewNumber(before, person)) {
    if (person.consent?.sms) consent.sms = 'none'
    else become('sms', 'none', { source: 'the phone number was replaced' })
  }
  for (const channel of channels) {
    const given = person.consent?.[channel]
    if (!given || given.status === consent[channel]) continue
    if (source === 'import' && consent[channel] === 'unsubscribed') {
      stayedUnsubscribed.push(channel)
      continue
    }
    const { status, ...evidence } = given
    become(channel, status, evidence)
  }
  return { consent, consents, stayedUnsubscribed }
}

function hasNewNumber({ phone }: ContactValues, person: Person): boolean {
  return phone !== null && person.phone !== undefined && person.phone !== phone
}

export function tooMuch({ attributes, tags }: ContactValues): Refusal | undefined {
  const keys = Object.keys(attributes).length
  if (keys > contactLimits.attributes) {
    return no('attributes', `would be ${keys}; a contact has ${contactLimits.attributes} at most.`)
  }
  if (tags.length > contactLimits.tags) {
    return no('tags', `would be ${tags.length}; a contact has ${contactLimits.tags} at most.`)
  }
  return undefined
}

function withoutAddress(after: ContactValues, { consent }: Person): Refusal | undefined {
  if (consent?.email && after.email === null) {
    return no('consent.email', 'needs an email address, and this contact has none.')
  }
  if (consent?.sms && after.phone === null) {
    return no('consent.sms', 'needs a phone number, and this contact has none.')
  }
  return undefined
}

export function differences(before: ContactValues, after: ContactValues): string[] {
  const changed: string[] = []
  if (after.email !== before.email) changed.push('email')
  if (after.phone !== before.phone) changed.push('phone')
  for (const field of textFields) if (after[field] !== before[field]) changed.push(field)
  if (after.tags !== before.tags && !isSameList(after.tags, before.tags)) changed.push('tags')
  for (const channel of channels) {
    if (after.consent[channel] !== before.consent[channel]) changed.push(`consent.${channel}`)
  }
  if (after.attributes !== before.attributes) {
    const keys = new Set([...Object.keys(before.attributes), ...Object.keys(after.attributes)])
    for (const key of keys) {
      if (own(before.attributes, key) !== own(after.attributes, key))
        changed.push(`attributes.${key}`)
    }
  }
  return changed
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i])
}

/** A key may be a name that every object inherits, such as `constructor`. */
function own(attributes: ContactValues['attributes'], key: string): AttributeValue | undefined {
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined
}

function no(field: string, rule: string): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field })
}
