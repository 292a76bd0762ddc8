import type { PersonalData } from '../contacts/erasure/personal-data.ts'
import { deleteSubmissionsOf, moveSubmissions } from './personal-data-queries.ts'

/**
 * The submissions of a contact. The counts of the forms do not change: so many submissions were
 * made.
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
