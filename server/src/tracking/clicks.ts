/** Tracked links: finds the destination of a link, and records clicks. */

import { createHash } from 'node:crypto'
import { type FeedbackDeps, ingestReportsIn } from '../bounces/ingest-reports.ts'
import type { Report } from '../bounces/report.ts'
import { limits } from '../config.ts'
import type { Id } from '../core/ids.ts'
import { createBatcher, ofBusinesses } from '../lib/concurrency/batch.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { enqueue, type JobKinds, type NewJob } from '../lib/jobs/job.ts'
import { type Clock, days, hours, later, minutes, seconds } from '../lib/time/clock.ts'
import { findLink, sweepLinks } from './keep-links.ts'
import { hiddenHash } from './links.ts'
import { burstMs, hiddenMs, machinesAmong } from './machine-visits.ts'
import { readToken, type TokenSubject } from './tokens.ts'
import { isMachine, type Visit, visitorMark } from './visitor.ts'

export interface ClickDeps {
  db: Database
  clock: Clock
  vault: Pick<Vault, 'hmac'>
}

export interface Clicks {
  /**
   * Finds the link of a token. Null for the hidden link, undefined for a token that was not made
   * here or whose link was deleted.
   */
  find(token: string): Promise<Followed | undefined>
  /** Records a click. */
  keep(followed: Followed, visit: Visit): Promise<void>
}

interface Followed {
  url: string | null
  named: TokenSubject
}

const judgeJob = 'feedback.judge-clicks'

interface JudgePayload {
  business_id: Id<'business'>
  message_id: Id<'message'>
  since: string
}

export interface MessageKey {
  businessId: Id<'business'>
  messageId: Id<'message'>
}

interface LinkVisit extends MessageKey {
  /** Derived from link, visitor and second, so that repeated visits in a second are one. */
  id: string
  /** Null for the hidden link. */
  linkHash: Buffer | null
  /** The number of links in the message. */
  links: number
  visitor: Buffer
  machine: boolean
  at: Date
}

export function createClicks({ db, clock, vault }: ClickDeps): Clicks {
  const keepOne = createBatcher<LinkVisit, void>({
    maxItems: 500,
    businessOf: ofBusinesses(db, ({ businessId }) => businessId),
    async flush(visits) {
      await db.tx(async (tx) => {
        const inserted = await insertVisits(tx, visits)
        if (inserted.length > 0) await enqueue(tx, judgements(inserted), clock.now())
      })
      return visits.map(() => undefined)
    },
  })
  return {
    async find(token) {
      const subject = readToken(vault, 'click', token)
      if (!subject) return undefined
      const hash = hashIn(subject)
      if (hash.equals(hiddenHash)) return { named: subject, url: null }
      const url = await findLink(db, subject.businessId, hash)
      return url === undefined ? undefined : { named: subject, url }
    },
    async keep({ named: subject }, visit) {
      const { businessId, messageId } = subject
      const hash = hashIn(subject)
      const visitor = visitorMark(vault, visit)
      const at = clock.now()
      const second = String(Math.floor(at.getTime() / 1000))
      await keepOne({
        businessId,
        messageId,
        id: uuidFrom(hash.toString('hex'), visitor.toString('hex'), second, visit.method),
        linkHash: hash.equals(hiddenHash) ? null : hash,
        links: subject.rest[16] ?? 0,
        visitor,
        machine: isMachine(visit),
        at,
      })
    },
  }
}

/**
 * Inserts new visits, up to the limit per message and minute, and returns the inserted ones. Nodes
 * that insert at the same moment may together exceed the limit slightly. Judging deletes the
 * surplus.
 */
