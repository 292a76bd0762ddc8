/** The data that each domain holds about one person, for a request for access (GDPR article 15). */

import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Contact } from '../contact.ts'

export interface ExportedPerson {
  businessId: Id<'business'>
  /** The current contact. Rows of contacts that were merged into it count as its own. */
  contact: Contact
  hmac: Hmac
}

export interface PersonRow {
  /** The key after which the next page begins. */
  key: string
  /** The columns of the row, without hashes and columns that only our queues need. */
  row: Record<string, unknown>
}

export interface PersonPage {
  after: string
  limit: number
}

export interface PersonPart {
  name: string
  /** The tables that it covers; a test compares them with all tables that name a contact. */
  tables: readonly string[]
  page(db: Db, person: ExportedPerson, page: PersonPage): Promise<PersonRow[]>
}
