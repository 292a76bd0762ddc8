import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import type { Contact } from './contact.ts'
import { findContact, findMergedInto } from './rows.ts'

/**
 * Reads one contact; undefined if the business has none with this id. The
 * statements in `rows.ts` must not be imported by other domains; they use this instead.
 */
export function readContact(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'contact'>,
): Promise<Contact | undefined> {
  return findContact(db, businessId, id)
}

/** Reads a contact by an id that may be old; for a merged contact, returns the one it became. */
export async function readCurrentContact(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'contact'>,
): Promise<Contact | undefined> {
  return (await findContact(db, businessId, id)) ?? findMergedInto(db, businessId, id)
}
