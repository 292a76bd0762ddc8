/** Removes network addresses and programs from evidence of consent; the agreed words stay. */
import type { RetainedData } from '../../accounts/businesses/retention.ts'
import { lowestIdAt } from '../../core/ids.ts'
import { blankConfirmations, blankEvidence, countTraced } from './evidence-queries.ts'

export const retainedEvidence: RetainedData = {
  kind: 'evidence',

  count: (db, { businessId, before }, most) =>
    countTraced(db, { businessId, below: lowestIdAt('consent', before), most }),

  async deleteSome(tx, { businessId, before, size }) {
    const below = lowestIdAt('consent', before)
    const asked = { businessId, below, most: size }
    const ledger = await blankEvidence(tx, asked)
    const confirmations = await blankConfirmations(tx, asked)
    // A blanked row is not found again, so each batch begins again at the oldest row.
    const isLast = ledger < size && confirmations < size
    return { count: ledger + confirmations, next: isLast ? null : below }
  },
}
