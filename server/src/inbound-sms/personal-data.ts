import type { PersonalData } from '../contacts/erasure/personal-data.ts'
import { deleteRepliesOf, moveReplies } from './personal-data-queries.ts'

/** What a person texted. STOP is remembered elsewhere, by the HMAC of the number. */
export const replyPersonalData: PersonalData = {
  async move(tx, moved) {
    await moveReplies(tx, moved)
  },
  async forget(tx, erased) {
    await deleteRepliesOf(tx, erased)
    return true
  },
}
