import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import { checkSending } from '../accounts/stops/stops.ts'
import { refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { isApprover, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sqlWithin } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  byFeed,
  checkPossible,
  type Feed,
  feedFields,
  feedIdInput,
  fieldsOf,
  lockFeed,
  queueLook,
  type StartedFeed,
  wholeFeed,
  writeFeed,
} from './feed.ts'
import { nextTime } from './schedule.ts'

export const feedResume = operation({
  name: 'feed.resume',
  title: 'Resume a feed',
  area: 'campaigns',
  summary:
    'Go on with a paused feed at its next time. What came meanwhile goes into the next mail; after a restore it does not.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  rest: 'POST /v1/feeds/:feed_id/resume',
  locate: { feed_id: byFeed },
  input: { feed_id: feedIdInput },
  output: Type.Object(feedFields),
  run: ({ business, principal, origin, now, write }, { feed_id }) =>
    write(async (tx) => {
      const feed = await lockFeed(tx, business.id, feed_id)
      checkPossible('resume', feed)
      if (feed.status === 'running') return fieldsOf(feed)
      if (!feed.started) throw new Error('a feed that was paused and never started')
      await checkSending(tx, business.id)
      if (feed.pauseReason === 'stopped' && !isApprover(principal, business)) {
        const text =
          'A person stopped it together with its assistant, or with all sending: an admin or owner resumes it in the app.'
        throw refuse('conflict', text, { data: { reason: 'stopped' } })
      }
      const resumed = await resume(tx, business.id, { ...feed, started: feed.started }, now)
      const entry = { businessId: business.id, action: 'feed.resume', subject: feed_id, origin }
      await recordAudit(tx, [entry], now)
      return fieldsOf(resumed)
    }),
})

/** It is read at once, so that what came meanwhile is known, and goes on at its next time. */
async function resume(
  tx: Tx,
  businessId: Id<'business'>,
  feed: Feed & { started: StartedFeed },
  now: Date,
): Promise<Feed> {
  const zone = await timeZoneOf(tx, businessId)
  const resumed: Feed = {
    ...feed,
    status: 'running',
    pauseReason: null,
    dueAt: now,
    issueAt: nextTime(feed.started.definition.schedule, now, zone),
    failures: 0,
    updatedAt: now,
  }
  await writeFeed(tx, businessId, resumed)
  await queueLook(tx, businessId, resumed, now)
  return resumed
}

interface Resuming {
  businessId: Id<'business'>
  /** Set for what one connection ordered; null for all. */
  connectionId: Id<'connection'> | null
  now: Date
}

/** Resumes the feeds that a stop paused, unless another stop still holds them. */
export async function resumeFeeds(
  tx: Tx,
  { businessId, connectionId, now }: Resuming,
): Promise<number> {
  const feeds = await tx.all<Feed & { started: StartedFeed }>(sqlWithin`
    select ${wholeFeed} from feeds f
    where business_id = ${businessId} and status = 'paused' and pause_reason = 'stopped'
      and started is not null
      and (${connectionId}::uuid is null or (started ->> 'connectionId')::uuid = ${connectionId})
      and not exists (
        select from sending_stops s
        where s.business_id = ${businessId}
          and s.stopped_id in (${businessId}, (f.started ->> 'connectionId')::uuid)
      )
    order by id for update
  `)
  for (const feed of feeds) await resume(tx, businessId, feed, now)
  return feeds.length
}
