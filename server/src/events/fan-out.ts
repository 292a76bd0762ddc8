/**
 * Gives events their positions in the feed. Positions of one business are assigned by one
 * transaction at a time, after the transactions of the events committed: they have no gaps, and
 * none appears behind one that a reader has already passed.
 */

import type { Id } from '../core/ids.ts'
import { createBatcher } from '../lib/concurrency/batch.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import { settle } from '../lib/jobs/claim.ts'
import type { Job } from '../lib/jobs/job.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { FanOutPayload } from './emit.ts'
import {
  type Head,
  lockHeads,
  moveHeads,
  openHeads,
  type PlacedEvent,
  placeEvents,
} from './queries.ts'

export type { PlacedEvent } from './queries.ts'

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
    async flush(jobs) {
      await deps.db.tx((tx) => placeJobs(tx, deps, jobs))
      return jobs.map(() => undefined)
    },
  })
}

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
