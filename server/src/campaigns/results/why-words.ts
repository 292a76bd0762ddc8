/** Explains the states and reasons of recipients in a sentence, and what can be done about them. */

import type { HoldReason } from '../../messages/throttle/provider-holds.ts'

const reasons: Readonly<Record<string, string>> = {
  no_email: 'It has no email address.',
  no_phone: 'It has no phone number.',
  not_subscribed: 'It is not subscribed to this channel: it never agreed, or has unsubscribed.',
  topic_not_chosen:
    'It left the topic of the campaign, or chose other topics: its consent does not cover this one.',
  unsubscribed: 'It took its consent back after the audience was frozen.',
  invalid: 'Its address bounced for good.',
  suppressed: 'Its address is on the list of suppressions.',
  capped: 'They had as much marketing as they or the business allow, or more of it is due soon.',
  sent_recently: 'It was sent marketing within the days that the audience leaves free.',
  tier_quota: "The month's quota of the tier was used up.",
  erased: 'The contact was erased.',
  campaign_cancelled: 'The campaign was cancelled before its turn came.',
  gap: 'It had another message a moment ago; it goes out once the gap between two has passed.',
  quiet_hours: 'It is night where its number is; it goes out in the morning.',
}

const states: Readonly<Record<string, string>> = {
  pending: 'Its turn has not come.',
  waiting_for_winner: 'It gets the variant that wins the test.',
  taken: 'Its message is queued, or on its way.',
  sent: 'The next hop took it; nothing came back yet that says it arrived.',
  delivered: 'The receiving side confirmed it.',
  bounced: 'The receiving side refused it for good.',
  failed: 'It could not be sent.',
  unknown:
    'The connection broke after the content was sent: it may have arrived. It is not sent again unless a person asks for it, by campaign.resend.',
  skipped: 'It gets nothing.',
  cancelled: 'The campaign was cancelled before its turn came.',
  not_in_audience: 'The audience is of others: its tags or its filter do not fit this contact.',
  added_later: 'The contact was added after the audience was frozen.',
  would_get: 'The audience is not frozen yet: if it were now, this contact would get it.',
  would_be_skipped:
    'The audience is not frozen yet: if it were now, this contact would not get it.',
}

export function explain(state: string, reason: string | null): string {
  const why = reason === null ? undefined : reasons[reason]
  const verdict = states[state] ?? state
  return why === undefined || why === verdict ? verdict : `${verdict} ${why}`
}

/** Explains a recipient whose provider's share of the campaign waits. */
export function explainHold({
  provider,
  reason,
  heldUntil,
}: {
  provider: string
  reason: HoldReason
  heldUntil: Date
}): string {
  const why =
    reason === 'refusals'
      ? 'refused more than 2 % of the campaign because of the sender'
      : 'reported complaints by more than 0.3 % of the people'
  return `Its message waits: ${provider} ${why}. That share goes on by itself at ${heldUntil.toISOString()}, and the rest of the campaign goes on meanwhile.`
}
