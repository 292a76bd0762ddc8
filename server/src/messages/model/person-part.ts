import type { PersonPart } from '../../contacts/exporting/person-part.ts'
import { messageRows } from './person-part-queries.ts'

export const messagePersonPart: PersonPart = {
  name: 'messages',
  tables: ['messages', 'message_contents', 'message_events', 'link_visits'],
  page: (db, { businessId, contact }, page) =>
    messageRows(db, { businessId, id: contact.id }, page),
}
