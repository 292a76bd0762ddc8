import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
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
