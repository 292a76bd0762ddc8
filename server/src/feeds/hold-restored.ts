/**
 * After a restore, running feeds are paused. Their issues since the backup are not known, so what is in
 * the feed when they are resumed or started counts as had: nobody gets a mail twice. Items of issues before
 * the backup are not shown again either, since who got them is not known.
 */
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'

export async function holdRestoredFeeds(db: Database, now: Date): Promise<void> {
  const businesses = await db.all<{ id: Id<'business'> }>(
    sql`select id from businesses order by id`,
  )
  for (const { id } of businesses) {
    await db.tx(async (tx) => {
      await tx.run(sql`
        update feed_items set issue = coalesce(issue, 0), item = null
        where business_id = ${id} and (issue is null or item is not null)
          and feed_id in (select f.id from feeds f where f.business_id = ${id} and f.started is not null)
      `)
      await tx.run(sql`
        update feeds set begun_at = null, etag = null, last_modified = null, updated_at = ${now},
          started = jsonb_set(started::jsonb, '{definition,begin_with}', '0')::json,
          status = case when status = 'running' then 'paused' else status end,
          pause_reason = case when status = 'running' then 'restored' else pause_reason end,
          due_at = null
        where business_id = ${id} and started is not null
      `)
      await tx.run(sql`
        update feeds set definition = jsonb_set(definition::jsonb, '{begin_with}', '0')::json
        where business_id = ${id} and deleted_at is null
      `)
    })
  }
}
