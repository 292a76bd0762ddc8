/** What an import did to a contact, field by field, so that it can be undone. */

import type { FieldValues } from '../../contacts/saving/field-values.ts'
import type { Id } from '../../core/ids.ts'

export interface ImportChange {
  contactId: Id<'contact'>
  /** Null of a contact that the import made. */
  before: FieldValues | null
  after: FieldValues | null
  /** As the contact's `updatedAt` has it, while nobody else has touched it since. */
  changedAt: Date
}
