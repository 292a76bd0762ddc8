/**
 * The beginning of attempts. It reads the destination of each delivery and the secrets that sign
 * it. The claim stored the data that identifies an attempt (`attemptIdOf`) before anything is sent.
 */

import type { Id } from '../../core/ids.ts'
import { bodiesOf } from '../../events/bodies.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { settle } from '../../lib/jobs/claim.ts'
import { defaults, enqueue, type Job } from '../../lib/jobs/job.ts'
import { pauseLane } from '../../lib/jobs/lanes.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { AttemptKey, AttemptResult } from '../model/attempt.ts'
import {
  attemptIdOf,
  deliveriesOf,
  jobOf,
  laneOf,
  numberOf,
  promisedOf,
  type QueuedDelivery,
} from '../model/delivery.ts'
import { lockWebhook, updateWebhook } from '../model/queries.ts'
import type { Rights } from '../model/rights.ts'
import type { Holder } from '../model/webhook.ts'
import { beginWaiting } from './attempt-queries.ts'
import { type InterruptedAttempt, logInterrupted } from './interrupted-attempts.ts'
import { selectTargets, type Target } from './subscription-queries.ts'

export interface Ended {
  begun: Begun
  begunAt: Date
  result: AttemptResult
}

/** An attempt that is to be made now. */
export interface Begun extends AttemptKey {
  job: Job
  delivery: QueuedDelivery
  target: Target
  /** Undefined if the event is past its retention, null if it was erased. */
  body: string | null | undefined
  /** Whether it has a row in the log already, under the id that its caller was promised. */
  isPromised: boolean
}

/**
 * `gone`: there is no receiver. `held`: the subscription is paused, and its lane with it.
 * `split`: a batch was replaced by one job per delivery. Several deliveries begin only in a
 * batch.
 */
export type Beginning =
  | { is: 'begun'; begun: Begun[]; isBatch: boolean }
  | { is: 'gone' }
  | { is: 'held' }
  | { is: 'split' }

export interface BeginDeps {
  db: Database
  clock: Clock
  rights: Rights
}

interface DeliveryJob {
  job: Job
  isBatch: boolean
  deliveries: QueuedDelivery[]
  /** The first of all deliveries. */
  first: QueuedDelivery
  target: Target | undefined
}

export async function beginAll(deps: BeginDeps, jobs: readonly Job[]): Promise<Beginning[]> {
  const { db, clock } = deps
  const now = clock.now()
  const queued = jobs.map((job) => ({ job, ...deliveriesOf(job.payload) }))
  const deliveries = queued.flatMap((entry) => entry.deliveries)
  const [{ targets, reach }, bodies] = await Promise.all([
    targetsOf(deps, deliveries, now),
    bodiesOf(
      db,
      deliveries.map(({ businessId, eventId, eventAt }) => ({
        businessId,
        id: eventId,
        createdAt: eventAt,
      })),
    ),
  ])
  const all = queued.map(({ job, isBatch, deliveries }): DeliveryJob => {
    const [first] = deliveries
    if (!first) throw new Error('a job without a delivery')
    return { job, isBatch, deliveries, first, target: targets.get(first.webhookId) }
  })
  const lost = all.filter(isInterruptedAlone).flatMap(lostOf)
  if (lost.length > 0) await logInterrupted(db, lost)
  const suspended: HeldDelivery[] = []
  const begun: Begun[] = []
  const toSplit: DeliveryJob[] = []
  const beginnings = all.map((entry): Beginning => {
    const { job, isBatch, deliveries, first, target } = entry
    if (isBatch && mustSplit(job)) {
      toSplit.push(entry)
      return { is: 'split' }
    }
    if (!target) return { is: 'gone' }
    const hasRight = first.test || reach.get(target.holder)?.has(first.businessId)
    if ((target.isPaused && !first.test) || !hasRight) {
      suspended.push({ ...first, ...(!target.isPaused && { ended: target.holder }) })
      return { is: 'held' }
    }
    const its = deliveries.map((delivery) => ({
      businessId: delivery.businessId,
      id: attemptIdOf(job.lease, delivery),
      createdAt: job.claimedAt,
      job,
      delivery,
      target,
      body: bodies.get(delivery.eventId),
      isPromised: false,
    }))
    begun.push(...its)
    return { is: 'begun', begun: its, isBatch }
  })
  await takePromised(db, begun, now)
  if (suspended.length > 0) await holdAll(db, suspended, now)
  if (toSplit.length > 0) {
    const batches = toSplit.map((batch) => ({ ...batch, lost: lostOf(batch) }))
    await splitBatch(db, batches, now)
  }
  return beginnings
}

