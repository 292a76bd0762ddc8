/**
 * Looks each second at what has changed of the businesses that somebody watches in the app, for all
 * of their streams together; while nobody watches it does nothing. Each change is known by a mark
 * that the database gives, so that it does not matter which process made it. Statements run one at a
 * time: however many watch, a look takes one connection.
 */

import { createHash } from 'node:crypto'
import { sessionsWithin } from '../../accounts/sign-in/session.ts'
import type { Id } from '../../core/ids.ts'
import { eventTypeNames } from '../../events/catalog.ts'
import { feedMark, typesSince } from '../../events/feed.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db } from '../../lib/db/types.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** How often it looks. */
const lookMs = 1_000

export interface WatcherDeps {
  db: Database
  clock: Clock
  log: Log
}

/** What changed, and the id with which a later stream goes on from there. */
export interface Change {
  id: string
  topics: string[]
}

/** Somebody who watches a business. */
export interface Watching {
  businessId: Id<'business'>
  sessionId: Id<'session'>
  tell(change: Change): void
  /** The session or the membership has ended. */
  end(): void
}

export interface Watcher {
  /** Watches until the function that it returns is called. */
  watch(watching: Watching): () => void
  /** What has changed since the change of that id; all topics where it is none of this business. */
  since(businessId: Id<'business'>, id: string | undefined): Promise<Change>
}

/** The mark of the feed, then those of the topics, in their order. */
type Marks = readonly string[]

interface Watched {
  watchers: Set<Watching>
  marks?: Marks
}

export function createWatcher({ db, clock, log }: WatcherDeps): Watcher {
  const everyTopic = [...new Set([...markedTopics, ...topicsOf(eventTypeNames)])].sort()
  const watched = new Map<Id<'business'>, Watched>()
  let timer: NodeJS.Timeout | undefined

  const read = async (businessId: Id<'business'>): Promise<Marks> => {
    const feed = await feedMark(db, businessId)
    const marks = await readMarks(db, businessId)
    return [feed, ...markedTopics.map((topic) => shorten(marks[topic] ?? ''))]
  }

  const compare = async (businessId: Id<'business'>, before: Marks, now: Marks) => {
    const [feed = '', ...rest] = now
    const changed: string[] = markedTopics.filter((_, index) => rest[index] !== before[index + 1])
    if (feed !== before[0]) {
      const types = await typesSince(db, businessId, { before: before[0] ?? '', now: feed })
      changed.push(...topicsOf(types))
    }
    return [...new Set(changed)].sort()
  }

  const lookAt = async (businessId: Id<'business'>, entry: Watched, before: Marks) => {
    const ids = [...new Set([...entry.watchers].map(({ sessionId }) => sessionId))]
    const alive = await sessionsWithin(db, businessId, { ids, now: clock.now() })
    for (const watcher of entry.watchers) if (!alive.has(watcher.sessionId)) watcher.end()
    const now = await read(businessId)
    const topics = await compare(businessId, before, now)
    entry.marks = now
    if (topics.length === 0) return
    const change = { id: writeId(now), topics }
    for (const watcher of entry.watchers) watcher.tell(change)
  }

  const look = async () => {
    try {
      for (const [businessId, entry] of watched) {
        if (entry.marks) await lookAt(businessId, entry, entry.marks)
      }
    } catch (error) {
      // The next look finds whatever this one did not.
      log.warn({ err: error }, 'changes.look_failed')
    }
    timer = watched.size > 0 ? lookLater() : undefined
  }

  const lookLater = () => setTimeout(() => void look(), lookMs).unref()

  return {
    watch(watching) {
      const { businessId } = watching
      const entry = watched.get(businessId) ?? { watchers: new Set() }
      entry.watchers.add(watching)
      watched.set(businessId, entry)
      if (!timer) timer = lookLater()
      return () => {
        entry.watchers.delete(watching)
        if (entry.watchers.size === 0 && watched.get(businessId) === entry) {
          watched.delete(businessId)
        }
      }
    },
    async since(businessId, id) {
      const now = await read(businessId)
      // From here on the looks of the business compare.
      const entry = watched.get(businessId)
      if (entry) entry.marks ??= now
      const change: Change = { id: writeId(now), topics: [] }
      if (id === undefined) return change
      const before = readId(id)
      if (before?.length !== now.length) return { ...change, topics: everyTopic }
      return { ...change, topics: await compare(businessId, before, now) }
    },
  }
}

/** `message.sent` is about messages, and about the campaigns whose results it changes. */
function topicsOf(types: readonly string[]): string[] {
  const nouns = types.map((type) => type.split('.', 1)[0] ?? '')
  return nouns.includes('message') ? [...nouns, 'campaign'] : nouns
}

/** A mark is only compared with an earlier one, so a few characters of its hash suffice. */
const shorten = (mark: string) => createHash('sha256').update(mark).digest('base64url').slice(0, 8)

const writeId = (marks: Marks) => marks.join('.')
const readId = (id: string): Marks | undefined => (id.length <= 300 ? id.split('.') : undefined)

/** The topics, each named by the noun of the operations whose answers change with it. */
const markedTopics = [
  'campaign',
  'domain',
  'form',
  'import',
  'reply',
  'segment',
  'template',
  'webhook',
] as const

type FeedMarks = Record<(typeof markedTopics)[number], string | null>

/**
 * What a look compares with the one before: for each topic a text that differs whenever something
 * has changed that pages show and that is no event. It reads tables of several domains in one
 * statement, which is made each second while somebody watches; each part reads a few rows.
 */
function readMarks(db: Db, businessId: Id<'business'>): Promise<FeedMarks> {
  return db.one<FeedMarks>(sql`
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
