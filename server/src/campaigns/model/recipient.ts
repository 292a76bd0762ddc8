/**
 * A recipient: one person of a campaign's frozen audience, with their state;
 * docs/design/campaign-runs.md draws the states.
 */
import type { Settled } from '../../messages/campaign-outcomes.ts'
import type { MessageState } from '../../messages/message.ts'

export type RecipientState =
  | 'pending'
  | 'taken'
  | 'sent'
  | 'delivered'
  | 'bounced'
  | 'failed'
  | 'unknown'
  | 'skipped'
  | 'cancelled'

/** The recipient's state by the state of the message; undefined while the message is being sent. */
const states: Partial<Record<MessageState, RecipientState>> = {
  accepted: 'sent',
  delivered: 'delivered',
  bounced: 'bounced',
  failed: 'failed',
  unknown: 'unknown',
  suppressed: 'skipped',
  cancelled: 'skipped',
}

/** The reason of a denied attempt, as the plan names it. */
const reasons: Readonly<Record<string, string>> = {
  bounce: 'invalid',
  unsubscribed: 'unsubscribed',
}

export interface Eligibility {
  /** Undefined if the state stays as it is. */
  state: RecipientState | undefined
  reason: string | null
}

export function eligibilityOf({ state, reason }: Pick<Settled, 'state' | 'reason'>): Eligibility {
  const next = states[state]
  if (next !== 'skipped') return { state: next, reason: reason ?? null }
  if (reason === 'campaign_cancelled') return { state: 'cancelled', reason }
  if (state === 'suppressed') return { state: next, reason: reasons[reason ?? ''] ?? 'suppressed' }
  return { state: next, reason: reason ?? 'unsubscribed' }
}
