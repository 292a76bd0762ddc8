/**
 * A feed: a blog, or another list that grows, by mail. Read the folder in this order:
 *
 * - `schedule.ts`: when issues are due.
 * - `fetch.ts` and `parse.ts` read what strangers publish, within the limits of `raw-feed.ts`; JSON that
 *   is no feed is read by `mapping.ts` and `mapped-items.ts`. `problem-words.ts`: why it cannot be read.
 * - `save.ts`, `get.ts`, `list.ts`, `delete.ts`.
 * - `issue.ts` makes a mail of items, and `preview.ts` shows the next one.
 * - `start.ts` starts it, and `decide.ts` is a person's yes or no.
 * - `run.ts` looks for new items and orders each issue, which is a campaign.
 * - `pause.ts`, `resume.ts`, and `hold-restored.ts` (after a restore).
 */
import type { Filter } from '../contacts/filters/filter.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import type { Locate } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { type Static, type TObject, Type } from '../lib/schema/schema.ts'
import type { Block } from '../templates/blocks/block.ts'
import { type Mapping, mappingInput } from './mapping.ts'
import type { Schedule } from './schedule.ts'

export const feedLimits = {
  nameLength: 100,
  /** Feeds per business. */
  feeds: 50,
  urlLength: 1_500,
  /** Items of one mail. */
  items: 20,
  /** Items that were there before, with which the first mail may begin. */
  beginWith: 3,
  /** Looks in a row that find the feed broken before owners are told. */
  failures: 3,
} as const

export const feedStatuses = ['draft', 'awaiting_approval', 'running', 'paused'] as const
export type FeedStatus = (typeof feedStatuses)[number]

export const takes = ['newest', 'unseen'] as const
export const approvals = ['once', 'each'] as const

export interface FeedTexts {
  subject: string
  preheader?: string
  blocks: Block[]
}

export interface FeedContent extends FeedTexts {
  /** The same in other languages, by canonical tag. */
  translations?: Readonly<Record<string, FeedTexts>>
}

export interface FeedDefinition {
  url: string
  /** For JSON that is no feed. */
  mapping?: Mapping
  schedule: Schedule
  topic: string | null
  segment_id: string | null
  content: FeedContent
  /** `unseen` sends the oldest first, and what has no room in a later mail; `newest` leaves that out. */
  items: { max: number; take: (typeof takes)[number] }
  approve: (typeof approvals)[number]
  begin_with: number
}

/** What was started, as a person saw it. Nothing that is changed later changes it. */
export interface StartedFeed {
  version: number
  definition: FeedDefinition
  /** The filter of the segment; null for everybody. */
  segment: Filter | null
  /** Hosts of the links and pictures that were seen. */
  hosts: string[]
  from: string
  /** A print of the brand. */
  look: string
  /** Bytes of the mail that was shown. */
  bytes: number
  userId: Id<'user'>
  decidedBy: Id<'user'>
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  /** At most so many recipients of one mail; null for any number. */
  people: number | null
  /** ISO 8601; null for never. */
  endsAt: string | null
}

export type FeedOrder = Omit<StartedFeed, 'decidedBy' | 'people' | 'endsAt'>

export interface Feed {
  id: Id<'feed'>
  name: string
  status: FeedStatus
  definition: FeedDefinition
  version: number
  started: StartedFeed | null
  pauseReason: string | null
  wanted: FeedOrder | null
  dueAt: Date | null
  issueAt: Date | null
  begunAt: Date | null
  checkedAt: Date | null
  outcome: 'items' | 'empty' | 'waiting' | 'broken' | null
  problem: string | null
  failures: number
  etag: string | null
  lastModified: string | null
  title: string | null
  lastSeq: number
  issues: number
  createdAt: Date
  updatedAt: Date
}

export interface FeedKey {
  businessId: Id<'business'>
  feedId: Id<'feed'>
}

export const feedIdInput = Type.String({ pattern: '^fed_[0-9a-hjkmnp-tv-z]{26}$' })

const orNull = Type.Union([Type.String(), Type.Null()])
const anObject = Type.Unsafe<object>({ type: 'object' })

export const feedFields = {
  feed_id: Type.String(),
  name: Type.String(),
  status: Type.Enum(feedStatuses),
  possible: Type.Array(Type.String()),
  url: Type.String(),
  mapping: Type.Optional(mappingInput),
  untrusted: untrusted({ title: Type.Optional(Type.String()) }),
  times: Type.Optional(Type.Array(Type.String())),
  every: Type.Optional(Type.String()),
  at: Type.Optional(Type.String()),
  topic: orNull,
  segment_id: orNull,
  items: Type.Object({ max: Type.Integer(), take: Type.Enum(takes) }),
  approve: Type.Enum(approvals),
  begin_with: Type.Integer(),
  version: Type.Integer(),
  started_version: Type.Union([Type.Integer(), Type.Null()]),
  start_waits: Type.Boolean(),
  pause_reason: orNull,
  next_issue_at: orNull,
  checked_at: orNull,
  outcome: Type.Union([Type.Enum(['items', 'empty', 'waiting', 'broken']), Type.Null()]),
  problem: orNull,
  issues: Type.Integer(),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
}

export type FeedFields = Static<TObject<typeof feedFields>>

export const contentView = anObject

