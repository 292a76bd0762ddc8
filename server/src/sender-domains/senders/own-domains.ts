import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

/** The domains that are the business's own: those that it has verified. */
export async function verifiedDomainsOf(db: Db, businessId: Id<'business'>): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select name from domains where business_id = ${businessId} and status <> 'pending'
  `)
  return rows.map(({ name }) => name)
}
