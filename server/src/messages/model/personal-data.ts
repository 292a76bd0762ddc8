import type { PersonalData } from '../../contacts/personal-data.ts'
import {
  blankMessages,
  cancelScheduled,
  hasOpenMessages,
  moveMessages,
} from './personal-data-queries.ts'

/**
 * The messages of a contact. A message that is being sent finishes by itself: eligibility is
 * checked once more before it is sent, and an erased person gets nothing.
 */
export const messagePersonalData: PersonalData = {
  async move(tx, moved) {
    await moveMessages(tx, moved)
  },
  async forget(tx, erased, now) {
    await cancelScheduled(tx, erased, now)
    await blankMessages(tx, erased)
    return !(await hasOpenMessages(tx, erased))
  },
}