function insertVisits(
  tx: Tx,
  visits: readonly LinkVisit[],
): Promise<Pick<LinkVisit, 'businessId' | 'messageId' | 'at'>[]> {
  // One statement cannot insert a row twice, and duplicates would use up the room of others.
  const once = [
    ...new Map(visits.map((visit) => [`${visit.messageId} ${visit.id}`, visit])).values(),
  ]
  return tx.all(sql`
    with new as (
      select *, to_timestamp(60 * floor(extract(epoch from visited_at) / 60)) as minute from unnest(
        ${once.map((visit) => visit.businessId)}::uuid[],
        ${once.map((visit) => visit.messageId)}::uuid[],
        ${once.map((visit) => visit.id)}::uuid[],
        ${once.map((visit) => visit.linkHash)}::bytea[],
        ${once.map((visit) => visit.links)}::smallint[],
        ${once.map((visit) => visit.visitor)}::bytea[],
        ${once.map((visit) => visit.machine)}::boolean[],
        ${once.map((visit) => visit.at)}::timestamptz[]
      ) as new (business_id, message_id, id, link_hash, links, visitor, machine, visited_at)
      where not exists (
        select from link_visits known where known.business_id = new.business_id
          and known.message_id = new.message_id and known.id = new.id
      )
    ), kept as (
      select business_id, message_id, minute, (
        select count(*) from link_visits known where known.business_id = one.business_id
          and known.message_id = one.message_id
          and known.visited_at >= one.minute
          and known.visited_at < one.minute + interval '1 minute'
      ) as count
      from (select distinct business_id, message_id, minute from new) one
    ), placed as (
      select new.*, kept.count + row_number() over (
        partition by new.business_id, new.message_id, new.minute order by visited_at, new.id
      ) as place
      from new join kept on kept.business_id = new.business_id
        and kept.message_id = new.message_id and kept.minute = new.minute
    )
    insert into link_visits (business_id, message_id, id, link_hash, links, visitor, machine,
      visited_at)
    select business_id, message_id, id, link_hash, links, visitor, machine, visited_at
    from placed where place <= ${mostKept}
    on conflict do nothing
    returning business_id as "businessId", message_id as "messageId", visited_at as at
  `)
}

const mostKept = limits.visitsPerMessageMinute

const hashIn = ({ rest }: TokenSubject) => rest.subarray(0, 16)

/** Queues one job for a message's clicks within a few seconds, due when they can be judged. */
function judgements(visits: readonly Pick<LinkVisit, keyof MessageKey | 'at'>[]): NewJob[] {
  const jobs = new Map<string, NewJob>()
  for (const { businessId, messageId, at } of visits) {
    const slot = Math.floor(at.getTime() / judgedAfterMs)
    const since = new Date(slot * judgedAfterMs)
    const id = uuidFrom(judgeJob, messageId, String(slot)) as Id<'job'>
    const payload: JudgePayload = {
      business_id: businessId,
      message_id: messageId,
      since: since.toISOString(),
    }
    const dueAt = later(since, 2 * judgedAfterMs)
    jobs.set(id, { kind: judgeJob, businessId, payload, id, dueAt })
  }
  return [...jobs.values()]
}

/** The age at which a visit can be judged, because the rest of its burst has arrived by then. */
const judgedAfterMs: number = burstMs + seconds(1)

/** A UUID of version 8 (RFC 9562 section 5.8) that is the same for the same names. */
function uuidFrom(...names: string[]): string {
  const hex = createHash('sha256').update(names.join(' ')).digest('hex')
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ]
  return `${groups.join('-')}-${hex.slice(20, 32)}`
}

const visitsKeptFor = days(1)

export function visitJobs(deps: FeedbackDeps & { clock: Clock }): JobKinds {
  const { db, clock } = deps
  return {
    [judgeJob]: {
      async run({ payload }) {
        const { business_id, message_id, since } = payload as JudgePayload
        const message = { businessId: business_id, messageId: message_id }
        await judgeClicks(deps, message, { since: new Date(since), now: clock.now() })
      },
    },
    // For rare clicks whose transaction took longer than their job waited.
    'feedback.judge-late-clicks': {
      everyMs: minutes(5),
      async run() {
        const now = clock.now()
        for (const { since, ...message } of await findUnjudged(db, later(now, -minutes(1)))) {
          await judgeClicks(deps, message, { since, now })
        }
      },
    },
    'tracking.sweep': {
      everyMs: hours(1),
      async run() {
        const now = clock.now()
        await deleteVisits(db, later(now, -visitsKeptFor))
        await sweepLinks(db, now)
      },
    },
  }
}

/**
 * Judges visits that are old enough, each once, and reports them. If more wait than are read at
 * once, the job for unjudged visits handles the rest.
 */
