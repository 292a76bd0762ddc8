/**
 * Plans the saving of a set of people before anything is written: which contact each of them is,
 * and what that contact becomes. Each person is planned upon the results of those before it.
 */
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { type AppliedChange, applyChange, blankContact } from '../changes.ts'
import type { ContactToSave, ContactValues, SavedContact } from '../contact.ts'
import type { StoredContact } from '../rows.ts'
import type { Returning } from './may-return.ts'
import { leftAtOf, type OptOuts, type SuppressedAddresses, suppressedIn } from './opt-outs.ts'
import { sparing } from './sparing.ts'

/** A person to save, and the index of its outcome in the result. */
export interface PersonToSave {
  item: ContactToSave
  place: number
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

interface Known {
  optOuts: OptOuts
  suppressed: SuppressedAddresses
  now: Date
}

/** Plans the next people against the directory, which then shows them as they become. */
export function planSaving(
  directory: Directory,
  asked: readonly PersonToSave[],
  { optOuts, suppressed, now }: Known,
): Plan {
  const plan: Plan = { steps: [], added: new Map(), altered: new Set() }
  for (const { item, place } of asked) {
    const { entry, seen } = find(directory, item)
    const result = isRefusal(entry)
      ? entry
      : changeOf(entry, item, {
          now,
          leftAt: leftAtOf(entry, optOuts),
          returnedAt: entry.returnedAt ?? undefined,
          pendingSince: entry.pendingSince ?? undefined,
          mustConfirm: item.mustConfirm === true,
          suppressed: suppressedIn(entry, item, suppressed),
        })
    plan.steps.push({ item, place, result, seen: isRefusal(result) ? seen : [result.entry] })
    if (isRefusal(result) || result.kind === 'unchanged') continue
    keep(directory, result.entry, result.values)
    if (result.confirmation?.leftAt) result.entry.pendingSince = result.confirmation.leftAt
    if (result.entry.stored) plan.altered.add(result.entry)
    else if (result.kind === 'created') plan.added.set(result.entry, item)
  }
  return plan
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
  const { businessId, email, phone } = item
  const byEmail = email === undefined ? undefined : directory.get(`${businessId} ${email}`)
  const byPhone = phone === undefined ? undefined : directory.get(`${businessId} ${phone}`)
  const seen: Entry[] = []
  if (byEmail) seen.push(byEmail)
  if (byPhone) seen.push(byPhone)
  if (byEmail && byPhone && byEmail !== byPhone) return { entry: areTwo(byEmail, byPhone), seen }
  const entry = byEmail ?? byPhone
  if (!entry) {
    const id = newId('contact')
    return { entry: { businessId, id, stored: undefined, values: blankContact }, seen }
  }
  const { email: own } = entry.values
  if (email !== undefined && own !== null && own !== email) return { entry: isAnother(entry), seen }
  return { entry, seen }
}

/** Gives the entry its new values, and makes it the only one with its addresses. */
function keep(directory: Directory, entry: Entry, values: ContactValues): void {
  if (entry.values.email !== values.email || entry.values.phone !== values.phone) {
    for (const address of addressesOf(entry.businessId, entry.values)) directory.delete(address)
  }
  for (const address of addressesOf(entry.businessId, values)) directory.set(address, entry)
  entry.values = values
}

// An email address has an @ and a number starts with +, so the two never meet.
function addressesOf(businessId: string, { email, phone }: ContactValues): string[] {
  const found = email === null ? [] : [`${businessId} ${email}`]
  if (phone !== null) found.push(`${businessId} ${phone}`)
  return found
}

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
