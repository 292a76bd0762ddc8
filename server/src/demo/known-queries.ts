import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'

/** The first contacts of a business, to whom its past events refer. */
export function listKnown(
  db: Db,
  businessId: Id<'business'>,
): Promise<{ id: Id<'contact'>; email: string; name: string }[]> {
  return db.all(sql`
    select id, email, name from contacts where business_id = ${businessId} order by id limit 40
  `)
}
