/**
 * The recipients to whom a connection orders messages in 24 hours, in one business: of any kind and
 * channel, and those of transactional messages apart. Each API key has a limit of the first; the
 * connection of an app has one if its owner sets it. New ones have a limit of the second. Recipients
 * are counted by half hour, so that a recipient counts for 24 hours and up to half an hour longer.
 */
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Context, Principal } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { later, minutes, seconds } from '../lib/time/clock.ts'
import { asCampaign, type MarketingContent } from './approval-limit.ts'

const halfHour = minutes(30)
const perDay = minutes(24 * 60) / halfHour

/** The highest limit that a connection can have. */
export const mostRecipientsPerDay = 1_000_000

/** The limits of transactional messages that a new connection, and a new API key, begin with. */
export const newTransactionalPerDay = { connection: 100, key: 1_000 } as const

/**
 * To how many people a connection may send one transactional message in 24 hours. More is marketing,
 * whatever it is called, unless a person raised the connection's limit above that of a new one.
 */
const mostPeoplePerMessage = 50

export interface ConnectionLimit {
  connectionId: Id<'connection'>
  isApiKey: boolean
  /** The most for messages of every kind together. */
  recipientsPerDay?: number | undefined
  transactionalPerDay?: number | undefined
  /** The recipients of one transactional message; undefined if only the other limits hold. */
  peoplePerMessage?: number | undefined
  /** The page of the app on which a person raises a limit. */
  raiseUrl: string
  appUrl: string
}

/** Undefined if the caller has no limit of its own. */
export function limitOfConnection(
  principal: Principal,
  { businessId, appUrl }: { businessId: Id<'business'>; appUrl: string },
): ConnectionLimit | undefined {
  const { connectionId, isApiKey = false, recipientsPerDay, transactionalPerDay } = principal
  if (connectionId === null) return undefined
  if (recipientsPerDay === undefined && transactionalPerDay === undefined) return undefined
  const raiseUrl = isApiKey
    ? `${appUrl}/b/${formatId('business', businessId)}/keys`
    : `${appUrl}/b/connections`
  const isRaised =
    transactionalPerDay === undefined || transactionalPerDay > newTransactionalPerDay.connection
  const peoplePerMessage = isApiKey || isRaised ? undefined : mostPeoplePerMessage
  return {
    connectionId,
    isApiKey,
    recipientsPerDay,
    transactionalPerDay,
    peoplePerMessage,
    raiseUrl,
    appUrl,
  }
}

interface ConnectionOrder {
  businessId: Id<'business'>
  limit: ConnectionLimit
  recipients: number
  kind: 'transactional' | 'marketing'
  /** Set where the people of one message are limited, and the message is not exempt. */
  oneMessage?: OneMessage | undefined
}

/** A transactional message to one person. */
export interface OneMessage extends MarketingContent {
  /** Hashes by which the same message is recognised. Each of them has the limit. */
  messages: readonly string[]
  /** The hash of the recipient's address. */
  person: string
  /** The page on which a person marks its template as transactional. */
  templateUrl?: string | undefined
}

/** For each order in turn, why it exceeds the limit of its connection. Orders that fit count. */
export async function takeOfConnections(
  tx: Tx,
  orders: readonly ConnectionOrder[],
  now: Date,
): Promise<(Refusal | undefined)[]> {
  // A flush may hold orders of one app in several businesses, each of which is counted apart.
  const byCount = Map.groupBy(
    orders,
    ({ limit, businessId }) => `${limit.connectionId} ${businessId}`,
  )
  const refusals = new Map<ConnectionOrder, Refusal>()
  // In the order of their ids, so that two transactions cannot wait for each other.
  for (const counted of [...byCount.keys()].sort()) {
    const its = byCount.get(counted) as [ConnectionOrder, ...ConnectionOrder[]]
    for (const [order, refusal] of await takeInTurn(tx, its, now)) refusals.set(order, refusal)
  }
  return orders.map((order) => refusals.get(order))
}

/** Counts the orders of one connection in one business. Returns those over a limit. */
async function takeInTurn(
  tx: Tx,
  orders: [ConnectionOrder, ...ConnectionOrder[]],
  now: Date,
): Promise<Map<ConnectionOrder, Refusal>> {
  const [{ businessId, limit }] = orders
  const { connectionId, recipientsPerDay, transactionalPerDay } = limit
  const stored = await lockCounted(tx, businessId, connectionId)
  const every = countIn(stored.counted, recipientsPerDay, now)
  const transactional = countIn(stored.transactional, transactionalPerDay, now)
  const sent = sentIn(stored.sameMessage, now)
  const refusals = new Map<ConnectionOrder, Refusal>()
  for (const order of orders) {
    const counts = order.kind === 'transactional' ? [every, transactional] : [every]
    const full = counts.find(({ used, limit: maximum }) => used + order.recipients > maximum)
    if (full) {
      const over = full === every ? overLimit : overTransactional
      refusals.set(order, over(limit, { ...full, now }))
      continue
    }
    const refused = order.oneMessage && takeMessage(sent, order.oneMessage, { limit, now })
    if (refused) {
      refusals.set(order, refused)
      continue
    }
    for (const count of counts) {
      count.used += order.recipients
      count.taken += order.recipients
    }
  }
  if (every.taken > 0 || transactional.taken > 0) {
    await saveCounted(tx, businessId, {
      connectionId,
      counted: countedOf(every, now),
      transactional: countedOf(transactional, now),
      sameMessage: sentOf(sent),
    })
  }
  return refusals
}

