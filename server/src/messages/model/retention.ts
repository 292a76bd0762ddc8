/** Retention of message bodies: the message itself and its outcome stay. */
import type { RetainedData } from '../../accounts/businesses/retention.ts'
import { lowestIdAt } from '../../core/ids.ts'
import { countBodies, deleteBodies } from './retention-queries.ts'

export const retainedMessages: RetainedData = {
  kind: 'messages',

  count: (db, { businessId, before }, most) =>
    countBodies(db, { businessId, below: lowestIdAt('message', before), most }),

  async deleteSome(tx, { businessId, before, after, size }) {
    const below = lowestIdAt('message', before)
    const { deleted, last, looked } = await deleteBodies(tx, { businessId, below, after, size })
    return { count: deleted, next: looked < size ? null : last }
  },
}
