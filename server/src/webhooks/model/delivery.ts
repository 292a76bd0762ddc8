/**
 * One event on its way to one subscription: a job, whose lane is the subscription. If many events
 * arrive at once, their first attempts share jobs (`webhooks/delivery/deliver.ts`).
 */

import type { Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import type { NewJob } from '../../lib/jobs/job.ts'
import { deliverJob } from './webhook.ts'

export interface Delivery {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
  eventId: Id<'event'>
  /** The event's creation time, by which its body is found. */
  eventAt: Date
  type: EventTypeName
}

/** The id of the first attempt, which a replay or test promised to its caller. */
export interface FirstAttempt {
  id: Id<'delivery'>
  createdAt: Date
}

/** The job's payload. It is short, because a million payloads may wait. */
interface Payload {
  to: [businessId: Id<'business'>, webhookId: Id<'webhook'>]
  event: QueuedEvent
  first?: [id: Id<'delivery'>, createdAt: string]
  /** Whether it is a test: tried once, in a lane beside that of real deliveries. */
  test?: true
}

/** First attempts that share a job and are made one after another. */
interface BatchPayload {
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

/** Creates a job for deliveries to one webhook. A single delivery becomes an ordinary job. */
export function batchJobOf(deliveries: readonly Delivery[]): NewJob {
  const [first] = deliveries
  if (!first) throw new Error('a batch without a delivery')
  if (deliveries.length === 1) return jobOf(first)
  return { ...laneOf(first), payload: batchPayloadOf(deliveries) }
}

/** The payload of a batch, or of its remaining deliveries. */
export function batchPayloadOf(deliveries: readonly Delivery[]): BatchPayload {
  const [first] = deliveries
  if (!first) throw new Error('a batch without a delivery')
  return { to: [first.businessId, first.webhookId], events: deliveries.map(eventOf) }
}

function eventOf({ eventId, eventAt, type }: Delivery): QueuedEvent {
  return [eventId, eventAt.toISOString(), type]
}

/** The deliveries of a job, and whether it is a batch. */
export function deliveriesOf(payload: unknown): { isBatch: boolean; deliveries: QueuedDelivery[] } {
  const queued = payload as Payload | BatchPayload
  const [businessId, webhookId] = queued.to
  const of = ([eventId, eventAt, type]: QueuedEvent): Delivery => ({
    businessId,
    webhookId,
    eventId,
    eventAt: new Date(eventAt),
    type,
  })
  if ('events' in queued) return { isBatch: true, deliveries: queued.events.map(of) }
  const { event, first, test } = queued
  const delivery = {
    ...of(event),
    ...(first && { first: { id: first[0], createdAt: new Date(first[1]) } }),
    ...(test && { test }),
  }
  return { isBatch: false, deliveries: [delivery] }
}

/**
 * The id of the attempt that a claim makes of a delivery. It is derived from the claim's stored
 * data, so that the attempt is known after a crash without a row written before the request. Its
 * time is the claim's.
 */
export function attemptIdOf(lease: string, { eventId, webhookId }: Delivery): Id<'delivery'> {
  return `${lease.slice(0, -12)}${mixedTail(lease, eventId, webhookId)}` as Id<'delivery'>
}

/**
 * A test has a lane of its own, so that a receiver can be tested while its webhook is paused or
 * behind.
 */
export function laneOf({ webhookId, test }: { webhookId: Id<'webhook'>; test?: boolean }) {
  return { kind: deliverJob, lane: test ? `${webhookId} test` : webhookId }
}

/**
 * The id of the single job of an event and a subscription, so that no delivery is under way twice.
 * It begins like the event's id, and so grows with time as all ids do. The rest is mixed from both
 * ids.
 */
export function jobIdOf(eventId: Id<'event'>, webhookId: Id<'webhook'>): Id<'job'> {
  return `${eventId.slice(0, -12)}${mixedTail(eventId, webhookId)}` as Id<'job'>
}

/**
 * Mixes the last 48 bits of the ids, which are random. It works in halves, because a number holds
 * 53 bits.
 */
function mixedTail(...ids: string[]): string {
  let [high, low] = [0, 0]
  for (const id of ids) {
    high ^= Number.parseInt(id.slice(-12, -6), 16)
    low ^= Number.parseInt(id.slice(-6), 16)
  }
  return high.toString(16).padStart(6, '0') + low.toString(16).padStart(6, '0')
}
