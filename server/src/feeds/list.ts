import { operation } from '../core/operation.ts'
import { highestId, nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { sqlWithin } from '../lib/db/db.ts'
import { Type } from '../lib/schema/schema.ts'
import { type Feed, feedFields, fieldsOf, wholeFeed } from './feed.ts'

export const feedList = operation({
  name: 'feed.list',
  title: 'List feeds',
  area: 'campaigns',
  summary: 'The feeds of a business, newest first. Free, changes nothing.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/feeds',
  input: {
    waiting: Type.Optional(
      Type.Boolean({ description: 'Only those that wait for a person’s decision.' }),
    ),
    ...pageInput,
  },
  output: Type.Object({ feeds: Type.Array(Type.Object(feedFields)), next_cursor: nextCursor }),

  async run({ db, business }, { waiting = false, ...paging }) {
    const page = pageOf('feed', paging)
    const rows = await db.all<Feed>(sqlWithin`
      select ${wholeFeed} from feeds
      where business_id = ${business.id} and id < ${page.before ?? highestId} and deleted_at is null
        and (not ${waiting}::boolean or wanted is not null)
      order by id desc limit ${page.limit}
    `)
    const { shown: feeds, next } = pageFrom('feed', rows, page, (feed) => feed)
    return { feeds: feeds.map(fieldsOf), ...next }
  },
})
