/**
 * The recipients to whom a connection orders messages in 24 hours, of any kind and channel, in one
 * business. Each API key has a limit; the connection of an app has one if its owner sets it. They
 * are counted by half hour, so that a recipient counts for 24 hours and up to half an hour longer.
 */

import { type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Principal } from '../core/operation.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { minutes } from '../lib/time/clock.ts'
import {
  type Counted,
  lockCounted,
  saveCounted,
  selectCounted,
} from './connection-limit-queries.ts'

const halfHour = minutes(30)
const perDay = minutes(24 * 60) / halfHour

/** The highest limit that a connection can have. */
export const mostRecipientsPerDay = 1_000_000

export interface ConnectionLimit {
  connectionId: Id<'connection'>
  isApiKey: boolean
  recipientsPerDay: number
}

/** Undefined if the caller has no limit of its own. */
export function limitOfConnection(principal: Principal): ConnectionLimit | undefined {
  const { connectionId, isApiKey = false, recipientsPerDay } = principal
  return connectionId !== null && recipientsPerDay !== undefined
    ? { connectionId, isApiKey, recipientsPerDay }
    : undefined
}

export interface ConnectionOrder {
  businessId: Id<'business'>
  limit: ConnectionLimit
  recipients: number
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

/** Counts the orders of one connection in one business. Returns those over the limit. */
async function takeInTurn(
  tx: Tx,
  orders: [ConnectionOrder, ...ConnectionOrder[]],
  now: Date,
): Promise<Map<ConnectionOrder, Refusal>> {
  const [{ businessId, limit }] = orders
  const { connectionId, recipientsPerDay } = limit
  const recent = recentOf(await lockCounted(tx, businessId, connectionId), now)
  const refusals = new Map<ConnectionOrder, Refusal>()
  let used = sumOf(recent)
  let taken = 0
  for (const order of orders) {
    if (used + order.recipients > recipientsPerDay) {
      refusals.set(order, overLimit(limit, { recent, used, now }))
      continue
    }
    used += order.recipients
    taken += order.recipients
  }
  if (taken > 0) {
    const counted = Object.fromEntries(recent)
    const current = bucketOf(now)
    counted[current] = (counted[current] ?? 0) + taken
    await saveCounted(tx, businessId, { connectionId, counted })
  }
  return refusals
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

function overLimit(
  { isApiKey, recipientsPerDay }: ConnectionLimit,
  { recent, used, now }: Used,
): Refusal {
  const oldest = recent.map(([bucket]) => Number(bucket)).toSorted((a, b) => a - b)[0]
  const free = oldest === undefined ? now.getTime() + halfHour : (oldest + perDay + 1) * halfHour
  const retryAfter = Math.max(1, Math.ceil((free - now.getTime()) / 1000))
  const [what, mend] = isApiKey
    ? ['API key', 'An admin of the business raises the limit in the app, on the page API keys.']
    : [
        'connection',
        'The person who connected it raises the limit in the app, on the page Connections.',
      ]
  const text = `This ${what} orders messages to at most ${recipientsPerDay} recipients of the business in 24 hours. It has ordered ${used}, and this would be more. ${mend}`
  const data = {
    reason: isApiKey ? 'key_limit' : 'connection_limit',
    recipients_per_day: recipientsPerDay,
    recipients_used: used,
  }
  return refuse('rate_limited', text, { retryAfter, data })
}

/** The same for a call with a single order. */
export async function takeOfConnection(
  tx: Tx,
  principal: Principal,
  { businessId, recipients }: Pick<ConnectionOrder, 'businessId' | 'recipients'>,
  now: Date,
): Promise<Refusal | undefined> {
  const limit = limitOfConnection(principal)
  if (!limit || recipients === 0) return undefined
  const [refusal] = await takeOfConnections(tx, [{ businessId, limit, recipients }], now)
  return refusal
}

/** The recipients that connections of a business ordered in the last 24 hours, where counted. */
export async function orderedOf(
  db: Db,
  businessId: Id<'business'>,
  { connections, now }: { connections: readonly Id<'connection'>[]; now: Date },
): Promise<Map<Id<'connection'>, number>> {
  if (connections.length === 0) return new Map()
  const rows = await selectCounted(db, businessId, connections)
  return new Map(rows.map(({ id, counted }) => [id, sumOf(recentOf(counted, now))]))
}
