/** The webhook events of messages, with the data that all of them share. */
import type { Channel } from '../../contacts/contact.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import type { NewEvent } from '../../events/emit.ts'
import type { Labels } from '../model/labels.ts'

export interface Announced {
  businessId: Id<'business'>
  id: Id<'message'>
  channel: Channel
  contactId: Id<'contact'> | null
  campaignId: Id<'campaign'> | null
  to: string
  labels?: Labels | null
}

export function factsOf({ id, channel, contactId, campaignId, to, labels }: Announced) {
  return {
    message_id: formatId('message', id),
    channel,
    contact_id: contactId && formatId('contact', contactId),
    campaign_id: campaignId && formatId('campaign', campaignId),
    to,
    ...labels,
  }
}

/** The event for a message that was queued for delivery (contract 9.4). */
export function sentEvent(message: Announced, origin: Origin | undefined): NewEvent {
  return {
    businessId: message.businessId,
    type: 'message.sent',
    data: factsOf(message),
    origin,
  }
}

export function acceptedEvent(message: Announced, at: Date): NewEvent {
  const data = { ...factsOf(message), accepted_at: at.toISOString() }
  return { businessId: message.businessId, type: 'message.accepted', data }
}

/** @param next The time of the next attempt; null if another server makes it. */
export function deferredEvent(message: Announced, reason: string, next: Date | null): NewEvent {
  const next_attempt_at = next === null ? null : next.toISOString()
  const data = { ...factsOf(message), reason, next_attempt_at }
  return { businessId: message.businessId, type: 'message.deferred', data }
}

export function failedEvent(message: Announced, reason: string): NewEvent {
  const data = { ...factsOf(message), reason }
  return { businessId: message.businessId, type: 'message.failed', data }
}

export function suppressedEvent(message: Announced, reason: string): NewEvent {
  const data = { ...factsOf(message), reason }
  return { businessId: message.businessId, type: 'message.suppressed', data }
}
