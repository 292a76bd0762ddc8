import type { PersonPage, PersonPart, PersonRow } from '../../contacts/exporting/person-part.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export const submissionPersonPart: PersonPart = {
  name: 'submissions',
  tables: ['submissions'],
  page: (db, { businessId, contact }, page) =>
    submissionRows(db, { businessId, id: contact.id }, page),
}

/** One person's answers. They are found without an index, which would burden every submission. */
function submissionRows(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'contact'> },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select s.id::text as key,
      to_jsonb(s) - '{business_id,contact_id,connection_id,call_id}'::text[] as row
    from submissions s
    where s.business_id = ${businessId} and s.contact_id = ${id} and s.id::text > ${after}
    order by s.id::text limit ${limit}
  `)
}
