/**
 * Looks for new items of a feed, and makes an issue of them when one is due. An issue is a campaign: it
 * is ordered like one, and its recipients, caps, brake and results are those of campaigns. The items are
 * stored first; the campaign, the items that went into it and the time of the next look are then written
 * in one transaction, so that whatever is interrupted is done once.
 */

import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import { campaignLimits } from '../campaigns/campaign.ts'
import { orderIssue } from '../campaigns/order-issue.ts'
import { isRefusal, orRefusal, type Refusal } from '../core/errors.ts'
import { formatId, type Id, newId } from '../core/ids.ts'
import { queueNotice } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import type { Job, JobKinds } from '../lib/jobs/job.ts'
import { type Clock, days, later, minutes, seconds } from '../lib/time/clock.ts'
import { dayAt } from '../lib/time/wall-clock.ts'
import type { Senders } from '../sender-domains/senders/senders.ts'
import type { Templates } from '../templates/compile.ts'
import {
  type Feed,
  type FeedKey,
  feedLimits,
  type LookPayload,
  lockFeedById,
  lookJob,
  queueLook,
  readFeed,
  type StartedFeed,
  writeFeed,
} from './feed.ts'
import { type FetchDeps, type FetchFailure, fetchFeed } from './fetch.ts'
import {
  checkedIssue,
  type EarlierIssue,
  earlierGroups,
  type ItemGroup,
  lookOf,
  waitReason,
} from './issue.ts'
import type { FeedItem, ReadFeed, ReadItem } from './parse.ts'
import { nextTime } from './schedule.ts'

export interface FeedJobDeps extends FetchDeps {
  db: Database
  clock: Clock
  templates: Templates
  senders: Senders
}

/** How often a feed is read between its issues, so that nothing falls out of it unseen. */
const readEvery = days(1)
/** How long after a failed look the next one follows, until owners are told. */
const tryAgain = minutes(30)
/** How long an issue that is due waits for the one before it to end. */
const lookAgain = minutes(10)

export function feedJobs(deps: FeedJobDeps): JobKinds {
  return {
    [lookJob]: {
      perLane: 1,
      // They wait for other servers.
      atOnce: 8,
      timeoutMs: minutes(4),
      retryDelays: [
        seconds(10),
        seconds(60),
        minutes(10),
        ...Array.from({ length: 10_000 }, () => minutes(60)),
      ],
      run: (job) => look(deps, job as Job<LookPayload>),
    },
  }
}

/** A feed whose look is due by this job. */
type DueFeed = Feed & { started: StartedFeed; issueAt: Date }

async function look(deps: FeedJobDeps, { payload }: Job<LookPayload>): Promise<void> {
  const { db, clock } = deps
  const key: FeedKey = { businessId: payload.business_id, feedId: payload.feed_id }
  const before = await findDue(db, key, payload)
  if (!before) return
  const { started, etag, lastModified } = before
  const { url, mapping } = started.definition
  const fetched = await fetchFeed(deps, { url, mapping, etag, lastModified })
  const zone = await timeZoneOf(db, key.businessId)
  const isIssueDue = await db.tx(async (tx) => {
    const now = clock.now()
    const feed = await lockFeedById(tx, key)
    if (!feed || !isDue(feed, payload)) return false
    if (fetched.outcome === 'broken') {
      await recordFailure(tx, key.businessId, { feed, failure: fetched, zone, now })
      return false
    }
    const read =
      fetched.outcome === 'read'
        ? await storeItems(tx, key, { feed, read: fetched.feed, now })
        : feed
    const seen: DueFeed = {
      ...read,
      started: feed.started,
      issueAt: feed.issueAt,
      ...(fetched.outcome === 'read' && {
        etag: fetched.etag,
        lastModified: fetched.lastModified,
        title: fetched.feed.title || null,
      }),
      checkedAt: now,
      problem: null,
      failures: 0,
    }
    if (seen.issueAt <= now && feed.begunAt !== null) {
      await writeFeed(tx, key.businessId, { ...seen, updatedAt: now })
      return true
    }
    await goOn(tx, key.businessId, { feed: seen, zone, now })
    return false
  })
  if (isIssueDue) await makeIssue(deps, key, { payload, zone })
}

