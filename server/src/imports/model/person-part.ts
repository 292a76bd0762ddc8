import type { PersonPage, PersonPart, PersonRow } from '../../contacts/exporting/person-part.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export const importPersonPart: PersonPart = {
  name: 'import_changes',
  tables: ['import_changes'],
  page: (db, { businessId, contact }, page) => changeRows(db, { businessId, id: contact.id }, page),
}

/** The data of one person that imports of the last days keep in order to be undone. */
function changeRows(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'contact'> },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select h.import_id::text as key, to_jsonb(h) - '{business_id,contact_id}'::text[] as row
    from import_changes h
    where h.business_id = ${businessId} and h.contact_id = ${id} and h.import_id::text > ${after}
    order by h.import_id::text limit ${limit}
  `)
}
