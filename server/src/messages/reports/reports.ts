/**
 * Records later events of messages: delivery, failure, complaints, opens and clicks. All reports
 * pass through here, and each event is recorded once, however often it is reported.
 */

import { hash } from 'node:crypto'
import type { TrackingPolicy } from '../../accounts/businesses/business.ts'
import { mayTrack } from '../../accounts/businesses/may-track.ts'
import type { Channel, ConsentStatus } from '../../contacts/contact.ts'
import { linkHashOf, type NewActivity, recordActivity } from '../../contacts/timeline/activity.ts'
import type { Id } from '../../core/ids.ts'
import { isSimulated } from '../../core/inbox/simulated-address.ts'
import { emitAll, type NewEvent } from '../../events/emit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { commonWords } from '../../lib/email/common-words.ts'
import type { BounceKind } from '../../lib/email/reply-words.ts'
import {
  type Outcomes,
  type Settled,
  type SettledEvent,
  tellOutcomes,
} from '../campaign-outcomes.ts'
import type { Labels } from '../labels.ts'
import type { MessageKind, MessageState } from '../message.ts'
import { deferredEvent, factsOf, failedEvent, insertEvents } from '../message-events.ts'
import { noteHeard } from '../relays/feedback.ts'

export interface MessageReport {
  businessId: Id<'business'>
  messageId: Id<'message'>
  event: SettledEvent
  at: Date
  /** For opens and clicks: whether a scanner or a mail proxy made it. */
  machine?: boolean
  /** For bounces: the kind, and whether the address was suppressed. */
  bounce?: { kind: BounceKind; suppressed: boolean }
  /** The status code, such as `5.1.1`. */
  code?: string
  /** The text of the remote server's reply. */
  text?: string
  url?: string
  /** The origin of the report. An event is recorded once per message, event and source. */
  source: string
}

