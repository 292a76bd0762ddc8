/**
 * Plans what a set of people becomes, one after the other: the contact that each one is, and its
 * change. Pure: no database, no clock.
 */
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import {
  type AddressGivenUp,
  type AppliedChange,
  applyChange,
  blankContact,
  optedOutAddresses,
} from './changes.ts'
import {
  leftAtOf,
  type OptOuts,
  type Returning,
  type SuppressedAddresses,
  suppressedIn,
} from './consent/consent.ts'
import {
  type ContactToSave,
  type ContactValues,
  consentSubjects,
  type Person,
  type SavedContact,
  textFields,
} from './contact.ts'
import type { StoredContact } from './rows.ts'

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

interface SavingFacts {
  languages: LanguagesOfBusinesses
  optOuts: OptOuts
  suppressed: SuppressedAddresses
  now: Date
}

/** A person to save, and the index of its outcome in the result. */
export interface PersonToSave {
  item: ContactToSave
  index: number
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

/** What the plan does for one person. */
export interface Step extends PersonToSave {
  result: Change | Refusal
  /**
   * Contacts that the result depends on: if one of them cannot be written, the result may be
   * wrong.
   */
  seen: Entry[]
}

/** The change that one person makes to one contact. */
export interface Change extends AppliedChange {
  entry: Entry
  kind: SavedContact['change']
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
  if (byEmail && byPhone && byEmail !== byPhone)
    return { entry: refuseTwoContacts(byEmail, byPhone), seen }
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
    return { entry: refuseAnotherEmail(entry), seen }
  return { entry, seen }
}

// The tab keeps it apart from the addresses: no id has one.
const externalIdKey = (businessId: string, externalId: string) => `${businessId}\t${externalId}`

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

function refuseTwoContacts(byEmail: Entry, byPhone: Entry): Refusal {
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

function refuseNewcomer(): Refusal {
  const text =
    'email is missing, and so is phone: no contact has this external_id, and a new one needs one of them.'
  return refuse('invalid_request', text, { field: 'email', data: { reason: 'email_or_phone' } })
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

function refuseAnotherEmail(byPhone: Entry): Refusal {
  const id = formatId('contact', byPhone.id)
  const text = `The phone number is that of contact ${id}, which has another email address. Name the phone number alone to change that contact, or the email address alone for another.`
  return refuse('conflict', text, {
    field: 'phone',
    data: { reason: 'address_of_another', contact_ids: [id] },
  })
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

/** Languages in which the family name comes first. */
const familyNameFirst: ReadonlySet<string> = new Set(['hu', 'ja', 'km', 'ko', 'vi', 'zh'])

/** Scripts in which nothing stands between the two. */
const unspaced = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー々]+$/u

function changeOf(entry: Entry, item: ContactToSave, returning: Returning): Change | Refusal {
  const { values } = entry
  const person = isNew(entry) ? item : sparing(values, item)
  const merged = applyChange(values, person, item.source, returning)
  if (isRefusal(merged)) return merged
  return Object.assign(merged, { entry, kind: kindOf(entry, merged) })
}

function kindOf(entry: Entry, { changed }: AppliedChange): Change['kind'] {
  if (isNew(entry)) return 'created'
  return changed.length > 0 ? 'updated' : 'unchanged'
}

/** Whether nothing of it is stored, and no other person of the set has created it. */
const isNew = ({ stored, values }: Entry) =>
  !stored && values.email === null && values.phone === null

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

/** Gives the entry its new values, and makes it the only one with its addresses. */
function keep(directory: Directory, entry: Entry, values: ContactValues): void {
  const { email, phone, external_id } = entry.values
  if (email !== values.email || phone !== values.phone || external_id !== values.external_id) {
    for (const address of keysOfEntry(entry.businessId, entry.values)) directory.delete(address)
  }
  for (const address of keysOfEntry(entry.businessId, values)) directory.set(address, entry)
  entry.values = values
}

// An email address has an @ and a number starts with +, so the two never meet.
function keysOfEntry(
  businessId: string,
  { email, phone, external_id }: Pick<ContactValues, 'email' | 'phone' | 'external_id'>,
): string[] {
  const ownKeys = email === null ? [] : [`${businessId} ${email}`]
  if (phone !== null) ownKeys.push(`${businessId} ${phone}`)
  if (external_id !== null) ownKeys.push(externalIdKey(businessId, external_id))
  return ownKeys
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

/** The outcome of a step, once as much of the plan as possible was written. */
export function outcomeOf(
  { result, seen }: Step,
  failures: FailedEntries,
): Change | Refusal | 'again' {
  const missing = failures.size === 0 ? undefined : seen.find((entry) => failures.has(entry))
  if (!missing) return result
  // A refusal that depended on a contact that was not written must be computed again.
  return isRefusal(result) ? 'again' : (failures.get(missing) ?? 'again')
}

/** Entries that could not be written: the refusal, or `again` where the person must be retried. */
export type FailedEntries = ReadonlyMap<Entry, Refusal | 'again'>

/** The language of each business whose people need one for their names. */
export type LanguagesOfBusinesses = ReadonlyMap<Id<'business'>, string>

/** What a call says about how a person is called. */
export type NamesOfPerson = { readonly [field in (typeof textFields)[number]]?: string | undefined }

/** Whether the order of the person's names may be that of the business's language. */
export function needsLanguage({ name, first_name, last_name, language }: NamesOfPerson): boolean {
  return (first_name ?? last_name) !== undefined && name === undefined && language === undefined
}
