/**
 * One event on its way to one subscription: a job, whose lane is the subscription. If many events
 * arrive at once, their first attempts share jobs (`webhooks/delivery/deliver.ts`).
 */

import type { Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import type { LaneName, NewJob } from '../../lib/jobs/job.ts'
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

/** An attempt beside the schedule that a caller asked for. It counts as none of the seven. */
export interface ExtraAttempt extends FirstAttempt {
  /** When the schedule goes on. Null for a dead letter, which has no further attempts. */
  dueAt: Date | null
}

/** Why an attempt was made beside the schedule. */
export const attemptCauses = ['retry', 'test'] as const
export type AttemptCause = (typeof attemptCauses)[number]

/** The job's payload. It is short, because a million payloads may wait. */
interface Payload {
  to: [businessId: Id<'business'>, webhookId: Id<'webhook'>]
  event: QueuedEvent
  first?: [id: Id<'delivery'>, createdAt: string]
  extra?: [id: Id<'delivery'>, createdAt: string, dueAt: string | null]
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
  extra?: ExtraAttempt
  test?: boolean
}

export function causeOf({ extra, test }: QueuedDelivery): AttemptCause | null {
  if (extra) return 'retry'
  return test ? 'test' : null
}

/** The number of an attempt. An extra one has that of the attempt before it. */
export function numberOf(attempt: number, { extra }: QueuedDelivery): number {
  return extra ? attempt - 1 : attempt
}

/** The attempt that has a row before it begins, because its caller was promised its id. */
export function promisedOf(
  { first, extra }: QueuedDelivery,
  attempt: number,
): FirstAttempt | undefined {
  return extra ?? (attempt === 1 ? first : undefined)
}

export function jobOf(delivery: QueuedDelivery): NewJob & { id: Id<'job'> } {
  const { eventId, webhookId, first, extra, test } = delivery
  const payload: Payload = {
    to: [delivery.businessId, webhookId],
    event: eventOf(delivery),
    ...(first && { first: [first.id, first.createdAt.toISOString()] }),
    ...(extra && {
      extra: [extra.id, extra.createdAt.toISOString(), extra.dueAt?.toISOString() ?? null],
    }),
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
  const { event, first, extra, test } = queued
  const delivery = {
    ...of(event),
    ...(first && { first: { id: first[0], createdAt: new Date(first[1]) } }),
    ...(extra && {
      extra: {
        id: extra[0],
        createdAt: new Date(extra[1]),
        dueAt: extra[2] === null ? null : new Date(extra[2]),
      },
    }),
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
export function laneOf({
  businessId,
  webhookId,
  test,
}: Pick<QueuedDelivery, 'businessId' | 'webhookId' | 'test'>): LaneName {
  return { kind: deliverJob, businessId, lane: test ? `${webhookId} test` : webhookId }
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
