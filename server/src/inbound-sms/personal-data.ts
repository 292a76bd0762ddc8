import type { PersonalData } from '../contacts/erasure/personal-data.ts'
import { deleteRepliesOf, moveReplies } from './personal-data-queries.ts'

/** The texts of a person. STOP is remembered elsewhere, by a hash of the number. */
export const replyPersonalData: PersonalData = {
  async move(tx, moved) {
    await moveReplies(tx, moved)
  },
  async forget(tx, erased) {
    await deleteRepliesOf(tx, erased)
    return true
  },
}
