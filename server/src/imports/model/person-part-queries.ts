/** The data of one person that imports of the last days keep in order to be undone. */

import type { PersonPage, PersonRow } from '../../contacts/exporting/person-part.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export function changeRows(
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
