import { operation } from '../core/operation.ts'
import {
  highestId,
  inView,
  isBrief,
  nextCursor,
  pageFrom,
  pageInput,
  pageOf,
  viewInput,
} from '../core/paging.ts'
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
    view: viewInput,
    ...pageInput,
  },
  seldom: ['view'],
  output: Type.Object({ feeds: Type.Array(Type.Object(feedFields)), next_cursor: nextCursor }),

  async run(context, { waiting = false, view, ...paging }) {
    const { db, business } = context
    const page = pageOf('feed', paging)
    const rows = await db.all<Feed>(sqlWithin`
      select ${wholeFeed} from feeds
      where business_id = ${business.id} and id < ${page.before ?? highestId} and deleted_at is null
        and (not ${waiting}::boolean or wanted is not null)
      order by id desc limit ${page.limit}
    `)
    const brief = isBrief(context, view)
    const shownOf = (row: Feed) => inView(fieldsOf(row), { brief, fields: briefFields })
    const { shown: feeds, next } = pageFrom('feed', rows, page, shownOf)
    return { feeds: feeds.map(shownOf), ...next }
  },
})

const briefFields = [
  'feed_id',
  'name',
  'status',
  'url',
  'untrusted',
  'start_waits',
  'pause_reason',
  'next_issue_at',
  'problem',
  'issues',
] as const
