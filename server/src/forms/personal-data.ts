import type { PersonalData } from '../contacts/erasure/personal-data.ts'
import { deleteSubmissionsOf, moveSubmissions } from './personal-data-queries.ts'

/** What a person answered. The counts of the forms stay: that so many answered is true. */
export const submissionPersonalData: PersonalData = {
  async move(tx, moved) {
    await moveSubmissions(tx, moved)
  },
  async forget(tx, { businessId, contactIds }) {
    await deleteSubmissionsOf(tx, businessId, contactIds)
    return true
  },
}
