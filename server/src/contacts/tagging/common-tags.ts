import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

/** How many of the newest contacts are examined: they show the tags in current use. */
const contactsExamined = 5_000

/** The tags of a business's contacts, most used first. */
export async function commonTags(
  db: Db,
  businessId: Id<'business'>,
  limit: number,
): Promise<string[]> {
  const rows = await db.all<{ tag: string }>(sql`
    select tag from (
      select tags from contacts where business_id = ${businessId}
      order by id desc limit ${contactsExamined}
    ) newest, unnest(tags) as tag
    group by tag order by count(*) desc, tag collate "C" limit ${limit}
  `)
  return rows.map(({ tag }) => tag)
}