/** Recipients of 24 hours against a limit. */
interface Count {
  limit: number
  recent: [string, number][]
  used: number
  taken: number
}

function countIn(stored: Counted, limit: number | undefined, now: Date): Count {
  const recent = recentOf(stored, now)
  return { limit: limit ?? Number.POSITIVE_INFINITY, recent, used: sumOf(recent), taken: 0 }
}

/** What is stored of a count. Nothing is counted where there is no limit. */
function countedOf({ limit, recent, taken }: Count, now: Date): Counted {
  const counted = Object.fromEntries(recent)
  if (taken === 0 || limit === Number.POSITIVE_INFINITY) return counted
  const current = bucketOf(now)
  return { ...counted, [current]: (counted[current] ?? 0) + taken }
}

/** By the hash of the message: the people who got it, each with the latest half hour. */
type Sent = Map<string, Map<string, number>>

function sentIn(stored: readonly SentMessage[], now: Date): Sent {
  const sent: Sent = new Map()
  for (const [message, person, bucket] of stored) {
    if (bucket >= bucketOf(now) - perDay) peopleOf(sent, message).set(person, bucket)
  }
  return sent
}

function peopleOf(sent: Sent, message: string): Map<string, number> {
  const people = sent.get(message) ?? new Map<string, number>()
  sent.set(message, people)
  return people
}

const sentOf = (sent: Sent): SentMessage[] =>
  [...sent].flatMap(([message, people]) =>
    [...people].map(([person, bucket]): SentMessage => [message, person, bucket]),
  )

/** Counts the message for its person, or refuses it if it would be one person too many. */
function takeMessage(
  sent: Sent,
  order: OneMessage,
  { limit, now }: { limit: ConnectionLimit; now: Date },
): Refusal | undefined {
  const { messages, person } = order
  const maximum = limit.peoplePerMessage ?? Number.POSITIVE_INFINITY
  for (const message of messages) {
    const people = peopleOf(sent, message)
    if (!people.has(person) && people.size >= maximum) {
      const frees = freesAfter([...people.values()], now)
      return overPeople(order, limit, { used: people.size, frees, now })
    }
  }
  for (const message of messages) peopleOf(sent, message).set(person, bucketOf(now))
  return undefined
}

const bucketOf = (now: Date) => Math.floor(now.getTime() / halfHour)

const recentOf = (counted: Counted, now: Date): [string, number][] =>
  Object.entries(counted).filter(([bucket]) => Number(bucket) >= bucketOf(now) - perDay)

const sumOf = (recent: readonly [string, number][]) =>
  recent.reduce((sum, [, amount]) => sum + amount, 0)

interface Used {
  recent: [string, number][]
  used: number
  now: Date
}

/** Seconds until recipients no longer count. */
function retryAfterOf({ recent, now }: Used): number {
  return freesAfter(
    recent.map(([bucket]) => Number(bucket)),
    now,
  )
}

function freesAfter(buckets: readonly number[], now: Date): number {
  const oldest = buckets.toSorted((a, b) => a - b)[0]
  const free = oldest === undefined ? now.getTime() + halfHour : (oldest + perDay + 1) * halfHour
  return Math.max(1, Math.ceil((free - now.getTime()) / 1000))
}

function overLimit(
  { isApiKey, recipientsPerDay, raiseUrl }: ConnectionLimit,
  counted: Used,
): Refusal {
  const { used } = counted
  const retryAfter = retryAfterOf(counted)
  const [connectionName, remedy] = isApiKey
    ? ['API key', `An admin of the business raises the limit in the app: ${raiseUrl}`]
    : ['connection', `The person who connected it raises the limit in the app: ${raiseUrl}`]
  const text = `This ${connectionName} orders messages to at most ${recipientsPerDay} recipients of the business in 24 hours. It has ordered ${used}, and this would be more. ${remedy}`
  const data = {
    reason: isApiKey ? 'key_limit' : 'connection_limit',
    recipients_per_day: recipientsPerDay ?? null,
    recipients_used: used,
  }
  return refuse('rate_limited', text, { retryAfter, data, fix: { url: raiseUrl } })
}

