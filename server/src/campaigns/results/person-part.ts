import type { PersonPart } from '../../contacts/exporting/person-part.ts'
import { recipientRows } from './person-part-queries.ts'

export const recipientPersonPart: PersonPart = {
  name: 'campaigns',
  tables: ['campaign_recipients', 'campaign_link_people'],
  page: (db, { businessId, contact }, page) =>
    recipientRows(db, { businessId, id: contact.id }, page),
}
