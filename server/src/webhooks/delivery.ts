/** One event on its way to one subscription: a job, whose lane is the subscription. */
import type { EventTypeName } from '../events/catalog.ts'
import type { Id } from '../platform/ids.ts'
import type { NewJob } from '../platform/jobs/job.ts'
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
  event: [id: Id<'event'>, at: string, type: EventTypeName]
  first?: [id: Id<'delivery'>, createdAt: string]
  /** A test: tried once, and on a lane beside that of what really happened. */
  test?: true
}

export interface QueuedDelivery extends Delivery {
  first?: FirstAttempt
  test?: boolean
}

export function jobOf(delivery: QueuedDelivery): NewJob & { id: Id<'job'> } {
  const { businessId, webhookId, eventId, eventAt, type, first, test } = delivery
  const payload: Payload = {
    to: [businessId, webhookId],
    event: [eventId, eventAt.toISOString(), type],
    ...(first && { first: [first.id, first.createdAt.toISOString()] }),
    ...(test && { test }),
  }
  return { ...laneOf(delivery), id: jobIdOf(eventId, webhookId), payload }
}

export function deliveryOf(payload: unknown): QueuedDelivery {
  const { to, event, first, test } = payload as Payload
  const [businessId, webhookId] = to
  const [eventId, eventAt, type] = event
  return {
    businessId,
    webhookId,
    eventId,
    eventAt: new Date(eventAt),
    type,
    ...(first && { first: { id: first[0], createdAt: new Date(first[1]) } }),
    ...(test && { test }),
  }
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
  const mixed = tailOf(eventId) ^ tailOf(webhookId)
  const tail = mixed.toString(16).padStart(12, '0')
  return `${eventId.slice(0, -12)}${tail}` as Id<'job'>
}

const tailOf = (id: string) => BigInt(`0x${id.slice(-12)}`)
