import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import { checkSending } from '../accounts/stops/stops.ts'
import { refuseBlocked } from '../campaigns/preflight/gates/gate.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { isApprover, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  byFeed,
  checkPossible,
  type Feed,
  type FeedDefinition,
  type FeedOrder,
  feedFields,
  feedIdInput,
  fieldsOf,
  lockFeed,
  queueLook,
  readFeed,
  type StartedFeed,
  writeFeed,
} from './feed.ts'
import { type FeedParts, type FeedPlan, planOf } from './preview.ts'
import { nextTime } from './schedule.ts'

export const planHashInput = Type.String({ maxLength: 100, description: 'Of the preview.' })

export function feedStart(parts: FeedParts) {
  return operation({
    name: 'feed.start',
    title: 'Start a feed',
    area: 'campaigns',
    summary:
      'From now on new items of the feed go out by mail, at its times. What is in the feed already is not sent, but for begin_with. With plan_hash it is refused if the feed, its hosts or the sender changed since. What a connection or key starts waits for a person at approval_url.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/feeds/:feed_id/start',
    locate: { feed_id: byFeed },
    input: { feed_id: feedIdInput, plan_hash: Type.Optional(planHashInput) },
    output: Type.Object({
      ...feedFields,
      approval_url: Type.Optional(Type.String()),
      approval_reason: Type.Optional(Type.Enum(['program', 'two_people'])),
    }),

    async run(context, { feed_id, plan_hash }) {
      const { db, business, principal, origin, now, write } = context
      const feed = await readFeed(db, business.id, feed_id)
      checkPossible('start', feed)
      const plan = await planOf(context, parts, feed)
      checkPlan(feed, plan, plan_hash)
      const deploying = await readDeploySettings(db, business.id)
      const reason = deploying?.twoPeople
        ? ('two_people' as const)
        : isApprover(principal, business)
          ? undefined
          : ('program' as const)
      const path = `/b/${formatId('business', business.id)}/feeds/${feed_id}`
      const order: FeedOrder = {
        ...plan.order,
        userId: principal.userId,
        connectionId: origin.connectionId,
        callId: parseId('request', origin.callId) ?? null,
      }
      return write(async (tx) => {
        const locked = await lockFeed(tx, business.id, feed_id)
        checkPossible('start', locked)
        if (locked.version !== feed.version) throw driftedPlan(locked)
        const details = { version: locked.version, waits: reason !== undefined }
        const entry = { businessId: business.id, action: 'feed.start', subject: feed_id }
        await recordAudit(tx, [{ ...entry, details, origin }], now)
        if (reason) {
          const isNew = locked.status === 'draft'
          const waiting: Feed = {
            ...locked,
            ...(isNew && { status: 'awaiting_approval' as const }),
            wanted: order,
            updatedAt: now,
          }
          await writeFeed(tx, business.id, waiting)
          const wait = { approval_url: `${parts.appUrl}${path}`, approval_reason: reason }
          return { ...fieldsOf(waiting), ...wait }
        }
        const bounds = { decidedBy: principal.userId, people: null, endsAt: null }
        return fieldsOf(await begin(tx, business.id, locked, { order, bounds, now }))
      })
    },
  })
}

/** Refuses what a gate blocks, or what is not what the preview showed. */
export function checkPlan(feed: Feed, plan: FeedPlan, hash: string | undefined): void {
  if (hash !== undefined && hash !== plan.hash) throw driftedPlan(feed)
  const blocked = refuseBlocked(plan.gates)
  if (blocked) throw blocked
}

export function driftedPlan({ id }: Pick<Feed, 'id'>) {
  const text =
    'The feed, its hosts, the segment or the sender changed since the preview: look at the preview again. Nothing was started.'
  return refuse('conflict', text, {
    field: 'plan_hash',
    data: { reason: 'drifted' },
    fix: { tool: 'feed.preview', arguments: { feed_id: formatId('feed', id) } },
  })
}

interface Beginning {
  order: FeedOrder
  bounds: Pick<StartedFeed, 'decidedBy' | 'people' | 'endsAt'>
  now: Date
}

/** Another mapping may name each item anew, and what is old would be news. */
const sameItems = (before: FeedDefinition, after: FeedDefinition): boolean =>
  before.url === after.url && JSON.stringify(before.mapping) === JSON.stringify(after.mapping)

/** Its items are read at once: what is there by now is not news. Another version of it goes on. */
export async function begin(
  tx: Tx,
  businessId: Id<'business'>,
  feed: Feed,
  { order, bounds, now }: Beginning,
): Promise<Feed> {
  await checkSending(tx, businessId)
  const zone = await timeZoneOf(tx, businessId)
  const isSame = feed.started !== null && sameItems(feed.started.definition, order.definition)
  const begun: Feed = {
    ...feed,
    status: 'running',
    started: { ...order, ...bounds },
    pauseReason: null,
    wanted: null,
    dueAt: now,
    issueAt: nextTime(order.definition.schedule, now, zone),
    begunAt: isSame && feed.status === 'running' ? feed.begunAt : null,
    outcome: isSame ? feed.outcome : null,
    problem: null,
    failures: 0,
    etag: null,
    lastModified: null,
    updatedAt: now,
  }
  if (begun.begunAt === null) {
    // What waited is no news any more, and the words of another address are nothing of this feed.
    await tx.run(sql`
      update feed_items set issue = coalesce(issue, 0),
        item = case when ${isSame}::boolean then item end
      where business_id = ${businessId} and feed_id = ${feed.id}
        and (issue is null or not ${isSame}::boolean)
    `)
  }
  await writeFeed(tx, businessId, begun)
  await queueLook(tx, businessId, begun, now)
  return begun
}