interface FoundMessage {
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

/** Finds those messages that exist, in any business, because reports name no business. */
export async function findMessages(
  db: Db,
  ids: readonly Id<'message'>[],
): Promise<(FoundMessage & { isTracked: boolean })[]> {
  const messages = await findByIds(db, ids)
  return messages.map((message) => ({ ...message, isTracked: isTracked(message) }))
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

function isTracked({ tracking, trackingConsent }: FoundMessage): boolean {
  return mayTrack(tracking, trackingConsent ?? undefined)
}

interface Fresh {
  news: MessageReport
  message: FoundMessage
  eventId: string
}

/** Ignores reports about deleted messages, and reports that were recorded before. */
export async function recordReports(
  tx: Tx,
  news: MessageReport[],
  now: Date,
  outcomes: Outcomes,
): Promise<void> {
  if (news.length === 0) return
  const all = await findNewReports(tx, news)
  if (all.length === 0) return
  const fresh = all.filter((entry) => !isAnonymous(entry))
  const anonymous = all.filter(isAnonymous)
  if (anonymous.length > 0) await tellOutcomes(tx, outcomes, anonymous.map(anonymousOutcome), now)
  if (fresh.length === 0) return
  await noteHeard(
    tx,
    fresh.filter(isFromRelay).map(({ message }) => message.route),
    'a report',
    now,
  )
  await insertEvents(
    tx,
    fresh.map(({ news: report, eventId }) => ({
      businessId: report.businessId,
      messageId: report.messageId,
      id: eventId,
      type: report.event,
      at: report.at,
      code: report.code ?? null,
      words: report.text ?? null,
      url: report.url ?? null,
      machine: report.machine ?? null,
    })),
    now,
  )
  const states = new Map(fresh.map(({ message }) => [message.id, message.state]))
  for (const { news: report } of fresh) {
    const next = stateAfter(states.get(report.messageId), report)
    if (next) states.set(report.messageId, next)
  }
  const changed = fresh
    .map(({ message }) => ({
      ...message,
      state: states.get(message.id) ?? message.state,
      was: message.state,
    }))
    .filter(({ state, was }) => state !== was)
  await setStates(tx, [...new Map(changed.map((entry) => [entry.id, entry])).values()], now)
  const deferrals = await firstDeferrals(tx, fresh)
  await tellOutcomes(
    tx,
    outcomes,
    fresh.filter(countsForCampaign).map((entry) => {
      const { news, message } = entry
      const { event, machine = false, url } = news
      const { businessId, id, campaignId, contactId, provider } = message
      const state = states.get(id) ?? message.state
      const row = { businessId, id, campaignId, contactId, state, event, machine, provider }
      const refusal = state !== message.state ? refusalIn(entry) : undefined
      const isFirstDeferral = deferrals.includes(entry)
      return {
        ...row,
        ...(url !== undefined && { url }),
        ...(isFirstDeferral && { isFirstDeferral }),
        ...(refusal && { refusal }),
      }
    }),
    now,
  )
  const deferred = deferrals.map(({ message, news }) =>
    deferredEvent(message, reasonOf(news, 'deferred'), null),
  )
  await emitAll(tx, [...fresh.flatMap(eventsOf), ...deferred], now)
  await recordActivity(tx, fresh.flatMap(activityOf), now)
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

/**
 * An open or click of a person who is not tracked, by a pixel or link that was sent before. It
 * leaves no event, no activity and no trace of the recipient, and counts only for the campaign.
 */
function isAnonymous({ news: { event }, message }: Fresh): boolean {
  const isVisit = event === 'opened' || event === 'clicked'
  return isVisit && !isTracked(message)
}

/** What a simulated recipient reports of a sender is none of a campaign's rates. */
function countsForCampaign({ news: { event }, message: { to } }: Fresh): boolean {
  return !isSimulated(to) || (event !== 'bounced' && event !== 'complained')
}

/** What comes from our own links and images, or may do so, tells nothing of the relay. */
function isFromRelay({ news: { event }, message: { channel } }: Fresh): boolean {
  return channel === 'email' && !['opened', 'clicked', 'unsubscribed'].includes(event)
}

function anonymousOutcome({ news: { event, machine = false }, message }: Fresh) {
  const { businessId, id, campaignId, contactId, state } = message
  return { businessId, id, campaignId, contactId, state, event, machine, isAnonymous: true }
}

async function findNewReports(tx: Tx, news: MessageReport[]): Promise<Fresh[]> {
  const messages = new Map((await lockMessages(tx, news)).map((row) => [row.id, row]))
  const facts = new Map<string, Fresh>()
  for (const report of news) {
    const message = messages.get(report.messageId)
    const eventId = idOf(report)
    if (message && !facts.has(eventId)) facts.set(eventId, { news: report, message, eventId })
  }
  const keys = [...facts.values()].map(({ news: { businessId, messageId }, eventId }) => {
    return { businessId, messageId, id: eventId }
  })
  const ids = new Set((await findKnown(tx, keys)).map(({ id }) => id))
  return [...facts.values()].filter(({ eventId }) => !ids.has(eventId))
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

interface EventKey {
  businessId: Id<'business'>
  messageId: Id<'message'>
  id: string
}

/** Returns the events that are recorded already. */
function findKnown(tx: Tx, keys: EventKey[]): Promise<{ id: string }[]> {
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

/** A UUID of version 8 (RFC 9562 section 5.8), derived from the values that make reports equal. */
function idOf({ messageId, event, source }: MessageReport): string {
  const hex = hash('sha256', JSON.stringify([messageId, event, source]), 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const over: readonly (MessageState | undefined)[] = ['bounced', 'failed', 'suppressed', 'cancelled']

/** An accepted message later becomes delivered or not. Nothing undoes a bounce. */
function stateAfter(
  state: MessageState | undefined,
  { event, bounce }: MessageReport,
): MessageState | undefined {
  if (over.includes(state)) return undefined
  if (event === 'delivered') return 'delivered'
  if (event !== 'bounced') return undefined
  return bounce && bounce.kind !== 'hard' ? 'failed' : 'bounced'
}

const reasonOf = ({ code, text }: MessageReport, otherwise: string) =>
  [code, text].filter((part) => part).join(' ') || otherwise

function eventsOf({ news, message }: Fresh): NewEvent[] {
  const { businessId } = message
  const facts = factsOf(message)
  const { event, bounce, machine = false } = news
  if (event === 'delivered') {
    const delivered_at = news.at.toISOString()
    return [{ businessId, type: 'message.delivered', data: { ...facts, delivered_at } }]
  }
  if (event === 'bounced' && (bounce?.kind ?? 'hard') === 'hard') {
    const reason = reasonOf(news, 'undeliverable')
    const suppressed = bounce?.suppressed ?? true
    return [{ businessId, type: 'message.bounced', data: { ...facts, reason, suppressed } }]
  }
  if (event === 'bounced') return [failedEvent(message, reasonOf(news, 'undeliverable'))]
  if (event === 'complained') {
    const complained_at = news.at.toISOString()
    return [{ businessId, type: 'message.complained', data: { ...facts, complained_at } }]
  }
  if (event === 'opened') {
    return [{ businessId, type: 'message.opened', data: { ...facts, machine } }]
  }
  if (event === 'clicked' && news.url !== undefined) {
    return [{ businessId, type: 'message.clicked', data: { ...facts, url: news.url, machine } }]
  }
  return []
}

/** What a report says of a refusal that is not about the address. */
function refusalIn({ news, message }: Fresh): Settled['refusal'] {
  const { event, bounce } = news
  if (event !== 'bounced' || !bounce || bounce.kind === 'hard') return undefined
  const words = commonWords(reasonOf(news, 'undeliverable'), message.to)
  return { byPolicy: bounce.kind === 'policy', words }
}

/** The first reports on messages that were never postponed before these reports. */
async function firstDeferrals(tx: Tx, fresh: readonly Fresh[]): Promise<Fresh[]> {
  const deferred = fresh.filter(({ news: { event } }) => event === 'deferred')
  if (deferred.length === 0) return []
  const firsts = [...new Map(deferred.map((entry) => [entry.message.id, entry])).values()]
  const keys = firsts.map(({ message: { businessId, id: messageId }, eventId: id }) => {
    return { businessId, messageId, id }
  })
  const before = new Set((await findDeferredBefore(tx, keys)).map(({ messageId }) => messageId))
  return firsts.filter(({ message }) => !before.has(message.id))
}

/** Returns those of the messages that an event other than these postponed. */
function findDeferredBefore(tx: Tx, keys: EventKey[]): Promise<{ messageId: Id<'message'> }[]> {
  return tx.all(sql`
    select distinct message_id as "messageId" from message_events
    where business_id = any(${keys.map((key) => key.businessId)}::uuid[])
      and message_id = any(${keys.map((key) => key.messageId)}::uuid[])
      and type = 'deferred' and not id = any(${keys.map((key) => key.id)}::uuid[])
  `)
}

function activityOf({ news, message }: Fresh): NewActivity[] {
  const { event, url, machine = null } = news
  const { businessId, contactId, id: messageId, campaignId, channel } = message
  // The code that changes the consent records that change itself.
  if (!contactId || event === 'deferred' || event === 'unsubscribed') return []
  const linkHash = url === undefined ? null : linkHashOf(url)
  const subject = { messageId, campaignId, channel, machine, linkHash }
  return [{ businessId, contactId, type: `message.${event}`, details: {}, subject }]
}

/** When mail servers accepted these messages. */
export function acceptancesOf(
  db: Db,
  keys: readonly { businessId: Id<'business'>; messageId: Id<'message'> }[],
): Promise<{ messageId: Id<'message'>; at: Date }[]> {
  return findAcceptances(db, keys)
}

/** When mail servers accepted these messages. */
function findAcceptances(
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

/** Whether a message is the gallery's mail that asks for permission to write. */
export function asksPermission(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<boolean> {
  return isRePermission(db, businessId, id)
}

async function isRePermission(
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

/** The topic of a message. Undefined if the topic has no name, or the message is deleted. */
export function topicOfMessage(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<string | undefined> {
  return findTopicOf(db, businessId, id)
}

async function findTopicOf(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<string | undefined> {
  const row = await db.maybe<{ topic: string | null }>(sql`
    select topic from messages where business_id = ${businessId} and id = ${id}
  `)
  return row?.topic ?? undefined
}

interface TakenMessage {
  providerId: string
  businessId: Id<'business'>
  messageId: Id<'message'>
}

/**
 * Finds messages by provider ids on this route. A receipt may arrive before the acceptance is in
 * the database, which takes some dozens of milliseconds.
 */
export function findByProviderIds(
  db: Db,
  route: string,
  ids: readonly string[],
): Promise<TakenMessage[]> {
  return findByTakenAs(db, route, ids)
}

/**
 * Finds messages by the ids that the provider of the route gave them. If an id was given twice,
 * finds the latest message.
 */
function findByTakenAs(db: Db, route: string, names: readonly string[]): Promise<TakenMessage[]> {
  return db.all(sql`
    select distinct on (taken_as) taken_as as "providerId", business_id as "businessId",
      id as "messageId"
    from messages
    where taken_as = any(${names}::text[]) and route = ${route}
    order by taken_as, id desc
  `)
}
