/** What each domain holds about one person, for whoever asks what is known about them (GDPR article 15). */

import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Contact } from '../model/contact.ts'

export interface ExportedPerson {
  businessId: Id<'business'>
  /** As the contact is now; the rows of former contacts that became it are its own. */
  contact: Contact
  hmac: Hmac
}

export interface PersonRow {
  /** The next page begins after it. */
  key: string
  /** The columns of the row, without hashes and what only our queues need. */
  row: Record<string, unknown>
}

export interface PersonPage {
  after: string
  limit: number
}

export interface PersonPart {
  name: string
  /** Tables that it tells of: a test compares them with those that name a contact. */
  tables: readonly string[]
  page(db: Db, person: ExportedPerson, page: PersonPage): Promise<PersonRow[]>
}
