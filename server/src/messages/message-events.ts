/** The events of messages: those that webhooks get, with their shared data, and the rows of the timeline. */

import { randomUUID } from 'node:crypto'
import type { Channel } from '../contacts/contact.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import type { NewEvent } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import type { Labels } from './labels.ts'

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

interface EventRow {
  businessId: Id<'business'>
  messageId: Id<'message'>
  id: string
  type: string
  at: Date
  code: string | null
  words: string | null
  url: string | null
  machine: boolean | null
}

/** Builds an event of a message that has no reply of a remote server. */
export function eventRow(
  message: { businessId: Id<'business'>; messageId: Id<'message'>; type: string },
  at: Date,
): EventRow {
  return { ...message, id: randomUUID(), at, code: null, words: null, url: null, machine: null }
}

export function insertEvents(tx: Tx, rows: EventRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into message_events (business_id, message_id, id, type, happened_at, code, words, url,
      machine, created_at)
    select business_id, message_id, id, type, at, code, words, url, machine, ${now}
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.messageId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.type)}::text[],
      ${rows.map((row) => row.at)}::timestamptz[],
      ${rows.map((row) => row.code)}::text[],
      ${rows.map((row) => row.words)}::text[],
      ${rows.map((row) => row.url)}::text[],
      ${rows.map((row) => row.machine)}::boolean[]
    ) as new (business_id, message_id, id, type, at, code, words, url, machine)
  `)
}
