import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Contact } from './contact.ts'
import { findContact } from './list-queries.ts'

/** Reads one contact, for other domains; undefined where the business has none of this id. */
export function readContact(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'contact'>,
): Promise<Contact | undefined> {
  return findContact(db, businessId, id)
}
