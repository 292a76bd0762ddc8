import { type Id, parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import { Type } from '../lib/schema/schema.ts'
import { byFeed, checkPossible, type Feed, feedIdInput, noSuchFeed } from './feed.ts'

export const feedDelete = operation({
  name: 'feed.delete',
  title: 'Delete a feed',
  area: 'campaigns',
  summary:
    'Permanently delete a feed that does not run. Its mails stay as campaigns, with their results.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/feeds/:feed_id',
  locate: { feed_id: byFeed },
  input: { feed_id: feedIdInput },
  output: Type.Object({ feed_id: Type.String(), deleted: Type.Boolean() }),

  run({ business, origin, now, write }, { feed_id }) {
    return write(async (tx) => {
      const id = parseId('feed', feed_id) ?? null
      const gone = await tx.maybe<{
        id: Id<'feed'>
        status: Feed['status']
        deletedAt: Date | null
      }>(sql`
        select id, status, deleted_at as "deletedAt" from feeds
        where business_id = ${business.id} and id = ${id} for update
      `)
      if (!gone) throw noSuchFeed(feed_id)
      if (gone.deletedAt) return { feed_id, deleted: true }
      checkPossible('delete', gone)
      await tx.run(sql`
        update feeds set name = '', definition = '{}', started = null, wanted = null, title = null,
          due_at = null, deleted_at = ${now}
        where business_id = ${business.id} and id = ${gone.id}
      `)
      await tx.run(sql`
        delete from feed_items where business_id = ${business.id} and feed_id = ${gone.id}
      `)
      const entry = { businessId: business.id, action: 'feed.delete', subject: feed_id, origin }
      await recordAudit(tx, [entry], now)
      return { feed_id, deleted: true }
    })
  },
})