async function findDue(
  db: Db,
  { businessId, feedId }: FeedKey,
  payload: LookPayload,
): Promise<DueFeed | undefined> {
  const feed = await orRefusal(() => readFeed(db, businessId, formatId('feed', feedId)))
  return !isRefusal(feed) && isDue(feed, payload) ? feed : undefined
}

const isDue = (feed: Feed, { at }: LookPayload): feed is DueFeed =>
  feed.status === 'running' &&
  feed.started !== null &&
  feed.issueAt !== null &&
  feed.dueAt?.toISOString() === at

interface GoingOn {
  feed: Feed & { started: StartedFeed }
  zone: string
  now: Date
  /** In place of the time that its schedule says. */
  at?: Date
}

/** The next look: at the next issue, or within a day. */
async function goOn(
  tx: Tx,
  businessId: Id<'business'>,
  { feed, zone, now, at }: GoingOn,
): Promise<void> {
  const { issueAt } = feed
  const next =
    issueAt && issueAt > now ? issueAt : nextTime(feed.started.definition.schedule, now, zone)
  const soon = Math.min(next.getTime(), later(now, readEvery).getTime())
  const dueAt = at ?? new Date(soon)
  // A look that only waits for the issue before keeps the time of its own.
  const updated = { ...feed, dueAt, issueAt: at && issueAt ? issueAt : next, updatedAt: now }
  await writeFeed(tx, businessId, updated)
  await queueLook(tx, businessId, updated, now)
}

interface Failed {
  feed: DueFeed
  failure: FetchFailure
  zone: string
  now: Date
}

/** Owners are told once, when it was broken so often in a row; it is tried at its times all the same. */
async function recordFailure(
  tx: Tx,
  businessId: Id<'business'>,
  { feed, failure: { problem }, zone, now }: Failed,
): Promise<void> {
  const failures = feed.failures + 1
  const failed = { ...feed, failures, problem, outcome: 'broken' as const, checkedAt: now }
  if (failures === feedLimits.failures) {
    const notice = { kind: 'feed' as const, subject: feed.name, detail: problem }
    await queueNotice(tx, { businessId }, { notice, now })
  }
  const isEarly = failures < feedLimits.failures
  await goOn(tx, businessId, {
    feed: failed,
    zone,
    now,
    ...(isEarly && { at: later(now, tryAgain) }),
  })
}

interface Storing {
  feed: DueFeed
  read: ReadFeed
  now: Date
}

/** Items that were published so long before the last look at the feed are no news. */
const newsFor = days(30)

/** Items whose words are kept: earlier ones are known by their hashes alone. */
const wordsOf = 200
/** The same, of items that wait for a mail. */
const waitingWordsOf = 1_000

/**
 * Stores what is new, oldest first. Of what was there at the start only the newest `begin_with` go into
 * the first issue. An item that comes with another guid, and the same link and title, is known.
 */
async function storeItems(
  tx: Tx,
  key: FeedKey,
  { feed, read: { items }, now }: Storing,
): Promise<Feed> {
  const { businessId, feedId } = key
  const seenBefore = await placesSeen(tx, key, items)
  const fresh = items.filter((_, n) => !seenBefore.has(n)).toReversed()
  const isFirst = feed.begunAt === null
  const beginWith = isFirst ? feed.started.definition.begin_with : 0
  const old = later(feed.checkedAt ?? now, -newsFor).toISOString()
  // What is no news gets the lower numbers, below everything that waits for a mail.
  const isNews = ({ item }: ReadItem, n: number) =>
    isFirst ? n >= fresh.length - beginWith : item.published === undefined || item.published > old
  const stale = fresh.filter((item, n) => !isNews(item, n))
  const news = fresh.filter(isNews)
  const rows = [
    ...stale.map((entry) => ({ ...entry, issue: 0 })),
    ...news.map((entry) => ({ ...entry, issue: null })),
  ]
  await tx.run(sql`
    insert into feed_items (business_id, feed_id, seq, guid_hash, twin_hash, issue, item, seen_at)
    select ${businessId}, ${feedId}, ${feed.lastSeq}::int + n, guid_hash, twin_hash, issue, item::json, ${now}
    from unnest(
      ${rows.map(({ guidHash }) => guidHash)}::bytea[],
      ${rows.map(({ twinHash }) => twinHash)}::bytea[],
      ${rows.map(({ issue }) => issue)}::int[],
      ${rows.map(({ item, issue }) => (issue === 0 ? null : JSON.stringify(item)))}::text[]
    ) with ordinality as new (guid_hash, twin_hash, issue, item, n)
  `)
  const lastSeq = feed.lastSeq + rows.length
  await tx.run(sql`
    update feed_items set item = null
    where business_id = ${businessId} and feed_id = ${feedId} and seq <= ${lastSeq - wordsOf}::int
      and item is not null and (issue is not null or seq <= ${lastSeq - waitingWordsOf}::int)
  `)
  return { ...feed, lastSeq, begunAt: feed.begunAt ?? now }
}

