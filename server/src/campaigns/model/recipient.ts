/** One person of a campaign's audience, and how far they have come: drawn in docs/design/campaign-runs.md. */
import type { Settled } from '../../messages/model/campaign-outcomes.ts'
import type { MessageState } from '../../messages/model/message.ts'

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

/** What the state of a message makes of its recipient; undefined while it is on its way. */
const states: Partial<Record<MessageState, RecipientState>> = {
  accepted: 'sent',
  delivered: 'delivered',
  bounced: 'bounced',
  failed: 'failed',
  unknown: 'unknown',
  suppressed: 'skipped',
  cancelled: 'skipped',
}

/** What an attempt that was denied says, in the words of the plan. */
const reasons: Readonly<Record<string, string>> = {
  bounce: 'invalid',
  unsubscribed: 'unsubscribed',
}

export interface Eligibility {
  /** Undefined: as before. */
  state: RecipientState | undefined
  reason: string | null
}

export function standingOf({ state, reason }: Pick<Settled, 'state' | 'reason'>): Eligibility {
  const next = states[state]
  if (next !== 'skipped') return { state: next, reason: reason ?? null }
  if (reason === 'campaign_cancelled') return { state: 'cancelled', reason }
  if (state === 'suppressed') return { state: next, reason: reasons[reason ?? ''] ?? 'suppressed' }
  return { state: next, reason: reason ?? 'unsubscribed' }
}
