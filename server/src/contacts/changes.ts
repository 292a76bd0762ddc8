/** Computes what a contact becomes by a change. Pure: no database, no clock. */
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import {
  type ConfirmationRequest,
  type ConsentChange,
  type ConsentChoice,
  consentChoicesOf,
  leftAtOf,
  mergeConsent,
  nobodyReturns,
  type OptOuts,
  type Returning,
  type SuppressedAddresses,
  suppressedIn,
} from './consent/consent.ts'
import {
  type AttributeValue,
  type ChangeSource,
  type Channel,
  type ConsentSubject,
  type ContactToSave,
  type ContactValues,
  channels,
  consentSubjects,
  contactLimits,
  eachText,
  type Person,
  type SavedContact,
  textFields,
} from './contact.ts'
import type { StoredContact } from './rows.ts'

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

/** An address that a contact gave up. */
interface AddressGivenUp {
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
  const refusal = refuseTooMuch(values) ?? lacksAddress(values, person)
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

const addressOn = { email: 'email', sms: 'phone' } as const

function lacksAddress(after: ContactValues, { consent }: Person): Refusal | undefined {
  const channel = channels.find((word) => consent?.[word] && after[addressOn[word]] === null)
  return channel && refuseWithoutAddress(channel)
}

function refuseWithoutAddress(channel: Channel): Refusal {
  const addressNoun = channel === 'email' ? 'an email address' : 'a phone number'
  return refuseField(`consent.${channel}`, `needs ${addressNoun}, and this contact has none.`, {
    reason: 'no_address',
  })
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

function refuseField(
  field: string,
  rule: string,
  data: Record<string, unknown> = { reason: 'wrong_form' },
): Refusal {
  return refuse('invalid_request', `${field} ${rule}`, { field, data })
}

/** A person to save, and the index of its outcome in the result. */
export interface PersonToSave {
  item: ContactToSave
  index: number
}

/** A contact, stored or planned. */
export interface Entry {
  readonly businessId: Id<'business'>
  readonly id: Id<'contact'>
  /** The values as stored; undefined for a new contact. */
  readonly stored: ContactValues | undefined
  /** When the person came back after an erasure. */
  readonly returnedAt?: Date | null
  /** When the person left email, if a connection's call brought their consent to `pending`. */
  pendingSince?: Date | null
  values: ContactValues
}

/** The change that one person makes to one contact. */
export interface Change extends AppliedChange {
  entry: Entry
  kind: SavedContact['change']
}

/** What the plan does for one person. */
export interface Step extends PersonToSave {
  result: Change | Refusal
  /**
   * Contacts that the result depends on: if one of them cannot be written, the result may be
   * wrong.
   */
  seen: Entry[]
}

export interface Plan {
  steps: Step[]
  /** New contacts and the person that created each, in order. */
  added: Map<Entry, ContactToSave>
  /** Stored contacts whose values change. */
  altered: Set<Entry>
  /** Addresses that contacts give up although their people opted out there. */
  givenUp: (AddressGivenUp & { entry: Entry })[]
}

/** The contacts by their addresses, as they are stored and as they become. */
export type Directory = Map<string, Entry>

export function directoryOf(stored: readonly StoredContact[]): Directory {
  const directory: Directory = new Map()
  for (const { businessId, id, returnedAt, pendingSince, ...values } of stored) {
    keep(directory, { businessId, id, stored: values, returnedAt, pendingSince, values }, values)
  }
  return directory
}

/** Updates a directory after everything that the plan intended was written. */
export function markAsStored(directory: Directory, { altered, added }: Plan): void {
  for (const { values, ...entry } of [...altered, ...added.keys()]) {
    keep(directory, { ...entry, stored: values, values }, values)
  }
}

/** The language of each business whose people need one for their names. */
export type LanguagesOfBusinesses = ReadonlyMap<Id<'business'>, string>

/** What a call says about how a person is called. */
export type NamesOfPerson = { readonly [field in (typeof textFields)[number]]?: string | undefined }

/** Whether the order of the person's names may be that of the business's language. */
export function needsLanguage({ name, first_name, last_name, language }: NamesOfPerson): boolean {
  return (first_name ?? last_name) !== undefined && name === undefined && language === undefined
}

/**
 * The person with a whole name of the first and the last one, if the call gives no whole name and
 * the contact has none that was given. A whole name is never split.
 */
function withWholeName(
  before: ContactValues,
  item: ContactToSave,
  languages: LanguagesOfBusinesses,
): ContactToSave {
  const { name, first_name, last_name, clear } = item
  const isOfParts = (first_name ?? last_name) !== undefined
  if (name !== undefined || !(isOfParts || clear?.some((field) => field !== 'language')))
    return item
  if (before.name !== null && !isMadeOf(before.name, before)) return item
  const part = (field: 'first_name' | 'last_name') =>
    item[field] ?? (clear?.includes(field) ? null : before[field])
  const language = item.language ?? before.language ?? languages.get(item.businessId) ?? 'en'
  const whole = wholeName(part('first_name'), part('last_name'), language)
  const others = clear?.filter((field) => field !== 'name') ?? []
  if (whole !== null) return { ...item, name: whole, clear: others }
  return before.name === null ? item : { ...item, clear: [...others, 'name'] }
}

function isMadeOf(name: string, { first_name, last_name }: ContactValues): boolean {
  if ((first_name ?? last_name) === null) return false
  return ['en', 'hu'].some((language) => wholeName(first_name, last_name, language) === name)
}

/** Languages in which the family name comes first. */
const familyNameFirst: ReadonlySet<string> = new Set(['hu', 'ja', 'km', 'ko', 'vi', 'zh'])

/** Scripts in which nothing stands between the two. */
const unspaced = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー々]+$/u

/** The whole name in the order of a language; null if both parts are blank. */
export function wholeName(
  firstName: string | null,
  lastName: string | null,
  language: string,
): string | null {
  const [primary = ''] = language.split('-', 1)
  const inOrder = familyNameFirst.has(primary) ? [lastName, firstName] : [firstName, lastName]
  const parts = inOrder.filter((part) => part !== null && part !== '')
  if (parts.length === 0) return null
  return parts.join(parts.every((part) => unspaced.test(part ?? '')) ? '' : ' ')
}

interface SavingFacts {
  languages: LanguagesOfBusinesses
  optOuts: OptOuts
  suppressed: SuppressedAddresses
  now: Date
}

/** Plans the next people against the directory, which then shows them as they become. */
export function planSaving(
  directory: Directory,
  people: readonly PersonToSave[],
  { optOuts, suppressed, now, languages }: SavingFacts,
): Plan {
  const plan: Plan = { steps: [], added: new Map(), altered: new Set(), givenUp: [] }
  for (const { item, index } of people) {
    const { entry, seen } = find(directory, item)
    const result = isRefusal(entry)
      ? entry
      : changeOf(entry, withWholeName(entry.values, item, languages), {
          now,
          leftAt: leftAtOf(entry, optOuts),
          returnedAt: entry.returnedAt ?? undefined,
          pendingSince: entry.pendingSince ?? undefined,
          mustConfirm: item.mustConfirm === true,
          suppressed: suppressedNow({ entry, item, now }, suppressed, plan),
        })
    plan.steps.push({ item, index, result, seen: isRefusal(result) ? seen : [result.entry] })
    if (isRefusal(result) || result.kind === 'unchanged') continue
    const { values: before, pendingSince } = result.entry
    for (const address of optedOutAddresses({ ...before, pendingSince }, result.values)) {
      plan.givenUp.push({ ...address, entry: result.entry })
    }
    keep(directory, result.entry, result.values)
    if (result.confirmation?.leftAt) result.entry.pendingSince = result.confirmation.leftAt
    if (result.entry.stored) plan.altered.add(result.entry)
    else if (result.kind === 'created') plan.added.set(result.entry, item)
  }
  return plan
}

/** Suppressions of the person's addresses, with those that the plan itself makes. Imports ask for none. */
function suppressedNow(
  { entry, item, now }: { entry: Entry; item: ContactToSave; now: Date },
  suppressed: SuppressedAddresses,
  { givenUp }: Plan,
): Returning['suppressed'] {
  if (item.source === 'import') return () => undefined
  const stored = suppressedIn(entry, item, suppressed)
  if (givenUp.length === 0) return stored
  const { values, businessId } = entry
  return (channel) => {
    const address =
      channel === 'email' ? (item.email ?? values.email) : (item.phone ?? values.phone)
    const isGivenUp = givenUp.some((formerly) => {
      const isSame = formerly.channel === channel && formerly.address === address
      return isSame && formerly.entry.businessId === businessId
    })
    return stored(channel) ?? (isGivenUp ? { reason: 'unsubscribed', since: now } : undefined)
  }
}

/** Entries that could not be written: the refusal, or `again` where the person must be retried. */
export type FailedEntries = ReadonlyMap<Entry, Refusal | 'again'>

/** The outcome of a step, once as much of the plan as possible was written. */
export function outcomeOf({ result, seen }: Step, lost: FailedEntries): Change | Refusal | 'again' {
  const missing = lost.size === 0 ? undefined : seen.find((entry) => lost.has(entry))
  if (!missing) return result
  // A refusal that depended on a contact that was not written must be computed again.
  return isRefusal(result) ? 'again' : (lost.get(missing) ?? 'again')
}

/** Finds the contact of a person, and the entries on which the finding depends. */
function find(
  directory: Directory,
  item: ContactToSave,
): { entry: Entry | Refusal; seen: Entry[] } {
  const { businessId, email, phone, external_id } = item
  const byEmail = email === undefined ? undefined : directory.get(`${businessId} ${email}`)
  const byPhone = phone === undefined ? undefined : directory.get(`${businessId} ${phone}`)
  const seen: Entry[] = []
  if (byEmail) seen.push(byEmail)
  if (byPhone) seen.push(byPhone)
  const byExternalId =
    external_id === undefined ? undefined : directory.get(externalIdKey(businessId, external_id))
  if (byExternalId) {
    seen.push(byExternalId)
    if (byEmail && byEmail !== byExternalId) {
      return { entry: refuseTwoPeople(byExternalId, byEmail, 'email'), seen }
    }
    if (byPhone && byPhone !== byExternalId) {
      return { entry: refuseTwoPeople(byExternalId, byPhone, 'phone'), seen }
    }
    return { entry: byExternalId, seen }
  }
  if (byEmail && byPhone && byEmail !== byPhone) return { entry: areTwo(byEmail, byPhone), seen }
  const entry = byEmail ?? byPhone
  if (!entry) {
    if ((email ?? phone) === undefined) return { entry: refuseNewcomer(), seen }
    const id = newId('contact')
    return { entry: { businessId, id, stored: undefined, values: blankContact }, seen }
  }
  const { email: own, external_id: ownId } = entry.values
  if (external_id !== undefined && ownId !== null) {
    return { entry: refuseAnotherId(entry, byEmail ? 'email' : 'phone'), seen }
  }
  if (email !== undefined && own !== null && own !== email)
    return { entry: anotherContact(entry), seen }
  return { entry, seen }
}

/** Gives the entry its new values, and makes it the only one with its addresses. */
function keep(directory: Directory, entry: Entry, values: ContactValues): void {
  const { email, phone, external_id } = entry.values
  if (email !== values.email || phone !== values.phone || external_id !== values.external_id) {
    for (const address of addressesOf(entry.businessId, entry.values)) directory.delete(address)
  }
  for (const address of addressesOf(entry.businessId, values)) directory.set(address, entry)
  entry.values = values
}

// An email address has an @ and a number starts with +, so the two never meet.
function addressesOf(
  businessId: string,
  { email, phone, external_id }: Pick<ContactValues, 'email' | 'phone' | 'external_id'>,
): string[] {
  const ownKeys = email === null ? [] : [`${businessId} ${email}`]
  if (phone !== null) ownKeys.push(`${businessId} ${phone}`)
  if (external_id !== null) ownKeys.push(externalIdKey(businessId, external_id))
  return ownKeys
}

// The tab keeps it apart from the addresses: no id has one.
const externalIdKey = (businessId: string, externalId: string) => `${businessId}\t${externalId}`

function changeOf(entry: Entry, item: ContactToSave, returning: Returning): Change | Refusal {
  const { values } = entry
  const person = isNew(entry) ? item : sparing(values, item)
  const merged = applyChange(values, person, item.source, returning)
  if (isRefusal(merged)) return merged
  return Object.assign(merged, { entry, kind: kindOf(entry, merged) })
}

/** Whether nothing of it is stored, and no other person of the set has created it. */
const isNew = ({ stored, values }: Entry) =>
  !stored && values.email === null && values.phone === null

function kindOf(entry: Entry, { changed }: AppliedChange): Change['kind'] {
  if (isNew(entry)) return 'created'
  return changed.length > 0 ? 'updated' : 'unchanged'
}

function areTwo(byEmail: Entry, byPhone: Entry): Refusal {
  const ids = [formatId('contact', byEmail.id), formatId('contact', byPhone.id)]
  const text = `The email address is that of contact ${ids[0]}, the phone number that of ${ids[1]}. Merge the two if they are one person; or name one address alone, and the contact it belongs to is changed.`
  return refuse('conflict', text, {
    field: 'phone',
    data: { reason: 'address_of_another', contact_ids: ids },
    fix: {
      tool: 'contact.merge',
      arguments: { contact_id: ids[0], other_contact_id: ids[1] },
    },
  })
}

function refuseTwoPeople(byExternalId: Entry, other: Entry, field: 'email' | 'phone'): Refusal {
  const ids = [formatId('contact', byExternalId.id), formatId('contact', other.id)]
  const noun = field === 'email' ? 'email address' : 'phone number'
  const text = `The external_id is that of contact ${ids[0]}, the ${noun} that of ${ids[1]}. Merge the two if they are one person.`
  return refuse('conflict', text, {
    field,
    data: { reason: 'address_of_another', contact_ids: ids },
    fix: {
      tool: 'contact.merge',
      arguments: { contact_id: ids[0], other_contact_id: ids[1] },
    },
  })
}

function refuseAnotherId(entry: Entry, field: 'email' | 'phone'): Refusal {
  const id = formatId('contact', entry.id)
  const noun = field === 'email' ? 'email address' : 'phone number'
  const text = `The ${noun} is that of contact ${id}, which has another external_id. Leave external_id out to change that contact, or use the one that it has.`
  return refuse('conflict', text, {
    field: 'external_id',
    data: { reason: 'external_id_of_another', contact_ids: [id] },
    fix: { tool: 'contact.get', arguments: { contact_id: id } },
  })
}

function refuseNewcomer(): Refusal {
  return refuseField(
    'email',
    'is missing, and so is phone: no contact has this external_id, and a new one needs one of them.',
    { reason: 'email_or_phone' },
  )
}

function anotherContact(byPhone: Entry): Refusal {
  const id = formatId('contact', byPhone.id)
  const text = `The phone number is that of contact ${id}, which has another email address. Name the phone number alone to change that contact, or the email address alone for another.`
  return refuse('conflict', text, {
    field: 'phone',
    data: { reason: 'address_of_another', contact_ids: [id] },
  })
}

/**
 * With `keep`, only opt-outs are applied; with `fill_blanks`, only what the contact lacks is added.
 * An opt-out always counts, whatever the caller requested.
 */
function sparing(before: ContactValues, item: ContactToSave): Person {
  if (item.existing === undefined) return item
  const person: Person = {}
  const consent = consentOf(before, item)
  if (consent) person.consent = consent
  if (item.existing === 'keep') return person
  if (before.email === null && item.email !== undefined) person.email = item.email
  if (before.phone === null && item.phone !== undefined) person.phone = item.phone
  for (const field of textFields) {
    const text = item[field]
    if (before[field] === null && text !== undefined) person[field] = text
  }
  if (item.tags) person.tags = item.tags
  if (item.attributes) {
    const missing = Object.entries(item.attributes).filter(([key, value]) => {
      return value !== null && !Object.hasOwn(before.attributes, key)
    })
    person.attributes = Object.fromEntries(missing)
  }
  return person
}

function consentOf(before: ContactValues, item: ContactToSave): Person['consent'] {
  const { existing, consent } = item
  const entries = consentSubjects.flatMap((channel) => {
    const channelConsent = consent?.[channel]
    const isMissing = existing === 'fill_blanks' && before.consent[channel] === 'none'
    return channelConsent && (channelConsent.status === 'unsubscribed' || isMissing)
      ? [[channel, channelConsent]]
      : []
  })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
