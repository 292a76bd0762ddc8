import type { PersonPart } from '../contacts/exporting/person-part.ts'
import type { PersonalData } from '../contacts/personal-data.ts'
import { deleteRepliesOf, moveReplies, replyRows } from './personal-data-queries.ts'

/** Moves and erases a person's texts. STOP is stored elsewhere, by a hash of the number. */
export const replyPersonalData: PersonalData = {
  async move(tx, moved) {
    await moveReplies(tx, moved)
  },
  async forget(tx, erased) {
    await deleteRepliesOf(tx, erased)
    return true
  },
}

export const replyPersonPart: PersonPart = {
  name: 'replies',
  tables: ['replies'],
  page: (db, { businessId, contact }, page) => replyRows(db, { ...contact, businessId }, page),
}
