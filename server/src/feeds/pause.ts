import { operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  byFeed,
  checkPossible,
  type Feed,
  feedFields,
  feedIdInput,
  fieldsOf,
  lockFeed,
  writeFeed,
} from './feed.ts'

export const feedPause = operation({
  name: 'feed.pause',
  title: 'Pause a feed',
  area: 'campaigns',
  summary: 'Make no more mails of it. One that is being sent goes on: campaign.pause stops that.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/feeds/:feed_id/pause',
  locate: { feed_id: byFeed },
  input: { feed_id: feedIdInput },
  output: Type.Object(feedFields),
  run: ({ business, origin, now, write }, { feed_id }) =>
    write(async (tx) => {
      const feed = await lockFeed(tx, business.id, feed_id)
      checkPossible('pause', feed)
      if (feed.status === 'paused') return fieldsOf(feed)
      const paused: Feed = {
        ...feed,
        status: 'paused',
        pauseReason: 'requested',
        dueAt: null,
        updatedAt: now,
      }
      await writeFeed(tx, business.id, paused)
      const entry = { businessId: business.id, action: 'feed.pause', subject: feed_id, origin }
      await recordAudit(tx, [entry], now)
      return fieldsOf(paused)
    }),
})
