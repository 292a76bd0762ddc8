/**
 * Sends the events of a span of time again, by their types. Only what the log of attempts shows that the
 * webhook got, or failed to get: so none gets a type that it did not subscribe to at that time.
 */

import { type Id, newId } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { keepOn, settle } from '../../lib/jobs/claim.ts'
import { enqueue, type Job, type TellWorker, type Verdict } from '../../lib/jobs/job.ts'
import { queuedOf } from '../../lib/jobs/lanes.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { type Delivery, jobIdOf, laneOf } from '../model/delivery.ts'
import { lockWebhook } from '../model/queries.ts'
import { takeLettersOf } from './dead-letter-queries.ts'
import { queueAgain, type ReplayDeps } from './replay-dead.ts'
import { addProgress, beginProgress } from './replay-progress.ts'

export const replayRangeJob = 'webhook.replay-range'

/** The most events of one call. */
export const mostReplayed = 10_000

export const replayedOutcomes = ['delivered', 'undelivered'] as const
export type ReplayedOutcome = (typeof replayedOutcomes)[number]

/** The events of one webhook that are to be sent again. */
export interface ReplayedRange {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
  /** By the time of the events. */
  since: Date
  until: Date
  types: readonly EventTypeName[]
  outcomes: readonly ReplayedOutcome[]
  /** Only later events than this one, of the call before. */
  after: Id<'event'> | null
}

interface Payload {
  business_id: Id<'business'>
  webhook_id: Id<'webhook'>
  since: string
  until: string
  types: readonly EventTypeName[]
  outcomes: readonly ReplayedOutcome[]
  after: Id<'event'> | null
  /** The last event of this replay. */
  last: Id<'event'>
  /** Attempts from later on are those of this replay, or of another. */
  up_to: Id<'delivery'>
  /** How many events are left, of those that the caller was told. */
  left: number
}

/** So few are queued at once, in the call itself. */
const fewEvents = 100
/** The most events of one transaction of the job. */
const perTurn = 1000

/**
 * The caller has locked the webhook. Returns how many events are sent again, and the last of them if there
 * are more than one call replays.
 */
export async function replayRange(
  tx: Tx,
  range: ReplayedRange,
  now: Date,
): Promise<{ count: number; last?: Id<'event'> }> {
  const upTo = newId('delivery')
  const events = await selectRange(tx, { ...range, last: null, upTo }, mostReplayed + 1)
  const chosen = events.slice(0, mostReplayed)
  const last = chosen.at(-1)?.eventId
  if (last === undefined) return { count: 0 }
  await beginProgress(tx, range, chosen.length, now)
  if (chosen.length <= fewEvents) {
    await queueRange(tx, range, chosen, now)
    await addProgress(tx, range, chosen.length)
  } else {
    const { businessId, webhookId, since, until, types, outcomes, after } = range
    const payload: Payload = {
      business_id: businessId,
      webhook_id: webhookId,
      since: since.toISOString(),
      until: until.toISOString(),
      types,
      outcomes,
      after,
      last,
      up_to: upTo,
      left: chosen.length,
    }
    await enqueue(tx, [{ kind: replayRangeJob, businessId, lane: webhookId, payload }], now)
  }
  return { count: chosen.length, ...(events.length > chosen.length && { last }) }
}

/** Replays a thousand events, and runs again while there are more. */
export async function replayInTurns({ db, clock, wake }: ReplayDeps, job: Job): Promise<Verdict> {
  const payload = job.payload as Payload
  const range = { ...rangeOf(payload), last: payload.last, upTo: payload.up_to }
  return db.tx(async (tx) => {
    const now = clock.now()
    const webhook = await lockWebhook(tx, range.businessId, range.webhookId)
    const events = webhook ? await selectRange(tx, range, perTurn) : []
    const after = events.at(-1)?.eventId ?? null
    const goesOn = events.length === perTurn
    const remaining = payload.left - events.length
    if (goesOn) await keepOn(tx, [{ job, payload: { ...payload, after, left: remaining } }])
    const outcome: Verdict = goesOn ? { outcome: 'again', at: now } : { outcome: 'done' }
    const heldJobs = await settle(tx, [{ job, outcome }], now)
    if (!heldJobs.has(job)) throw new Error('another worker has this replay now')
    await queueRange(tx, range, events, now, wake)
    // Events that were erased meanwhile are left out, and count as done.
    await addProgress(tx, range, goesOn ? events.length : payload.left)
    return { outcome: 'settled', ...(goesOn && { at: now }) }
  })
}

function rangeOf(payload: Payload): ReplayedRange {
  const { business_id: businessId, webhook_id: webhookId, types, outcomes, after } = payload
  const [since, until] = [new Date(payload.since), new Date(payload.until)]
  return { businessId, webhookId, since, until, types, outcomes, after }
}

type LoggedEvent = Delivery & { id: Id<'delivery'> }

/** What is on its way already is left to that. */
async function queueRange(
  tx: Tx,
  { businessId, webhookId }: Pick<ReplayedRange, 'businessId' | 'webhookId'>,
  events: readonly LoggedEvent[],
  now: Date,
  tell?: TellWorker,
): Promise<void> {
  const ids = events.map(({ eventId }) => jobIdOf(eventId, webhookId))
  const queued = await queuedOf(tx, laneOf({ businessId, webhookId }), ids)
  const others = events.filter((_event, i) => !queued.has(ids[i] as Id<'job'>))
  const [first] = others
  if (!first) return
  await takeLettersOf(
    tx,
    first,
    others.map(({ eventId }) => eventId),
  )
  await queueAgain(tx, others, now, tell)
}

interface SelectedRange extends ReplayedRange {
  last: Id<'event'> | null
  upTo: Id<'delivery'>
}

/** Attempts come after their event, but another node's clock may be ahead. */
const clockSkewMs = minutes(1)

/** Events in the order of their ids, which grow with time, with their latest attempts. */
function selectRange(db: Db, range: SelectedRange, limit: number): Promise<LoggedEvent[]> {
  const { businessId, webhookId, since, until, types, outcomes, after, last, upTo } = range
  return db.all<LoggedEvent>(sql`
    with logged as (
      select event_id, event_type, event_at, (array_agg(id order by id desc))[1] as id,
        bool_or(outcome = 'delivered') as delivered
      from webhook_attempts
      where business_id = ${businessId} and webhook_id = ${webhookId} and id < ${upTo}
        and created_at >= ${later(since, -clockSkewMs)}
        and event_at >= ${since} and event_at < ${until}
        and event_type = any(${types}::text[]) and cause is distinct from 'test'
        and (${after}::uuid is null or event_id > ${after})
        and (${last}::uuid is null or event_id <= ${last})
      group by event_id, event_type, event_at
    ), known as (
      select logged.*, exists (
        select from dead_letters dead
        where dead.business_id = ${businessId} and dead.webhook_id = ${webhookId}
          and dead.event_id = logged.event_id
      ) as dead
      from logged
    )
    select ${businessId}::uuid as "businessId", ${webhookId}::uuid as "webhookId",
      event_id as "eventId", event_type as type, event_at as "eventAt", id
    from known
    where (dead and 'undelivered' = any(${outcomes}::text[]))
      or (delivered and not dead and 'delivered' = any(${outcomes}::text[]))
    order by event_id limit ${limit}
  `)
}
