/**
 * Sends events again that were sent before or became dead letters: a new chain of attempts with the
 * same bytes.
 */

import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { bodiesOf } from '../../events/bodies.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { keepOn, settle } from '../../lib/jobs/claim.ts'
import { enqueue, type Job, type TellWorker, type Verdict } from '../../lib/jobs/job.ts'
import { isQueued, queuedOf } from '../../lib/jobs/lanes.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { type Delivery, jobIdOf, jobOf, laneOf } from '../model/delivery.ts'
import { insertAttempts } from './attempt-queries.ts'
import { lockOldest, takeLettersOf } from './dead-letter-queries.ts'
import { addProgress } from './replay-progress.ts'

export const replayDeadJob = 'webhook.replay-dead'

export interface ReplayDead {
  business_id: Id<'business'>
  webhook_id: Id<'webhook'>
  /** The latest dead letter at the time when the replay was requested. */
  up_to: Id<'delivery'>
  /** Those up to this one have been looked at. */
  after?: Id<'delivery'>
}

type ReplayedDelivery = Delivery & { id: Id<'delivery'>; isUnderWay?: true }

/** The caller has locked the subscription. */
export async function replayOne(
  tx: Tx,
  sent: ReplayedDelivery,
  now: Date,
): Promise<{ id: Id<'delivery'> }> {
  // A delivery with a finished attempt is in no batch any more, so it has its own job or no job.
  const { businessId, webhookId, eventId } = sent
  if (
    sent.isUnderWay ||
    (await isQueued(tx, laneOf({ businessId, webhookId }), jobIdOf(eventId, webhookId)))
  ) {
    throw deliveryUnderWay(sent.id)
  }
  const missing = await bodyMissing(tx, sent)
  if (missing) throw missing
  await takeLettersOf(tx, sent, [eventId])
  const [first] = await queueAgain(tx, [sent], now)
  if (!first) throw new Error('a replay was queued and has no attempt')
  return first
}

function deliveryUnderWay(id: Id<'delivery'>): Refusal {
  const text =
    'This event is on its way to the webhook already, with attempts left. Replay it when they are over, or have it tried now with webhook.retry.'
  return refuse('conflict', text, {
    field: 'delivery_id',
    data: { reason: 'delivery_under_way' },
    fix: { tool: 'webhook.retry', arguments: { delivery_id: formatId('delivery', id) } },
  })
}

/** Refuses an event that has no bytes any more. */
export async function bodyMissing(
  tx: Tx,
  { businessId, eventId, eventAt }: Delivery,
): Promise<Refusal | undefined> {
  const key = { businessId, id: eventId, createdAt: eventAt }
  const body = (await bodiesOf(tx, [key])).get(eventId)
  if (body === null) {
    const text =
      'The event is about a person who was erased since, so there is nothing left to send.'
    return refuse('erased', text, { field: 'delivery_id' })
  }
  if (body === undefined) {
    const text =
      'The event is older than the 30 days that events are kept, so there is nothing to send.'
    return refuse('gone', text, { field: 'delivery_id' })
  }
  return undefined
}

/** Queues the events and stores the id of each first attempt. */
export async function queueAgain(
  tx: Tx,
  sent: readonly ReplayedDelivery[],
  now: Date,
  tell?: TellWorker,
) {
  const firsts = sent.map(({ id: replayOf, ...delivery }) => {
    const first = { id: newId('delivery'), createdAt: now }
    return {
      ...pick(delivery),
      ...first,
      attempt: 1,
      replayOf,
      begunAt: null,
      url: null,
      cause: null,
      first,
    }
  })
  await insertAttempts(tx, firsts)
  await enqueue(
    tx,
    firsts.map((entry) => jobOf({ ...pick(entry), first: entry.first })),
    now,
    tell,
  )
  return firsts
}

function pick({ businessId, webhookId, eventId, eventAt, type }: Delivery): Delivery {
  return { businessId, webhookId, eventId, eventAt, type }
}

/** The most dead letters of one transaction. */
const perTurn = 1000

export interface ReplayDeps {
  db: Database
  clock: Clock
  wake?: TellWorker
}

/** Replays a thousand dead letters, and runs again while there are more. */
export async function replayDead({ db, clock, wake }: ReplayDeps, job: Job): Promise<Verdict> {
  const payload = job.payload as ReplayDead
  const { business_id: businessId, webhook_id: webhookId, up_to: upTo, after = null } = payload
  return db.tx(async (tx) => {
    const now = clock.now()
    const letters = await lockOldest(tx, { businessId, webhookId, upTo, after }, perTurn)
    const last = letters.at(-1)
    const goesOn = last !== undefined && letters.length === perTurn
    if (goesOn) await keepOn(tx, [{ job, payload: { ...payload, after: last.id } }])
    const outcome: Verdict = goesOn ? { outcome: 'again', at: now } : { outcome: 'done' }
    const heldJobs = await settle(tx, [{ job, outcome }], now)
    if (!heldJobs.has(job)) throw new Error('another worker has this replay now')
    // A letter with an extra attempt under way stays a letter, unless that succeeds.
    const ids = letters.map(({ eventId }) => jobIdOf(eventId, webhookId))
    const queued = await queuedOf(tx, laneOf({ businessId, webhookId }), ids)
    const replayable = letters.filter((_letter, i) => !queued.has(ids[i] as Id<'job'>))
    if (replayable.length > 0) {
      await takeLettersOf(
        tx,
        { businessId, webhookId },
        replayable.map(({ eventId }) => eventId),
      )
      await queueAgain(tx, replayable, now, wake)
    }
    await addProgress(tx, { businessId, webhookId }, letters.length)
    return { outcome: 'settled', ...(goesOn && { at: now }) }
  })
}