/** The places of those that were seen before. */
async function placesSeen(
  db: Db,
  { businessId, feedId }: FeedKey,
  items: readonly ReadItem[],
): Promise<ReadonlySet<number>> {
  const rows = await db.all<{ n: number }>(sql`
    select (n - 1)::int as n
    from unnest(
      ${items.map(({ guidHash }) => guidHash)}::bytea[],
      ${items.map(({ twinHash }) => twinHash)}::bytea[]
    ) with ordinality as seen (guid_hash, twin_hash, n)
    where exists (
      select from feed_items i where i.business_id = ${businessId} and i.feed_id = ${feedId}
        and i.guid_hash = seen.guid_hash
    ) or exists (
      select from feed_items i where i.business_id = ${businessId} and i.feed_id = ${feedId}
        and i.twin_hash = seen.twin_hash
    )
  `)
  return new Set(rows.map(({ n }) => n))
}

interface Making {
  payload: LookPayload
  zone: string
}

async function makeIssue(
  deps: FeedJobDeps,
  key: FeedKey,
  { payload, zone }: Making,
): Promise<void> {
  const { db, clock } = deps
  const { businessId } = key
  const feed = await findDue(db, key, payload)
  if (!feed) return
  const { started } = feed
  const { max, take } = started.definition.items
  const waiting = await waitingItems(db, key)
  const chosen = take === 'newest' ? waiting.slice(-max) : waiting.slice(0, max)
  const open = await openIssue(db, key)
  if (open || chosen.length === 0) {
    await db.tx(async (tx) => {
      const now = clock.now()
      const locked = await lockFeedById(tx, key)
      if (!locked || !isDue(locked, payload)) return
      // What waits for a person may wait for days; what is being sent is over soon.
      const isSending = open === 'deployed' || open === 'scheduled'
      const outcome = open ? ('waiting' as const) : ('empty' as const)
      const at = isSending ? { at: later(now, lookAgain) } : {}
      await goOn(tx, businessId, { feed: { ...locked, outcome }, zone, now, ...at })
    })
    return
  }
  const [earlier, profile, sender, look] = await Promise.all([
    earlierIssues(db, key, { room: max - chosen.length, zone, now: clock.now() }),
    senderProfileOf(db, businessId),
    deps.senders.senderOf(businessId),
    lookOf(db, businessId),
  ])
  const number = feed.issues + 1
  const name = `${feed.name.slice(0, campaignLimits.nameLength - 12)} #${number}`
  const newest = { items: chosen.toReversed().map(({ item }) => item) }
  const contentOf = (groups: readonly ItemGroup[]) =>
    orRefusal(() =>
      checkedIssue(deps, businessId, started.definition.content, {
        name,
        title: feed.title ?? '',
        language: profile?.language ?? 'en',
        groups,
      }),
    )
  const wholeIssue = await contentOf([newest, ...earlierGroups(earlier)])
  // Earlier items may be more than a mail can hold.
  const content =
    isRefusal(wholeIssue) && !isBusy(wholeIssue) && earlier.length > 0
      ? await contentOf([newest])
      : wholeIssue
  // Another try follows.
  if (isRefusal(content) && isBusy(content)) throw content
  const from = isRefusal(sender) ? '' : (sender.from ?? '')
  await db.tx(async (tx) => {
    const now = clock.now()
    const locked = await lockFeedById(tx, key)
    if (!locked || !isDue(locked, payload)) return
    if (locked.issues !== feed.issues || locked.lastSeq !== feed.lastSeq) {
      throw new Error('a feed that changed while its issue was made: another try follows')
    }
    if (isRefusal(content)) {
      const problem = `makes no mail: ${content.message}`
      const failure = { outcome: 'broken' as const, problem, isAway: false }
      await recordFailure(tx, businessId, { feed: locked, failure, zone, now })
      return
    }
    const newItems = waiting.length
    const waits = waitReason(started, { content, newItems, from, look, now })
    const campaignId = newId('campaign')
    const { segment, definition, ...order } = started
    await orderIssue(tx, businessId, {
      ...order,
      id: campaignId,
      feedId: key.feedId,
      filter: segment,
      topic: definition.topic,
      content,
      waits: waits !== undefined,
      now,
    })
    await tx.run(sql`
      insert into feed_issues (business_id, feed_id, number, campaign_id, waits_for, created_at)
      values (${businessId}, ${key.feedId}, ${number}, ${campaignId}, ${waits ?? null}, ${now})
    `)
    const seqs = chosen.map(({ seq }) => seq)
    const upTo = Math.max(...seqs)
    // What had no room, where the newest are taken, is left out for good.
    await tx.run(sql`
      update feed_items set issue = case when seq = any(${seqs}::int[]) then ${number}::int else 0 end
      where business_id = ${businessId} and feed_id = ${key.feedId} and issue is null and seq <= ${upTo}
    `)
    const updated = {
      ...locked,
      outcome: 'items' as const,
      issues: number,
    }
    await goOn(tx, businessId, { feed: updated, zone, now })
  })
}

