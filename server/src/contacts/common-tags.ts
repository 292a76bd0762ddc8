import type { Db } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import { countTags } from './list-queries.ts'

/** Of contacts that came last: a business's tags are those it uses. */
const lookedAt = 5_000

/** Tags of a business's contacts, the most used first. */
export async function commonTags(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<string[]> {
  const rows = await countTags(db, businessId, { lookedAt, limit })
  return rows.map(({ tag }) => tag)
}