export function fieldsOf(feed: Feed) {
  const { url, mapping, schedule, topic, segment_id, items, approve, begin_with } = feed.definition
  return {
    feed_id: formatId('feed', feed.id),
    name: feed.name,
    status: feed.status,
    possible: possibleIn(feed.status),
    url,
    ...(mapping && { mapping }),
    untrusted: { ...(feed.title !== null && { title: feed.title }) },
    ...schedule,
    topic,
    segment_id,
    items,
    approve,
    begin_with,
    version: feed.version,
    started_version: feed.started?.version ?? null,
    start_waits: feed.wanted !== null,
    pause_reason: feed.pauseReason,
    next_issue_at: feed.status === 'running' ? (feed.issueAt?.toISOString() ?? null) : null,
    checked_at: feed.checkedAt?.toISOString() ?? null,
    outcome: feed.outcome,
    problem: feed.problem,
    issues: feed.issues,
    created_at: feed.createdAt.toISOString(),
    updated_at: feed.updatedAt.toISOString(),
  }
}

type FeedAction = 'save' | 'start' | 'pause' | 'resume' | 'delete' | 'preview'

const possible: Readonly<Record<FeedStatus, readonly FeedAction[]>> = {
  draft: ['save', 'start', 'delete'],
  awaiting_approval: ['save', 'start', 'delete'],
  running: ['save', 'start', 'pause', 'resume'],
  paused: ['save', 'start', 'pause', 'resume', 'delete'],
}

/** The operations that are possible in this state. */
const possibleIn = (status: FeedStatus): string[] =>
  [...possible[status], 'preview'].map((action) => `feed.${action}`)

/** Refuses what the feed's state does not allow, and names what it does. */
export function checkPossible(
  action: FeedAction,
  { id, status }: Pick<Feed, 'id' | 'status'>,
): void {
  if (possibleIn(status).includes(`feed.${action}`)) return
  const text = `The feed is ${status}, and feed.${action} is not possible then. Possible are ${possibleIn(status).join(', ')}.`
  throw refuse('conflict', text, {
    data: { reason: 'not_in_this_state', status, possible: possibleIn(status) },
    fix: { tool: 'feed.get', arguments: { feed_id: formatId('feed', id) } },
  })
}

/** Another business's feed gets the same answer as one that never existed. */
export function noSuchFeed(feedId: string) {
  return refuse('not_found', `This business has no feed ${feedId}.`, {
    field: 'feed_id',
    fix: { tool: 'feed.list', arguments: {} },
  })
}

/** Finds the business that has the feed `fed_…`. */
export const byFeed: Locate = async (db, businessIds, text) => {
  const id = parseId('feed', text)
  const owner =
    id &&
    (await db.maybe<{ businessId: Id<'business'> }>(sql`
      select business_id as "businessId" from feeds
      where business_id = any(${businessIds}::uuid[]) and id = ${id}
    `))
  return owner?.businessId
}

export const wholeFeed = sql`
  id, name, status, definition, version, started, pause_reason as "pauseReason", wanted,
  due_at as "dueAt", issue_at as "issueAt", begun_at as "begunAt", checked_at as "checkedAt",
  outcome, problem, failures, etag, last_modified as "lastModified", title,
  last_seq as "lastSeq", issues, created_at as "createdAt",
  updated_at as "updatedAt"
`

export async function readFeed(db: Db, businessId: Id<'business'>, feedId: string): Promise<Feed> {
  const id = parseId('feed', feedId)
  const feed =
    id &&
    (await db.maybe<Feed>(sqlWithin`
      select ${wholeFeed} from feeds
      where business_id = ${businessId} and id = ${id} and deleted_at is null
    `))
  if (!feed) throw noSuchFeed(feedId)
  return feed
}

/** The feed, locked until the transaction ends; undefined where it was deleted. */
export function lockFeedById(tx: Tx, { businessId, feedId }: FeedKey): Promise<Feed | undefined> {
  return tx.maybe<Feed>(sqlWithin`
    select ${wholeFeed} from feeds
    where business_id = ${businessId} and id = ${feedId} and deleted_at is null
    for update
  `)
}

export async function lockFeed(tx: Tx, businessId: Id<'business'>, feedId: string): Promise<Feed> {
  const id = parseId('feed', feedId)
  const feed = id && (await lockFeedById(tx, { businessId, feedId: id }))
  if (!feed) throw noSuchFeed(feedId)
  return feed
}

/** Writes everything of the feed that changes. The caller has locked its row. */
export async function writeFeed(tx: Tx, businessId: Id<'business'>, feed: Feed): Promise<void> {
  await tx.run(sql`
    update feeds set name = ${feed.name}, status = ${feed.status},
      definition = ${JSON.stringify(feed.definition)}, version = ${feed.version},
      started = ${feed.started && JSON.stringify(feed.started)}, pause_reason = ${feed.pauseReason},
      wanted = ${feed.wanted && JSON.stringify(feed.wanted)}, due_at = ${feed.dueAt},
      issue_at = ${feed.issueAt}, begun_at = ${feed.begunAt}, checked_at = ${feed.checkedAt},
      outcome = ${feed.outcome}, problem = ${feed.problem}, failures = ${feed.failures},
      etag = ${feed.etag}, last_modified = ${feed.lastModified}, title = ${feed.title},
      last_seq = ${feed.lastSeq}, issues = ${feed.issues},
      updated_at = ${feed.updatedAt}
    where business_id = ${businessId} and id = ${feed.id}
  `)
}

/** Looks for new items. */
export const lookJob = 'feed.look'

export interface LookPayload {
  business_id: Id<'business'>
  feed_id: Id<'feed'>
  /** The `due_at` that it is for: another one means that another job has the work. */
  at: string
}

/** Queues the look that is due at `dueAt`, in the transaction that stores that time. */
export async function queueLook(
  tx: Tx,
  businessId: Id<'business'>,
  { id, dueAt }: Pick<Feed, 'id' | 'dueAt'>,
  now: Date,
): Promise<void> {
  if (!dueAt) return
  const payload: LookPayload = { business_id: businessId, feed_id: id, at: dueAt.toISOString() }
  await enqueue(tx, [{ kind: lookJob, businessId, payload, dueAt }], now)
}