/** Reads the targets, and the businesses that the holders of those subscriptions still reach. */
async function targetsOf(
  { db, rights }: BeginDeps,
  deliveries: readonly QueuedDelivery[],
  now: Date,
) {
  const unique = new Map(deliveries.map((delivery) => [delivery.webhookId, delivery]))
  const rows = await selectTargets(db, [...unique.values()], now)
  const holders = new Set(rows.map(({ holder }) => holder))
  const reach = await rights.reachOf(db, [...holders])
  return { targets: new Map(rows.map((row) => [row.webhookId, row])), reach }
}

/**
 * A batch is for a receiver that responds. If it fails, or if a worker died during the batch, each
 * delivery continues separately.
 */
function mustSplit({ capacity, lost, attempt }: Job): boolean {
  return capacity < defaults.perLane || lost.length > 0 || attempt > 1
}

const isInterruptedAlone = ({ isBatch, job }: DeliveryJob) => !isBatch && job.lost.length > 0

/** The attempts of earlier claims whose outcome is unknown. */
function lostOf({ job, deliveries, target }: DeliveryJob): InterruptedAttempt[] {
  const { lost, attempt, claims } = job
  return deliveries.flatMap((delivery) => {
    // The very first claim used the id that was promised, and that id has a row.
    const isFirstLost = claims === lost.length + 1
    const unnamed = promisedOf(delivery, attempt) && isFirstLost ? lost.slice(1) : lost
    return unnamed.map(({ lease, at }) => {
      const id = attemptIdOf(lease, delivery)
      const number = numberOf(attempt, delivery)
      return { delivery, id, at, attempt: number, url: target?.url ?? null }
    })
  })
}

/** First attempts of replays, and extra ones, use the id promised to their caller, except after a crash. */
async function takePromised(db: Database, begun: readonly Begun[], now: Date): Promise<void> {
  const promised = begun.flatMap((entry) => {
    const { businessId, delivery, job, target } = entry
    const promise = promisedOf(delivery, job.attempt)
    if (!promise) return []
    const { id, createdAt } = promise
    return [{ begun: entry, row: { id, createdAt, businessId, url: target.url } }]
  })
  if (promised.length === 0) return
  const taken: ReadonlySet<Id<'delivery'>> = await beginWaiting(
    db,
    promised.map(({ row }) => row),
    now,
  )
  for (const { begun, row } of promised) {
    if (!taken.has(row.id)) continue
    Object.assign(begun, { id: row.id, createdAt: row.createdAt, isPromised: true })
  }
}

/** A delivery whose subscription is paused, or whose holder has lost the right to it. */
interface HeldDelivery {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
  /** The holder who no longer has the right. Absent if the subscription is paused already. */
  ended?: Holder
}

/** Suspends deliveries that must not be sent, so that they are not claimed again and again. */
async function holdAll(
  db: Database,
  deliveries: readonly HeldDelivery[],
  now: Date,
): Promise<void> {
  const unique = new Map(deliveries.map((delivery) => [delivery.webhookId, delivery]))
  for (const delivery of unique.values()) await db.tx((tx) => hold(tx, delivery, now))
}

/** Checked again under the lock, because a caller may have resumed the subscription meanwhile. */
async function hold(
  tx: Tx,
  { businessId, webhookId, ended }: HeldDelivery,
  now: Date,
): Promise<void> {
  const webhook = await lockWebhook(tx, businessId, webhookId)
  if (!webhook) return
  if (webhook.pausedBecause === null) {
    if (webhook.holder !== ended) return
    await updateWebhook(tx, businessId, { ...webhook, pausedBecause: 'connection_ended' }, now)
  }
  await pauseLane(tx, laneOf({ businessId, webhookId }), now)
}

interface BatchToSplit {
  job: Job
  deliveries: readonly QueuedDelivery[]
  /** Attempts that a dead worker may have made. */
  lost: readonly InterruptedAttempt[]
}

/** Replaces batches by one job for each of their deliveries. */
async function splitBatch(
  db: Database,
  batches: readonly BatchToSplit[],
  now: Date,
): Promise<void> {
  await db.tx(async (tx) => {
    const done = batches.map(({ job }) => ({ job, outcome: { outcome: 'done' as const } }))
    const heldJobs = await settle(tx, done, now)
    const stillHeld = batches.filter(({ job }) => heldJobs.has(job))
    await logInterrupted(
      tx,
      stillHeld.flatMap(({ lost }) => lost),
    )
    const jobs = stillHeld.flatMap(({ deliveries }) => deliveries.map(jobOf))
    await enqueue(tx, jobs, now)
  })
}
