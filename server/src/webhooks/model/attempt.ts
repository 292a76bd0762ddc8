import type { Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import type { FailureReason } from '../../lib/http-client/outbound-failure.ts'

/**
 * Why an attempt failed: no response, or a response that is not a success. `expired`: the event is
 * past its retention, so nothing was left to send. `erased`: the event was about a person who was
 * erased.
 */
export const attemptFailures = ['status', 'redirect', 'expired', 'erased'] as const
export type AttemptFailure = FailureReason | (typeof attemptFailures)[number]

/** The key of an attempt, and the day of the log that stores it. */
export interface AttemptKey {
  businessId: Id<'business'>
  id: Id<'delivery'>
  createdAt: Date
}

/** The result of an attempt. */
export interface AttemptResult {
  outcome: 'delivered' | 'failed'
  endedAt: Date
  signature: string | null
  /** The status of the response. Null without a response. */
  status: number | null
  failure: AttemptFailure | null
  /** The first bytes of the response's body. */
  response: Buffer | null
}

/** An attempt as the log stores it. */
export interface Attempt extends AttemptKey {
  webhookId: Id<'webhook'>
  eventId: Id<'event'>
  eventAt: Date
  type: EventTypeName
  attempt: number
  replayOf: Id<'delivery'> | null
  beginsAt: Date | null
}
