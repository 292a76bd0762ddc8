/**
 * Writes events in the transaction that causes them, with the bytes that webhooks will sign. They
 * get their positions in the feed from the fan-out, after the commit.
 */

import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import { ids, longTexts, sql, texts } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import type { DataOf, EventTypeName } from './catalog.ts'

export type { Origin } from '../core/operation.ts'

interface EventOf<T extends EventTypeName> {
  businessId: Id<'business'>
  type: T
  data: DataOf<T>
  /** The call that caused the event; absent if no connection did, as with a public form. */
  origin?: Origin | undefined
}

/** An event to be written, with the data of its type. */
export type NewEvent = { [T in EventTypeName]: EventOf<T> }[EventTypeName]

export const fanOutJob = 'event.fanout'

export type UnplacedEvent = [businessId: Id<'business'>, eventId: Id<'event'>, type: EventTypeName]

/** The events of one transaction that need positions, in order. */
export interface FanOutPayload {
  created_at: string
  events: UnplacedEvent[]
}

/** The most events that one job holds. */
const eventsPerJob = 1000

export async function emitAll(tx: Tx, events: NewEvent[], now: Date): Promise<void> {
  await prepareEvents(events, now).write(tx)
}

/** Events whose bytes are prepared and that are written once it is certain that they happened. */
export interface PreparedEvents {
  /** With `unplaced`, adds the events to it instead of queueing the job that places them. */
  write(tx: Tx, unplaced?: UnplacedEvent[]): Promise<void>
}

/**
 * Prepares events. The first job's worth is serialised at once, while the caller waits for the
 * database; further ones are serialised when they are written, while the server stores those
 * before.
 */
export function prepareEvents(events: NewEvent[], now: Date): PreparedEvents {
  const createdAt = now.toISOString()
  const madeFrom = (start: number) => {
    const batch = events.slice(start, start + eventsPerJob)
    const rows = batch.map((event) => rowOf(event, createdAt))
    return { rows, columns: columnsOf(rows) }
  }
  const first = madeFrom(0)
  return {
    async write(tx, unplaced) {
      for (let start = 0; start < events.length; start += eventsPerJob) {
        const { rows, columns } = start === 0 ? first : madeFrom(start)
        await insertEvents(tx, columns, now)
        const places = rows.map(({ businessId, id, type }): UnplacedEvent => [businessId, id, type])
        if (unplaced) unplaced.push(...places)
        else await queueFanOut(tx, places, now)
      }
    },
  }
}

/**
 * Writes an event that did not really happen, such as the test of a webhook: it has an id and
 * bytes but no position in the feed, and no subscription receives it.
 */
export async function writeTestEvent(tx: Tx, event: NewEvent, now: Date): Promise<Id<'event'>> {
  const row = rowOf(event, now.toISOString())
  await insertEvents(tx, columnsOf([row]), now)
  return row.id
}

export function rowOf({ businessId, type, data, origin }: NewEvent, createdAt: string): EventRow {
  const id = newId('event')
  return {
    businessId,
    id,
    type,
    body: bodyOf(id, { type, businessId, data }, createdAt),
    connectionId: origin?.connectionId ?? null,
    callId: callIdOf(origin),
  }
}

const callIds = new WeakMap<Origin, Id<'request'> | null>()

/** The id of the call, read once for all rows that the call writes. */
export function callIdOf(origin: Origin | undefined): Id<'request'> | null {
  if (!origin) return null
  const cached = callIds.get(origin)
  if (cached !== undefined) return cached
  const id = parseId('request', origin.callId) ?? null
  callIds.set(origin, id)
  return id
}

/** The final bytes of an event: what a webhook signs and the feed shows (contract 9.1). */
function bodyOf(
  id: Id<'event'>,
  event: { type: EventTypeName; businessId: Id<'business'>; data: object },
  createdAt: string,
): string {
  return JSON.stringify({
    id: formatId('event', id),
    type: event.type,
    created_at: createdAt,
    business_id: formatId('business', event.businessId),
    data: event.data,
  })
}

/** Queues the jobs that place events which one transaction wrote in several steps. */
export async function placeLater(
  tx: Tx,
  unplaced: readonly UnplacedEvent[],
  now: Date,
): Promise<void> {
  for (let start = 0; start < unplaced.length; start += eventsPerJob) {
    await queueFanOut(tx, unplaced.slice(start, start + eventsPerJob), now)
  }
}

/**
 * Queues the job on the business's own lane, or on a shared lane where a flush covers several
 * businesses.
 */
async function queueFanOut(tx: Tx, events: UnplacedEvent[], now: Date): Promise<void> {
  const [businessId] = events[0] ?? []
  if (!businessId) return
  const isOne = events.every(([id]) => id === businessId)
  const payload: FanOutPayload = { created_at: now.toISOString(), events }
  const lane = isOne ? { businessId } : { businessId: null, lane: 'several', spread: businessId }
  await enqueue(tx, [{ kind: fanOutJob, ...lane, payload }], now)
}

interface EventRow {
  businessId: Id<'business'>
  id: Id<'event'>
  type: EventTypeName
  body: string
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

/** Rows as columns, the form in which they are sent to the database. */
interface EventColumns {
  businessIds: Buffer
  ids: Buffer
  types: string
  bodies: Buffer
  connectionIds: Buffer
  callIds: Buffer
}

export function columnsOf(rows: readonly EventRow[]): EventColumns {
  return {
    businessIds: ids(rows.map((row) => row.businessId)),
    ids: ids(rows.map((row) => row.id)),
    types: texts(rows.map((row) => row.type)),
    bodies: longTexts(rows.map((row) => row.body)),
    connectionIds: ids(rows.map((row) => row.connectionId)),
    callIds: ids(rows.map((row) => row.callId)),
  }
}

export function insertEvents(db: Db, columns: EventColumns, now: Date): Promise<number> {
  return db.run(sql`
    insert into events (business_id, id, type, body, connection_id, call_id, created_at)
    select business_id, id, type, body, connection_id, call_id, ${now}
    from unnest(
      ${columns.businessIds}::uuid[],
      ${columns.ids}::uuid[],
      ${columns.types}::text[],
      ${columns.bodies}::text[],
      ${columns.connectionIds}::uuid[],
      ${columns.callIds}::uuid[]
    ) as row (business_id, id, type, body, connection_id, call_id)
  `)
}
