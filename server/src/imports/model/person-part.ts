import type { PersonPart } from '../../contacts/exporting/person-part.ts'
import { changeRows } from './person-part-queries.ts'

export const importPersonPart: PersonPart = {
  name: 'import_changes',
  tables: ['import_changes'],
  page: (db, { businessId, contact }, page) => changeRows(db, { businessId, id: contact.id }, page),
}
