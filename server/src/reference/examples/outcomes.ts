/**
 * Keeps an example answer from contradicting itself: it shows the common case, in which everything
 * went well. A key is the name of a field, or `within.field` for a field of one object.
 */

/** Optional fields that only other cases have, such as the last page's `next_cursor`. */
export const seldom: ReadonlySet<string> = new Set([
  'next_cursor',
  // Something went wrong, or was done before
  'delivery.error',
  'delivery.next_attempt_at',
  'delivery.replay_of',
  'duplicate',
  'copies',
  'event.erased',
  'failing_since',
  'import.fault',
  'import.same_file',
  'last_error.error',
  'missing',
  'paused_because',
  'row.code',
  'row.field',
  'row.message',
  'row.stayed_unsubscribed',
  'result.error',
  'still_suppressed',
  'stayed_unsubscribed',
  'undone',
  'warning',
  'warnings',
  // Of a campaign or an automation that is a draft
  'campaign.completed_at',
  'campaign.deployed_at',
  'campaign.schedule',
  'campaign.send_at',
  'sequence.ends_at',
  'sequence.running_version',
  // Of a message that was sent at once, by a program
  'email.send_at',
  'message.campaign_id',
  'message.due_at',
  'message.segments',
  'message.sequence_id',
  'message.step',
  'message.topic',
  'result.segments',
  'result.send_at',
  'sms.send_at',
  // Of a business that is no demo, and of one that its owner changed in the app
  'demo',
  'saved.through_connection',
])

/** Values that fit to the others of their object, where the field's schema allows them. */
export const exact: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['business.missing', []],
  ['business.role', 'owner'],
  ['counter.limit', 600],
  ['counter.thresholds_crossed', [50]],
  ['counter.used', 320],
  ['delivery.duration_ms', 84],
  ['delivery.response_status', 204],
  ['delivery.state', 'delivered'],
  ['domain.refused_by', []],
  ['domain.status', 'verified'],
  ['email.status', 'queued'],
  ['event.machine', false],
  ['email.refused', 0],
  ['sms.refused', 0],
  ['failed.attempts', 7],
  ['import.state', 'done'],
  ['message.attempts', 1],
  ['message.status', 'delivered'],
  ['meta.more', false],
  ['response.status', 204],
  ['result.status', 'queued'],
  ['sms.status', 'queued'],
  ['sender.email', 'hello@mail.example.com'],
  ['consent.email', 'subscribed'],
  ['status', 'subscribed'],
  ['timeline.type', 'contact.updated'],
])
