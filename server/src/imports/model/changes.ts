/** The changes that an import made to a contact, field by field, so that they can be undone. */

import type { FieldValues } from '../../contacts/field-values.ts'
import type { Id } from '../../core/ids.ts'

export interface ImportChange {
  contactId: Id<'contact'>
  /** Null if the import created the contact. */
  before: FieldValues | null
  after: FieldValues | null
  /** Equal to the contact's `updatedAt` as long as nothing else has changed the contact since. */
  changedAt: Date
}
