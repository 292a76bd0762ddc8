/**
 * Records later events of messages: delivery, failure, complaints, opens and clicks. All reports
 * pass through here, and each event is recorded once, however often it is reported.
 */

import { hash } from 'node:crypto'
import { mayTrack } from '../../accounts/businesses/may-track.ts'
import { linkHashOf, type NewActivity, recordActivity } from '../../contacts/timeline/activity.ts'
import type { Id } from '../../core/ids.ts'
import { isSimulated } from '../../core/inbox/simulated-address.ts'
import { emitAll, type NewEvent } from '../../events/emit.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { commonWords } from '../../lib/email/common-words.ts'
import type { BounceKind } from '../../lib/email/reply-words.ts'
import { insertEvents } from '../delivery/attempt-queries.ts'
import {
  type Outcomes,
  type Settled,
  type SettledEvent,
  tellOutcomes,
} from '../model/campaign-outcomes.ts'
import type { MessageState } from '../model/message.ts'
import { noteHeard } from '../relays/feedback.ts'
import { deferredEvent, factsOf, failedEvent } from '../timeline/announce.ts'
import {
  type FoundMessage,
  findAcceptances,
  findByIds,
  findDeferredBefore,
  findKnown,
  findTopicOf,
  isRePermission,
  lockMessages,
  setStates,
} from './report-queries.ts'

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

/** Finds those messages that exist, in any business, because reports name no business. */
export async function findMessages(
  db: Db,
  ids: readonly Id<'message'>[],
): Promise<(FoundMessage & { isTracked: boolean })[]> {
  const messages = await findByIds(db, ids)
  return messages.map((message) => ({ ...message, isTracked: isTracked(message) }))
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

/** Whether a message is the gallery's mail that asks for permission to write. */
export function asksPermission(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<boolean> {
  return isRePermission(db, businessId, id)
}

/** The topic of a message. Undefined if the topic has no name, or the message is deleted. */
export function topicOfMessage(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<string | undefined> {
  return findTopicOf(db, businessId, id)
}
