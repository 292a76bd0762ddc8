/** Answers to forms: the submissions go, the contact and its timeline stay. */
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
    // All that are looked at are deleted, so each batch begins anew at the oldest.
    return { count, next: count < size ? null : below }
  },
}
