/**
 * One event on its way to one subscription: a job, whose lane is the subscription. Of many that
 * come at once the first attempts share jobs (`webhooks/delivery/deliver.ts`).
 */

import type { Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import type { NewJob } from '../../lib/jobs/job.ts'
import { deliverJob } from './webhook.ts'

export interface Delivery {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
  eventId: Id<'event'>
  /** The event's time of creation, by which its body is found. */
  eventAt: Date
  type: EventTypeName
}

/** What a replay or a test promised its caller: the id of its first attempt. */
export interface FirstAttempt {
  id: Id<'delivery'>
  createdAt: Date
}

/** As the job's payload: a million of them may wait, so it is short. */
interface Payload {
  to: [businessId: Id<'business'>, webhookId: Id<'webhook'>]
  event: QueuedEvent
  first?: [id: Id<'delivery'>, createdAt: string]
  /** A test: tried once, and on a lane beside that of what really happened. */
  test?: true
}

/** First attempts that share a row, to be made one after another. */
interface RunPayload {
  to: Payload['to']
  events: QueuedEvent[]
}

type QueuedEvent = [id: Id<'event'>, at: string, type: EventTypeName]

export interface QueuedDelivery extends Delivery {
  first?: FirstAttempt
  test?: boolean
}

export function jobOf(delivery: QueuedDelivery): NewJob & { id: Id<'job'> } {
  const { eventId, webhookId, first, test } = delivery
  const payload: Payload = {
    to: [delivery.businessId, webhookId],
    event: eventOf(delivery),
    ...(first && { first: [first.id, first.createdAt.toISOString()] }),
    ...(test && { test }),
  }
  return { ...laneOf(delivery), id: jobIdOf(eventId, webhookId), payload }
}

/** Deliveries to one webhook in one job; a single one is a job as all others are. */
export function runJobOf(deliveries: readonly Delivery[]): NewJob {
  const [first] = deliveries
  if (!first) throw new Error('a run without a delivery')
  if (deliveries.length === 1) return jobOf(first)
  return { ...laneOf(first), payload: runPayloadOf(deliveries) }
}

/** The payload of a run, or of what is left of it. */
export function runPayloadOf(deliveries: readonly Delivery[]): RunPayload {
  const [first] = deliveries
  if (!first) throw new Error('a run without a delivery')
  return { to: [first.businessId, first.webhookId], events: deliveries.map(eventOf) }
}

function eventOf({ eventId, eventAt, type }: Delivery): QueuedEvent {
  return [eventId, eventAt.toISOString(), type]
}

/** The deliveries of a job, and whether they are a run. */
export function deliveriesOf(payload: unknown): { isRun: boolean; deliveries: QueuedDelivery[] } {
  const queued = payload as Payload | RunPayload
  const [businessId, webhookId] = queued.to
  const of = ([eventId, eventAt, type]: QueuedEvent): Delivery => ({
    businessId,
    webhookId,
    eventId,
    eventAt: new Date(eventAt),
    type,
  })
  if ('events' in queued) return { isRun: true, deliveries: queued.events.map(of) }
  const { event, first, test } = queued
  const delivery = {
    ...of(event),
    ...(first && { first: { id: first[0], createdAt: new Date(first[1]) } }),
    ...(test && { test }),
  }
  return { isRun: false, deliveries: [delivery] }
}

/**
 * The id of the attempt that a claim makes of a delivery. It is made of what the claim stored,
 * so that no row has to be written before the request for it to be known after a crash; its
 * time is the claim's.
 */
export function attemptIdOf(lease: string, { eventId, webhookId }: Delivery): Id<'delivery'> {
  return `${lease.slice(0, -12)}${mixedTail(lease, eventId, webhookId)}` as Id<'delivery'>
}

/** A test goes beside what waits, so that a receiver can be tried while it is paused or far behind. */
export function laneOf({ webhookId, test }: { webhookId: Id<'webhook'>; test?: boolean }) {
  return { kind: deliverJob, lane: test ? `${webhookId} test` : webhookId }
}

/**
 * The one job of an event and a subscription, so that neither is under way twice. It begins
 * as the event's id does, and so grows with time as all ids do; the rest is mixed of both.
 */
export function jobIdOf(eventId: Id<'event'>, webhookId: Id<'webhook'>): Id<'job'> {
  return `${eventId.slice(0, -12)}${mixedTail(eventId, webhookId)}` as Id<'job'>
}

/** The last 48 bits of ids, which are random in each; in halves, since a number has 53. */
function mixedTail(...ids: string[]): string {
  let [high, low] = [0, 0]
  for (const id of ids) {
    high ^= Number.parseInt(id.slice(-12, -6), 16)
    low ^= Number.parseInt(id.slice(-6), 16)
  }
  return high.toString(16).padStart(6, '0') + low.toString(16).padStart(6, '0')
}