function judgeClicks(
  deps: FeedbackDeps,
  message: MessageKey,
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  return deps.db.tx(async (tx) => {
    const from = later(since, -hiddenMs)
    await deleteSurplus(tx, message, from)
    const visits = await lockVisits(tx, message, { since: from, limit: mostRead })
    const until = later(visits.length < mostRead ? now : lastOf(visits), -burstMs)
    const reports: Report[] = []
    const ids: string[] = []
    for (const [i, machine] of machinesAmong(visits).entries()) {
      const visit = visits[i]
      if (!visit || visit.judged || visit.at > until) continue
      ids.push(visit.id)
      reports.push(...reportOf(visit, machine))
    }
    if (ids.length === 0) return
    await ingestReportsIn(tx, deps, reports, now)
    const [about] = await deps.messages.find(tx, [message.messageId])
    // Once the visits of a person who is not tracked are counted, they are deleted.
    if (about?.isTracked === false) await deleteJudged(tx, message, ids)
    else await markJudged(tx, message, ids, now)
  })
}

/** Messages with unjudged visits, of all businesses: work for the whole cluster. */
function findUnjudged(db: Db, before: Date): Promise<(MessageKey & { since: Date })[]> {
  return db.all(sql`
    select business_id as "businessId", message_id as "messageId", min(visited_at) as since
    from link_visits where judged_at is null and visited_at < ${before}
    group by business_id, message_id limit 1000
  `)
}

function deleteVisits(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from link_visits where visited_at < ${before}`)
}

/**
 * The most visits read at once: at least 20 minutes' worth, because only so many are recorded per
 * minute.
 */
const mostRead = 20 * limits.visitsPerMessageMinute

function markJudged(
  tx: Tx,
  { businessId, messageId }: MessageKey,
  ids: readonly string[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update link_visits set judged_at = ${now}
    where business_id = ${businessId} and message_id = ${messageId} and id = any(${ids}::uuid[])
  `)
}

function deleteJudged(
  tx: Tx,
  { businessId, messageId }: MessageKey,
  ids: readonly string[],
): Promise<number> {
  return tx.run(sql`
    delete from link_visits
    where business_id = ${businessId} and message_id = ${messageId} and id = any(${ids}::uuid[])
  `)
}

interface StoredVisit extends LinkVisit {
  judged: boolean
  url: string | null
}

/** Visits after the last one read may belong to its burst. */
function lastOf(visits: readonly StoredVisit[]): Date {
  return visits.at(-1)?.at ?? new Date(0)
}

/** Reports one click per minute and link, however often the recipient clicks. */
function reportOf(visit: StoredVisit, machine: boolean): Report[] {
  const { messageId, at, linkHash, url } = visit
  if (linkHash === null || url === null) return []
  const minute = Math.floor(at.getTime() / minutes(1))
  const identity = `${linkHash.toString('hex')} ${minute} ${machine}`
  return [{ messageId, at, event: 'clicked', source: 'link', identity, words: '', machine, url }]
}

/**
 * Deletes a message's visits beyond its limit in each minute since `since`. It uses an array,
 * because a join may be planned for few rows when an attack left many.
 */
function deleteSurplus(
  tx: Tx,
  { businessId, messageId }: MessageKey,
  since: Date,
): Promise<number> {
  return tx.run(sql`
    delete from link_visits
    where business_id = ${businessId} and message_id = ${messageId} and id = any(array(
      select id from (
        select id, row_number() over (
          partition by floor(extract(epoch from visited_at) / 60) order by visited_at, id
        ) as place
        from link_visits
        where business_id = ${businessId} and message_id = ${messageId}
          and visited_at >= to_timestamp(60 * floor(extract(epoch from ${since}::timestamptz) / 60))
      ) placed
      where place > ${mostKept}
    ))
  `)
}

/** Locks the visits to a message's links since a moment, oldest first. */
function lockVisits(
  tx: Tx,
  { businessId, messageId }: MessageKey,
  { since, limit }: { since: Date; limit: number },
): Promise<StoredVisit[]> {
  return tx.all(sql`
    select v.business_id as "businessId", v.message_id as "messageId", v.id,
      v.link_hash as "linkHash", v.links, v.visitor, v.machine, v.visited_at as at,
      v.judged_at is not null as judged, l.url
    from link_visits v
    left join tracked_links l on l.business_id = v.business_id and l.hash = v.link_hash
    where v.business_id = ${businessId} and v.message_id = ${messageId}
      and v.visited_at >= ${since}
    order by v.visited_at, v.id
    limit ${limit}
    for no key update of v
  `)
}
