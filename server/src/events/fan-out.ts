/**
 * Gives events their positions in the feed. Positions of one business are assigned by one
 * transaction at a time, after the transactions of the events committed: they have no gaps, and
 * none appears behind one that a reader has already passed.
 */

import type { Id } from '../core/ids.ts'
import { createBatcher, ofBusinesses } from '../lib/concurrency/batch.ts'
import { ids, numbers, sql, texts } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { settle } from '../lib/jobs/claim.ts'
import type { Job } from '../lib/jobs/job.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { EventTypeName } from './catalog.ts'
import { columnsOf, type FanOutPayload, insertEvents, type NewEvent, rowOf } from './emit.ts'

export interface FanOutDeps {
  db: Database
  clock: Clock
  /** Further work on the events in the same transaction, such as creating webhook deliveries. */
  follow?: (tx: Tx, placed: PlacedEvent[], now: Date) => Promise<void>
}

/**
 * Runs fan-out jobs; those that arrive together share one transaction. It settles the jobs inside
 * that transaction, so that an event gets its position only from the job's current lease holder,
 * and never twice.
 */
export function createFanOut(deps: FanOutDeps): (job: Job) => Promise<void> {
  return createBatcher<Job, void>({
    maxItems: 100,
    businessOf: ofBusinesses(deps.db, businessOf),
    async flush(jobs) {
      await deps.db.tx((tx) => placeJobs(tx, deps, jobs))
      return jobs.map(() => undefined)
    },
  })
}

/** All events of a job are of one business where the database is distributed. */
const businessOf = ({ payload }: Job): string => (payload as FanOutPayload).events[0]?.[0] ?? ''

async function placeJobs(tx: Tx, { clock, follow }: FanOutDeps, jobs: Job[]): Promise<void> {
  const now = clock.now()
  const heldJobs = await settle(
    tx,
    jobs.map((job) => ({ job, outcome: { outcome: 'done' } })),
    now,
  )
  const payloads = jobs
    .filter((job) => heldJobs.has(job))
    .map((job) => job.payload as FanOutPayload)
    .sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
  // Of no business, the lock below would be asked of all nodes, which Citus refuses.
  if (payloads.length === 0) return
  const businessIds = new Set(payloads.flatMap(({ events }) => events.map(([id]) => id)))
  const heads = await lockOrCreateHeads(tx, [...businessIds], now)
  const placed = payloads.flatMap((payload) => assignPositions(payload, heads, now))
  if (placed.length === 0) return
  await Promise.all([moveHeads(tx, [...heads.values()]), placeEvents(tx, placed)])
  await follow?.(tx, placed, now)
}

type Heads = Map<Id<'business'>, Head>

async function lockOrCreateHeads(tx: Tx, businessIds: Id<'business'>[], now: Date): Promise<Heads> {
  const lock = async () =>
    new Map((await lockHeads(tx, businessIds)).map((head) => [head.businessId, head]))
  const heads = await lock()
  if (heads.size === businessIds.length) return heads
  await openHeads(tx, businessIds, now)
  return lock()
}

/** Assigns the next positions of each business, advancing its head. */
function assignPositions(
  { created_at, events }: FanOutPayload,
  heads: Heads,
  now: Date,
): PlacedEvent[] {
  const createdAt = new Date(created_at)
  return events.map(([businessId, eventId, type]) => {
    const head = heads.get(businessId)
    if (!head) throw new Error('a head was opened and is not there')
    head.position++
    // A node whose clock is behind must not turn the feed's time back.
    if (now > head.placedAt) head.placedAt = now
    return { businessId, eventId, type, createdAt, ...placeOf(head) }
  })
}

const placeOf = ({ position, placedAt }: Head) => ({ position, placedAt })

/**
 * Writes events of the past with their positions in a feed that has none yet: no job is queued, so
 * that no webhook receives them.
 */
export async function writePastEvents(
  tx: Tx,
  businessId: Id<'business'>,
  events: readonly { event: NewEvent; at: Date }[],
): Promise<{ id: Id<'event'>; type: EventTypeName; at: Date }[]> {
  const placed: PlacedEvent[] = []
  for (const { event, at: createdAt } of events) {
    const row = rowOf(event, createdAt.toISOString())
    await insertEvents(tx, columnsOf([row]), createdAt)
    const { id: eventId, type } = row
    const position = placed.length + 1
    placed.push({ businessId, eventId, type, createdAt, position, placedAt: createdAt })
  }
  await placeEvents(tx, placed)
  const last = placed.at(-1)
  if (last) {
    await openHeads(tx, [businessId], last.placedAt)
    await moveHeads(tx, [last])
  }
  return placed.map(({ eventId: id, type, createdAt: at }) => ({ id, type, at }))
}

/** Creates the heads of businesses that had no event yet. */
export function openHeads(db: Db, businessIds: Id<'business'>[], now: Date): Promise<number> {
  return db.run(sql`
    insert into event_heads (business_id, position, placed_at)
    select id, 0, ${now} from unnest(${businessIds}::uuid[]) as id order by id
    on conflict (business_id) do nothing
  `)
}

/** The last position that a business's feed has assigned. */
interface Head {
  businessId: Id<'business'>
  position: number
  placedAt: Date
}

/**
 * Locks heads: only the holder assigns the next positions of their businesses. They are locked in a
 * fixed order, against deadlocks.
 */
function lockHeads(db: Db, businessIds: Id<'business'>[]): Promise<Head[]> {
  return db.all<Head>(sql`
    select business_id as "businessId", position, placed_at as "placedAt"
    from event_heads where business_id = any(${businessIds}::uuid[])
    order by business_id for update
  `)
}

/** An event with its position in the feed. */
export interface PlacedEvent {
  businessId: Id<'business'>
  eventId: Id<'event'>
  type: EventTypeName
  createdAt: Date
  position: number
  /** Never decreases as positions grow. */
  placedAt: Date
}

/** Advances heads, which the caller has locked, to the last positions assigned. */
export function moveHeads(db: Db, heads: readonly Head[]): Promise<number> {
  return db.run(sql`
    update event_heads head
    set position = last.position, placed_at = to_timestamp(last.placed_ms / 1000)
    from unnest(
      ${ids(heads.map((head) => head.businessId))}::uuid[],
      ${numbers(heads.map((head) => head.position))}::bigint[],
      ${numbers(heads.map((head) => head.placedAt.getTime()))}::float8[]
    ) as last (business_id, position, placed_ms)
    where head.business_id = last.business_id
  `)
}

/** Writes positions of events whose heads the caller has locked. */
export function placeEvents(db: Db, events: readonly PlacedEvent[]): Promise<number> {
  return db.run(sql`
    insert into event_feed (business_id, position, placed_at, event_id, type, created_at)
    select business_id, position, to_timestamp(placed_ms / 1000), event_id, type,
      to_timestamp(created_ms / 1000)
    from unnest(
      ${ids(events.map((event) => event.businessId))}::uuid[],
      ${numbers(events.map((event) => event.position))}::bigint[],
      ${numbers(events.map((event) => event.placedAt.getTime()))}::float8[],
      ${ids(events.map((event) => event.eventId))}::uuid[],
      ${texts(events.map((event) => event.type))}::text[],
      ${numbers(events.map((event) => event.createdAt.getTime()))}::float8[]
    ) as placed (business_id, position, placed_ms, event_id, type, created_ms)
  `)
}
