/** Statements that record reports on messages. */

import type { TrackingPolicy } from '../../accounts/businesses/business.ts'
import type { Channel, ConsentStatus } from '../../contacts/contact.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Labels } from '../model/labels.ts'
import type { MessageKind, MessageState } from '../model/message.ts'

export interface FoundMessage {
  id: Id<'message'>
  businessId: Id<'business'>
  channel: Channel
  kind: MessageKind
  contactId: Id<'contact'> | null
  campaignId: Id<'campaign'> | null
  to: string
  labels: Labels | null
  state: MessageState
  route: string | null
  senderDomain: string | null
  provider: string | null
  /** With the next field: whether opens and clicks may be recorded now. */
  tracking: TrackingPolicy
  /** Null if the recipient is not a contact, or was deleted. */
  trackingConsent: ConsentStatus | null
}

/** Finds messages by id alone, because reports from outside name no business. */
export function findByIds(db: Db, ids: readonly Id<'message'>[]): Promise<FoundMessage[]> {
  return db.all(sql`
    select m.id, m.business_id as "businessId", m.channel, m.kind, m.contact_id as "contactId",
      m.campaign_id as "campaignId", m.recipient as "to", m.labels, m.state, m.route,
      m.sender_domain as "senderDomain", m.provider,
      (select b.tracking from businesses b where b.id = m.business_id) as tracking,
      (select c.tracking_consent from contacts c
        where c.business_id = m.business_id and c.id = m.contact_id) as "trackingConsent"
    from messages m where m.id = any(${ids}::uuid[])
  `)
}

/**
 * Locks messages in a fixed order, so that two reports on one message are processed one after the
 * other.
 */
export function lockMessages(
  tx: Tx,
  keys: { businessId: Id<'business'>; messageId: Id<'message'> }[],
): Promise<FoundMessage[]> {
  return tx.all(sql`
    select m.id, m.business_id as "businessId", m.channel, m.kind, m.contact_id as "contactId",
      m.campaign_id as "campaignId", m.recipient as "to", m.labels, m.state, m.route,
      m.sender_domain as "senderDomain", m.provider,
      (select b.tracking from businesses b where b.id = m.business_id) as tracking,
      (select c.tracking_consent from contacts c
        where c.business_id = m.business_id and c.id = m.contact_id) as "trackingConsent"
    from messages m
    join (
      select distinct * from unnest(
        ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.messageId)}::uuid[]
      ) as asked (business_id, id)
    ) asked on m.business_id = asked.business_id and m.id = asked.id
    order by m.business_id, m.id
    for no key update of m
  `)
}

export interface EventKey {
  businessId: Id<'business'>
  messageId: Id<'message'>
  id: string
}

/** Returns the events that are recorded already. */
export function findKnown(tx: Tx, keys: EventKey[]): Promise<{ id: string }[]> {
  return tx.all(sql`
    select e.id
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[],
      ${keys.map((key) => key.messageId)}::uuid[],
      ${keys.map((key) => key.id)}::uuid[]
    ) as asked (business_id, message_id, id)
    join message_events e on e.business_id = asked.business_id
      and e.message_id = asked.message_id and e.id = asked.id
  `)
}

/** Returns those of the messages that an event other than these postponed. */
export function findDeferredBefore(
  tx: Tx,
  keys: EventKey[],
): Promise<{ messageId: Id<'message'> }[]> {
  return tx.all(sql`
    select distinct message_id as "messageId" from message_events
    where business_id = any(${keys.map((key) => key.businessId)}::uuid[])
      and message_id = any(${keys.map((key) => key.messageId)}::uuid[])
      and type = 'deferred' and not id = any(${keys.map((key) => key.id)}::uuid[])
  `)
}

/** When mail servers accepted these messages. */
export function findAcceptances(
  db: Db,
  keys: readonly { businessId: Id<'business'>; messageId: Id<'message'> }[],
): Promise<{ messageId: Id<'message'>; at: Date }[]> {
  return db.all(sql`
    select e.message_id as "messageId", max(e.happened_at) as at
    from (
      select distinct * from unnest(
        ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.messageId)}::uuid[]
      ) as asked (business_id, message_id)
    ) asked
    join message_events e on e.business_id = asked.business_id
      and e.message_id = asked.message_id and e.type = 'accepted'
    group by e.message_id
  `)
}

export interface TakenMessage {
  providerId: string
  businessId: Id<'business'>
  messageId: Id<'message'>
}

/**
 * Finds messages by the ids that the provider of the route gave them. If an id was given twice,
 * finds the latest message.
 */
export function findByTakenAs(
  db: Db,
  route: string,
  names: readonly string[],
): Promise<TakenMessage[]> {
  return db.all(sql`
    select distinct on (taken_as) taken_as as "providerId", business_id as "businessId",
      id as "messageId"
    from messages
    where taken_as = any(${names}::text[]) and route = ${route}
    order by taken_as, id desc
  `)
}

export function setStates(
  tx: Tx,
  changes: { businessId: Id<'business'>; id: Id<'message'>; state: MessageState }[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update messages m set state = changed.state, updated_at = ${now}
    from unnest(
      ${changes.map((change) => change.businessId)}::uuid[],
      ${changes.map((change) => change.id)}::uuid[],
      ${changes.map((change) => change.state)}::text[]
    ) as changed (business_id, id, state)
    where m.business_id = changed.business_id and m.id = changed.id
  `)
}

export async function isRePermission(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<boolean> {
  const row = await db.maybe<{ gallery: string | null }>(sql`
    select t.gallery from messages m
    join templates t on t.business_id = m.business_id and t.id = m.template_id
    where m.business_id = ${businessId} and m.id = ${id}
  `)
  return row?.gallery === 're-permission'
}

export async function findTopicOf(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<string | undefined> {
  const row = await db.maybe<{ topic: string | null }>(sql`
    select topic from messages where business_id = ${businessId} and id = ${id}
  `)
  return row?.topic ?? undefined
}
