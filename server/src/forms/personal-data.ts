import type { PersonalData } from '../contacts/personal-data.ts'
import { deleteSubmissionsOf, moveSubmissions } from './personal-data-queries.ts'

/**
 * Moves and erases the submissions of a contact. The forms' submission counts do not change,
 * because that many submissions were made.
 */
export const submissionPersonalData: PersonalData = {
  async move(tx, moved) {
    await moveSubmissions(tx, moved)
  },
  async forget(tx, { businessId, contactIds }) {
    await deleteSubmissionsOf(tx, businessId, contactIds)
    return true
  },
}
