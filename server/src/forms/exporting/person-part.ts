import type { PersonPart } from '../../contacts/exporting/person-part.ts'
import { submissionRows } from './person-part-queries.ts'

export const submissionPersonPart: PersonPart = {
  name: 'submissions',
  tables: ['submissions'],
  page: (db, { businessId, contact }, page) =>
    submissionRows(db, { businessId, id: contact.id }, page),
}
