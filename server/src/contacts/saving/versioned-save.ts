/** Saves a contact that a person edits, unless it was changed since they read it. */
import { refuseStale, versionOfNothing } from '../../accounts/saves/stale-save.ts'
import type { Refusal } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import type { Principal, Writing } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Contact, ContactToSave, SavedContact } from '../contact.ts'
import { findContact } from '../model/list-queries.ts'
import { versionOf } from '../model/version.ts'
import { lockByEmail, lockByPhone } from '../rows.ts'
import { saveContacts } from '../save.ts'

interface VersionedSave {
  person: ContactToSave
  ifVersion: number
  principal: Principal
  now: Date
}

export function saveVersioned(
  write: Writing['write'],
  asked: VersionedSave,
): Promise<SavedContact | Refusal> {
  return write((tx) => saveFromVersion(tx, asked))
}

async function saveFromVersion(
  tx: Tx,
  { person, ifVersion, principal, now }: VersionedSave,
): Promise<SavedContact | Refusal> {
  const stored = await lockContact(tx, person)
  if (!stored) return versionOfNothing('contact')
  const stale = await refuseStale(tx, principal, {
    noun: 'contact',
    object: { businessId: person.businessId, objectId: stored.id },
    ifVersion,
    version: versionOf(stored),
    ...comparison(person, stored),
    fix: {
      tool: 'contact.get',
      arguments: { contact_id: formatId('contact', stored.id) },
    },
  })
  if (stale) return stale
  const [saved] = await saveContacts.save(tx, [person], now)
  if (!saved) throw new Error('a contact that was saved has no outcome')
  return saved
}

/** The contact with the address, or if nobody has it, the one with the phone number. */
async function lockContact(
  tx: Tx,
  { businessId, email, phone }: ContactToSave,
): Promise<Contact | undefined> {
  const [byEmail] =
    email === undefined ? [] : await lockByEmail(tx, [{ businessId, address: email }])
  const [byPhone] =
    byEmail || phone === undefined ? [] : await lockByPhone(tx, [{ businessId, address: phone }])
  const locked = byEmail ?? byPhone
  return locked && findContact(tx, businessId, locked.id)
}

/**
 * What the call gives, beside the same fields as they are stored. Consent is left out: each change
 * of it is kept with its evidence, so that none replaces another.
 */
function comparison(person: ContactToSave, stored: Contact) {
  const yours: Record<string, unknown> = {}
  const theirs: Record<string, unknown> = {}
  for (const field of ['email', 'phone', 'name', 'language'] as const) {
    if (person[field] === undefined) continue
    yours[field] = person[field]
    theirs[field] = stored[field]
  }
  if (person.tags || person.removeTags) {
    const gone = new Set(person.removeTags)
    const kept = stored.tags.filter((tag) => !gone.has(tag))
    yours['tags'] = [...new Set([...kept, ...(person.tags ?? [])])]
    theirs['tags'] = [...stored.tags]
  }
  for (const [key, value] of Object.entries(person.attributes ?? {})) {
    yours[`attributes.${key}`] = value
    theirs[`attributes.${key}`] = stored.attributes[key] ?? null
  }
  return { yours, theirs }
}