function overTransactional(
  { isApiKey, transactionalPerDay, raiseUrl }: ConnectionLimit,
  counted: Used,
): Refusal {
  const { used, now } = counted
  const retryAfter = retryAfterOf(counted)
  const freesAt = later(now, seconds(retryAfter)).toISOString()
  const [connectionName, raisedBy] = isApiKey
    ? ['API key', 'An admin of the business']
    : ['connection', 'The person who connected it']
  const text = `This ${connectionName} sends transactional messages to at most ${transactionalPerDay} recipients of the business in 24 hours (transactional_per_day); each to, cc, bcc and text counts. It has sent to ${used}, and this would be more. The first of them no longer count at ${freesAt}. ${raisedBy} raises the limit in the app: ${raiseUrl}`
  const data = {
    reason: 'transactional_limit',
    transactional_per_day: transactionalPerDay ?? null,
    transactional_used: used,
    frees_at: freesAt,
  }
  return refuse('rate_limited', text, { retryAfter, data, fix: { url: raiseUrl } })
}

function overPeople(
  { channel, content, templateUrl }: OneMessage,
  { peoplePerMessage, raiseUrl }: ConnectionLimit,
  { used, frees, now }: { used: number; frees: number; now: Date },
): Refusal {
  const compared =
    channel === 'email'
      ? 'Subject and body are compared before they are filled in, without digits, addresses and names.'
      : 'The text is compared before it is filled in, without digits, addresses and names.'
  const marked = templateUrl
    ? `marks its template as transactional (${templateUrl}) or `
    : 'marks a template of it as transactional, or '
  const text = `This connection sends the same transactional message to at most ${peoplePerMessage} people of the business in 24 hours, and ${used} have it. ${compared} To more people it is marketing, whatever its kind: make it a campaign. If people asked for it, a person ${marked}raises this connection's transactional messages above ${newTransactionalPerDay.connection} a day (${raiseUrl}).`
  return refuse('conflict', text, {
    field: 'kind',
    data: {
      reason: 'same_message_limit',
      people_per_message: peoplePerMessage ?? null,
      people_used: used,
      frees_at: later(now, seconds(frees)).toISOString(),
    },
    fix: asCampaign({ channel, ...(content && { content }) }),
  })
}

/** The same for a call with a single order of marketing, which counts as a message of any kind. */
export async function takeOfConnection(
  tx: Tx,
  { principal, appUrl }: Pick<Context, 'principal' | 'appUrl'>,
  { businessId, recipients }: Pick<ConnectionOrder, 'businessId' | 'recipients'>,
  now: Date,
): Promise<Refusal | undefined> {
  const limit = limitOfConnection(principal, { businessId, appUrl })
  if (!limit || recipients === 0) return undefined
  const order = { businessId, limit, recipients, kind: 'marketing' as const }
  const [refusal] = await takeOfConnections(tx, [order], now)
  return refusal
}

export interface Ordered {
  every: number
  transactional: number
}

/** The recipients that connections of a business ordered in the last 24 hours, where counted. */
export async function orderedOf(
  db: Db,
  businessId: Id<'business'>,
  { connections, now }: { connections: readonly Id<'connection'>[]; now: Date },
): Promise<Map<Id<'connection'>, Ordered>> {
  if (connections.length === 0) return new Map()
  const rows = await selectCounted(db, businessId, connections)
  return new Map(
    rows.map(({ id, counted, transactional }) => [
      id,
      { every: sumOf(recentOf(counted, now)), transactional: sumOf(recentOf(transactional, now)) },
    ]),
  )
}

/** The number of recipients by half hour since 1970. */
type Counted = Record<string, number>

interface CountedOrders {
  /** Counts messages of every kind. */
  counted: Counted
  transactional: Counted
}

/** That a person got a message: the hash of each, and the half hour. */
type SentMessage = [message: string, person: string, halfHour: number]

interface LockedOrders extends CountedOrders {
  sameMessage: SentMessage[]
}

/** The recipients that the connection has ordered, locked until the transaction ends. */
function lockCounted(
  tx: Tx,
  businessId: Id<'business'>,
  connectionId: Id<'connection'>,
): Promise<LockedOrders> {
  return tx.one(sql`
    insert into key_recipients (business_id, connection_id, counted)
    values (${businessId}, ${connectionId}, '{}')
    on conflict (business_id, connection_id) do update set counted = key_recipients.counted
    returning counted, transactional, same_message as "sameMessage"
  `)
}

function saveCounted(
  tx: Tx,
  businessId: Id<'business'>,
  {
    connectionId,
    counted,
    transactional,
    sameMessage,
  }: LockedOrders & { connectionId: Id<'connection'> },
): Promise<number> {
  return tx.run(sql`
    update key_recipients set counted = ${JSON.stringify(counted)}::json,
      transactional = ${JSON.stringify(transactional)}::json,
      same_message = ${JSON.stringify(sameMessage)}::json
    where business_id = ${businessId} and connection_id = ${connectionId}
  `)
}

function selectCounted(
  db: Db,
  businessId: Id<'business'>,
  connections: readonly Id<'connection'>[],
): Promise<(CountedOrders & { id: Id<'connection'> })[]> {
  return db.all(sql`
    select connection_id as id, counted, transactional from key_recipients
    where business_id = ${businessId} and connection_id = any (${[...connections]}::uuid[])
  `)
}
