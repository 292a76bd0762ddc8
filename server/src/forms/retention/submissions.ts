/** Retention of form answers: submissions are deleted, the contact and its timeline stay. */
import type { RetainedData } from '../../accounts/businesses/retention.ts'
import { lowestIdAt } from '../../core/ids.ts'
import { countOldSubmissions, deleteOldSubmissions } from './submission-queries.ts'

export const retainedSubmissions: RetainedData = {
  kind: 'submissions',

  count: (db, { businessId, before }, most) =>
    countOldSubmissions(db, { businessId, below: lowestIdAt('submission', before), most }),

  async deleteSome(tx, { businessId, before, size }) {
    const below = lowestIdAt('submission', before)
    const count = await deleteOldSubmissions(tx, { businessId, below, most: size })
    // Every row that a batch examines is deleted, so each batch starts again at the oldest row.
    return { count, next: count < size ? null : below }
  },
}
