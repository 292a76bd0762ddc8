import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { countTags } from './list-queries.ts'

/** How many of the newest contacts are examined: they show the tags in current use. */
const contactsExamined = 5_000

/** The tags of a business's contacts, most used first. */
export async function commonTags(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<string[]> {
  const rows = await countTags(db, businessId, { lookedAt: contactsExamined, limit })
  return rows.map(({ tag }) => tag)
}
