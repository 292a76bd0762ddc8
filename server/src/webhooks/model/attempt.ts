import type { Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import type { FailureReason } from '../../lib/http-client/outbound-failure.ts'

/**
 * Why an attempt failed: no answer came, or one that does not count. `expired`: the event is
 * older than events are kept, so that there was nothing left to send. `erased`: it was about a
 * person who was erased meanwhile.
 */
export const attemptFailures = ['status', 'redirect', 'expired', 'erased'] as const
export type AttemptFailure = FailureReason | (typeof attemptFailures)[number]

/** What names an attempt, and the day of the log it lies in. */
export interface AttemptKey {
  businessId: Id<'business'>
  id: Id<'delivery'>
  createdAt: Date
}

/** What came of one. */
export interface AttemptResult {
  outcome: 'delivered' | 'failed'
  endedAt: Date
  signature: string | null
  /** Of the answer; null where none came. */
  status: number | null
  failure: AttemptFailure | null
  /** The first bytes of the answer's body. */
  response: Buffer | null
}

/** An attempt as the log has it. */
export interface Attempt extends AttemptKey {
  webhookId: Id<'webhook'>
  eventId: Id<'event'>
  eventAt: Date
  type: EventTypeName
  attempt: number
  replayOf: Id<'delivery'> | null
  beginsAt: Date | null
}
