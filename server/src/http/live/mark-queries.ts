/**
 * What a look compares with the one before: for each topic a text that differs whenever something
 * has changed that pages show and that is no event. It reads tables of several domains in one
 * statement, which is made each second while somebody watches; each part reads a few rows.
 */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

/** The topics, each named by the noun of the operations whose answers change with it. */
export const markedTopics = [
  'campaign',
  'domain',
  'form',
  'import',
  'reply',
  'segment',
  'template',
  'webhook',
] as const

export type Marks = Record<(typeof markedTopics)[number], string | null>

export function readMarks(db: Db, businessId: Id<'business'>): Promise<Marks> {
  return db.one<Marks>(sql`
    select
      (select concat_ws(' ', count(*), extract(epoch from max(updated_at)),
          (select extract(epoch from max(updated_at)) from campaign_runs
            where business_id = ${businessId}))
        from campaigns where business_id = ${businessId}) as campaign,
      (select concat_ws(' ', count(*), sum(revision), extract(epoch from max(checked_at)),
          extract(epoch from max(updated_at)))
        from domains where business_id = ${businessId}) as domain,
      (select concat_ws(' ', count(*), sum(submission_count), extract(epoch from max(updated_at)),
          extract(epoch from max(guarded_until)))
        from forms where business_id = ${businessId}) as form,
      (select string_agg(
          concat_ws(' ', id, state, uploads, next_byte, next_row, worked_ms, counts), ',')
        from (
          select * from imports where business_id = ${businessId} order by id desc limit 20
        ) latest) as import,
      (select string_agg(concat_ws(' ', id, review), ',')
        from (
          select id, review from replies
          where business_id = ${businessId} order by id desc limit 50
        ) latest) as reply,
      (select concat_ws(' ', count(*), extract(epoch from max(updated_at)),
          extract(epoch from max(deleted_at)))
        from segments where business_id = ${businessId}) as segment,
      (select concat_ws(' ', count(*), extract(epoch from max(updated_at)))
        from templates where business_id = ${businessId} and campaign_id is null) as template,
      (select concat_ws(' ', string_agg(concat_ws(' ', id, ended_at), ','),
          (select concat_ws(' ', count(*), extract(epoch from max(updated_at)),
            extract(epoch from max(failing_since))) from webhooks
            where business_id = ${businessId}))
        from (
          select id, ended_at from webhook_attempts
          where business_id = ${businessId} order by id desc limit 50
        ) latest) as webhook
  `)
}
