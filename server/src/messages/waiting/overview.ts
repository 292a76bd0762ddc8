/** The mail and texts that wait, over all businesses, as the operator sees them. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { triedFor } from '../message.ts'
import { sendJobs } from '../queue.ts'

/** Bounds of one reading. A page that shows less than all says so. */
const read = { lanes: 2000, jobsOfLane: 200, laterJobs: 50, businesses: 20 }
const limits = { deferred: 50, streams: 100 }

export interface WaitingMessages extends WaitingOfKind {
  channel: string
}

export interface QueueOverview {
  waiting: WaitingMessages[]
  deferred: DeferredAt[]
  /** Whether `deferred` was counted over a part of the messages that wait for another try. */
  isPartOfDeferred: boolean
  paused: PausedStream[]
  isPartOfPaused: boolean
}

export async function queueOverview(db: Db, now: Date): Promise<QueueOverview> {
  const kinds = Object.values(sendJobs)
  const channelOf = new Map(Object.entries(sendJobs).map(([channel, kind]) => [kind, channel]))
  const waiting = await waitingByKind(db, kinds, { ...read, now })
  const jobs = await listLaterJobs(db, kinds, { ...read, now, limit: read.laterJobs + 1 })
  const examined = jobs.slice(0, read.laterJobs)
  const byBusiness = Map.groupBy(examined, ({ businessId }) => businessId)
  const since = new Date(now.getTime() - triedFor)
  const deferrals: DeferredAt[] = []
  for (const [businessId, its] of [...byBusiness].slice(0, read.businesses)) {
    const ids = its.flatMap(({ messageIds }) => messageIds)
    deferrals.push(...(await listDeferred(db, businessId, { ids, since })))
  }
  const paused = await listPausedStreams(db, now, limits.streams + 1)
  const deferred = summed(deferrals)
  return {
    waiting: waiting.map((row) => ({ ...row, channel: channelOf.get(row.kind) ?? row.kind })),
    deferred: deferred.slice(0, limits.deferred),
    isPartOfDeferred:
      jobs.length > read.laterJobs ||
      byBusiness.size > read.businesses ||
      deferred.length > limits.deferred,
    paused: paused.slice(0, limits.streams),
    isPartOfPaused: paused.length > limits.streams,
  }
}

/** The same server defers messages of several businesses; most messages first. */
function summed(rows: readonly DeferredAt[]): DeferredAt[] {
  const byServer = Map.groupBy(rows, ({ route, provider }) => `${route} ${provider}`)
  const all = [...byServer.values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const messages = same.reduce((sum, row) => sum + row.messages, 0)
    const next = same.map(({ nextAt }) => nextAt).toSorted((a, b) => a.getTime() - b.getTime())[0]
    const words = same.map((row) => row.words).find((text) => text !== null) ?? null
    return [{ ...first, messages, nextAt: next ?? first.nextAt, words }]
  })
  return all.toSorted((a, b) => b.messages - a.messages)
}

export interface WaitingOfKind {
  kind: string
  /** Messages whose time has come. */
  due: number
  /** Messages that are scheduled, or wait for another try. */
  later: number
  /** Messages of campaigns on hold. */
  held: number
  oldestDueAt: Date | null
}

interface Reading {
  lanes: number
  jobsOfLane: number
  now: Date
}

export function waitingByKind(
  db: Db,
  kinds: readonly string[],
  { lanes, jobsOfLane, now }: Reading,
): Promise<WaitingOfKind[]> {
  return db.all(sql`
    select lane.kind,
      coalesce(sum(job.messages) filter (
        where lane.paused_at is null and job.due_at <= ${now}), 0)::integer as due,
      coalesce(sum(job.messages) filter (
        where lane.paused_at is null and job.due_at > ${now}), 0)::integer as later,
      coalesce(sum(job.messages) filter (where lane.paused_at is not null), 0)::integer as held,
      min(job.due_at) filter (
        where lane.paused_at is null and job.due_at <= ${now}) as "oldestDueAt"
    from (
      select business_id, shard, id, kind, paused_at from lanes where kind = any (${[...kinds]}::text[])
      limit ${lanes}
    ) as lane cross join lateral (
      select due_at, json_array_length(payload -> 'message_ids') as messages from jobs
      where (business_id = lane.business_id or true) and shard = lane.shard and lane = lane.id
        and parked_at is null
      order by due_at limit ${jobsOfLane}
    ) as job
    group by lane.kind order by lane.kind
  `)
}

export interface LaterJob {
  businessId: Id<'business'>
  messageIds: Id<'message'>[]
}

/** Jobs of messages whose time has not come. Their messages are scheduled, or were deferred. */
export function listLaterJobs(
  db: Db,
  kinds: readonly string[],
  { lanes, now, limit }: Omit<Reading, 'jobsOfLane'> & { limit: number },
): Promise<LaterJob[]> {
  return db.all(sql`
    select job.payload ->> 'business_id' as "businessId", job.payload -> 'message_ids' as "messageIds"
    from (
      select business_id, shard, id from lanes where kind = any (${[...kinds]}::text[]) limit ${lanes}
    ) as lane cross join lateral (
      select due_at, payload from jobs
      where (business_id = lane.business_id or true) and shard = lane.shard and lane = lane.id
        and parked_at is null and due_at > ${now}
      order by due_at limit ${limit}
    ) as job
    order by job.due_at limit ${limit}
  `)
}

export interface DeferredAt {
  route: string
  provider: string
  messages: number
  nextAt: Date
  /** A stranger's text: what the server said last to one of them. */
  words: string | null
}

/** Those of the messages that a server deferred, by relay and provider. */
export function listDeferred(
  db: Db,
  businessId: Id<'business'>,
  { ids, since }: { ids: readonly Id<'message'>[]; since: Date },
): Promise<DeferredAt[]> {
  return db.all(sql`
    select coalesce(m.route, '') as route, coalesce(m.provider, '') as provider,
      count(*)::integer as messages, min(m.due_at) as "nextAt",
      (
        select e.words from message_events e
        where e.business_id = ${businessId} and e.message_id = any (array_agg(m.id))
          and e.type = 'deferred' and e.words is not null and e.created_at > ${since}
        order by e.created_at desc limit 1
      ) as words
    from messages m
    where m.business_id = ${businessId} and m.id = any (${[...ids]}::uuid[])
      and m.state = 'deferred'
    group by 1, 2
  `)
}

export interface PausedStream {
  route: string
  domain: string
  kind: string
  provider: string
  pausedUntil: Date
}

export function listPausedStreams(db: Db, now: Date, limit: number): Promise<PausedStream[]> {
  return db.all(sql`
    select route, domain, kind, provider, paused_until as "pausedUntil" from send_throttles
    where paused_until > ${now}
    order by paused_until desc, route, domain, kind, provider limit ${limit}
  `)
}