/** Nothing is wrong with the mail: there was no time to render it. */
const isBusy = ({ code }: Refusal) => code === 'rate_limited' || code === 'unavailable'

interface WaitingItem {
  seq: number
  item: FeedItem
}

/** Items that no issue has had, oldest first. */
function waitingItems(db: Db, { businessId, feedId }: FeedKey): Promise<WaitingItem[]> {
  return db.all(sql`
    select seq, item from feed_items
    where business_id = ${businessId} and feed_id = ${feedId} and issue is null and item is not null
    order by seq
  `)
}

/**
 * The state of an issue that is not over: while it can still be sent to somebody, nobody knows what
 * they have had.
 */
async function openIssue(db: Db, { businessId, feedId }: FeedKey): Promise<string | undefined> {
  const row = await db.maybe<{ state: string }>(sql`
    select c.state from feed_issues i
    join campaigns c on c.business_id = i.business_id and c.id = i.campaign_id
    where i.business_id = ${businessId} and i.feed_id = ${feedId}
      and c.state in ('scheduled', 'awaiting_approval', 'deployed', 'paused')
    limit 1
  `)
  return row?.state
}

/** Earlier issues whose items somebody may have missed. */
const issuesBack = 4
const daysBack = 60

interface Back {
  /** Items that have room beside the new ones. */
  room: number
  zone: string
  now: Date
}

/**
 * What was sent before, newest first, as far as there is room. What a person refused is not sent later:
 * of an issue that was cancelled only those who had it already are known.
 */
async function earlierIssues(
  db: Db,
  { businessId, feedId }: FeedKey,
  { room, zone, now }: Back,
): Promise<EarlierIssue[]> {
  if (room <= 0) return []
  const rows = await db.all<{
    number: number
    campaignId: Id<'campaign'>
    createdAt: Date
    items: FeedItem[]
  }>(sql`
    select i.number, i.campaign_id as "campaignId", i.created_at as "createdAt", array(
      select f.item from feed_items f
      where f.business_id = ${businessId} and f.feed_id = ${feedId} and f.issue = i.number
        and f.item is not null and c.state = 'completed'
      order by f.seq desc
    ) as items
    from feed_issues i
    join campaigns c on c.business_id = i.business_id and c.id = i.campaign_id
      and c.state in ('completed', 'cancelled')
    where i.business_id = ${businessId} and i.feed_id = ${feedId}
      and i.created_at > ${later(now, -days(daysBack))}
    order by i.number desc limit ${issuesBack}
  `)
  let places = room
  return rows.map(({ number, campaignId, createdAt, items }) => {
    const fitting = items.slice(0, places)
    places -= fitting.length
    return { number, campaignId, day: dayAt(createdAt, zone), items: fitting }
  })
}
