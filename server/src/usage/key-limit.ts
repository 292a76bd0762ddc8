/**
 * The recipients to whom an API key orders messages in 24 hours, of any kind and channel. They are
 * counted by half hour, so that a recipient counts for 24 hours and up to half an hour longer.
 */

import { type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Principal } from '../core/operation.ts'
import type { Tx } from '../lib/db/types.ts'
import { minutes } from '../lib/time/clock.ts'
import { lockCounted, saveCounted } from './key-limit-queries.ts'

const halfHour = minutes(30)
const perDay = minutes(24 * 60) / halfHour

export interface KeyLimit {
  connectionId: Id<'connection'>
  recipientsPerDay: number
}

/** Undefined if the caller is not an API key. */
export function keyLimitOf({ connectionId, apiKey }: Principal): KeyLimit | undefined {
  return apiKey && connectionId !== null
    ? { connectionId, recipientsPerDay: apiKey.recipientsPerDay }
    : undefined
}

export interface KeyOrder {
  businessId: Id<'business'>
  key: KeyLimit
  recipients: number
}

/** For each order in turn, why it exceeds the limit of its key. Orders that fit are counted. */
export async function takeOfKeys(
  tx: Tx,
  orders: readonly KeyOrder[],
  now: Date,
): Promise<(Refusal | undefined)[]> {
  const current = Math.floor(now.getTime() / halfHour)
  const byKey = Map.groupBy(orders, ({ key }) => key.connectionId)
  const refusals = new Map<KeyOrder, Refusal>()
  // In the order of their ids, so that two transactions cannot wait for each other.
  for (const connectionId of [...byKey.keys()].sort()) {
    const its = byKey.get(connectionId) as [KeyOrder, ...KeyOrder[]]
    const [{ businessId, key }] = its
    const before = await lockCounted(tx, businessId, connectionId)
    const recent = Object.entries(before).filter(([bucket]) => Number(bucket) >= current - perDay)
    let used = recent.reduce((sum, [, amount]) => sum + amount, 0)
    let taken = 0
    for (const order of its) {
      if (used + order.recipients > key.recipientsPerDay) {
        refusals.set(order, overKeyLimit(key, { recent, now }))
        continue
      }
      used += order.recipients
      taken += order.recipients
    }
    if (taken === 0) continue
    const counted = Object.fromEntries(recent)
    counted[current] = (counted[current] ?? 0) + taken
    await saveCounted(tx, businessId, { connectionId, counted })
  }
  return orders.map((order) => refusals.get(order))
}

function overKeyLimit(
  { recipientsPerDay }: KeyLimit,
  { recent, now }: { recent: [string, number][]; now: Date },
): Refusal {
  const oldest = recent.map(([bucket]) => Number(bucket)).toSorted((a, b) => a - b)[0]
  const free = oldest === undefined ? now.getTime() + halfHour : (oldest + perDay + 1) * halfHour
  const retryAfter = Math.max(1, Math.ceil((free - now.getTime()) / 1000))
  const text = `This API key orders messages to at most ${recipientsPerDay} recipients in 24 hours, and this would be more. A person makes a key with a higher limit in the app.`
  const data = { reason: 'key_limit', recipients_per_day: recipientsPerDay }
  return refuse('rate_limited', text, { retryAfter, data })
}

/** The same for a call with a single order. */
export async function takeOfKey(
  tx: Tx,
  principal: Principal,
  { businessId, recipients }: Pick<KeyOrder, 'businessId' | 'recipients'>,
  now: Date,
): Promise<Refusal | undefined> {
  const key = keyLimitOf(principal)
  if (!key || recipients === 0) return undefined
  const [refusal] = await takeOfKeys(tx, [{ businessId, key, recipients }], now)
  return refusal
}
