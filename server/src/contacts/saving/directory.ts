/**
 * The contacts that a set of people may be, by their addresses: as they are stored, and
 * as they become while one person after another is taken in.
 */
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { ContactToSave, ContactValues } from '../model/contact.ts'
import { blank } from './apply-changes.ts'

/** A contact, stored or to be. */
export interface Entry {
  readonly businessId: Id<'business'>
  readonly id: Id<'contact'>
  /** As it is stored; undefined of a new one. */
  readonly stored: ContactValues | undefined
  values: ContactValues
}

export interface StoredContact extends ContactValues {
  businessId: Id<'business'>
  id: Id<'contact'>
}

/** Which contact a person is, and what was looked at to know it. */
export interface Found {
  entry: Entry | Refusal
  seen: Entry[]
}

export interface Directory {
  find(item: ContactToSave): Found
  /** Gives the entry its new values, and its addresses to it alone. */
  keep(entry: Entry, values: ContactValues): void
}

export function createDirectory(rows: readonly StoredContact[]): Directory {
  const byAddress = new Map<string, Entry>()
  const keep = (entry: Entry, values: ContactValues): void => {
    for (const address of addressesOf(entry.businessId, entry.values)) byAddress.delete(address)
    for (const address of addressesOf(entry.businessId, values)) byAddress.set(address, entry)
    entry.values = values
  }
  for (const { businessId, id, ...values } of rows) {
    keep({ businessId, id, stored: values, values }, values)
  }
  return {
    keep,
    find(item) {
      const { businessId, email, phone } = item
      const one = email === undefined ? undefined : byAddress.get(`${businessId} ${email}`)
      const other = phone === undefined ? undefined : byAddress.get(`${businessId} ${phone}`)
      const seen = [one, other].filter((entry) => entry !== undefined)
      if (one && other && one !== other) return { entry: areTwo(one, other), seen }
      const entry = one ?? other
      if (!entry) return { entry: newEntry(businessId), seen }
      if (email !== undefined && ![null, email].includes(entry.values.email)) {
        return { entry: isAnother(entry), seen }
      }
      return { entry, seen }
    },
  }
}

function newEntry(businessId: Id<'business'>): Entry {
  return { businessId, id: newId('contact'), stored: undefined, values: blank }
}

// An email address has an @ and a number starts with +, so the two never meet.
function addressesOf(businessId: string, { email, phone }: ContactValues): string[] {
  return [email, phone].filter((one) => one !== null).map((one) => `${businessId} ${one}`)
}

function areTwo(byEmail: Entry, byPhone: Entry): Refusal {
  const ids = [formatId('contact', byEmail.id), formatId('contact', byPhone.id)]
  const text = `The email address is that of contact ${ids[0]}, the phone number that of ${ids[1]}. Merge the two if they are one person; or name one address alone, and the contact it belongs to is changed.`
  return refuse('conflict', text, {
    field: 'phone',
    data: { contact_ids: ids },
    fix: {
      tool: 'contact.merge',
      arguments: { contact_id: ids[0], other_contact_id: ids[1] },
    },
  })
}

function isAnother(byPhone: Entry): Refusal {
  const id = formatId('contact', byPhone.id)
  const text = `The phone number is that of contact ${id}, which has another email address. Name the phone number alone to change that contact, or the email address alone for another.`
  return refuse('conflict', text, { field: 'phone', data: { contact_ids: [id] } })
}
