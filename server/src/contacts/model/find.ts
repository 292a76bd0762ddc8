import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Contact } from '../contact.ts'
import { findContact, findMergedInto } from '../rows.ts'
import type { Topic } from './topic.ts'
import { findTopic, listTopics } from './topic-queries.ts'

/** Reads one contact, for other domains; undefined if the business has none with this id. */
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

/** The topics of a business, archived ones included, for other domains. */
export function topicsOf(db: Db, businessId: Id<'business'>): Promise<Topic[]> {
  return listTopics(db, businessId)
}

export function topicOf(
  db: Db,
  businessId: Id<'business'>,
  key: string,
): Promise<Topic | undefined> {
  return findTopic(db, businessId, key)
}
