/**
 * The beginning of attempts: reads where each delivery goes and what signs it, and writes
 * the attempt with its id down before anything is sent.
 */
import { bodiesOf } from '../events/bodies.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/db.ts'
import { type Id, newId } from '../platform/ids.ts'
import type { Job } from '../platform/jobs/job.ts'
import type { AttemptKey } from './attempt.ts'
import {
  beginWaiting,
  insertAttempts,
  unbeginAttempts,
  withdrawAttempts,
} from './attempt-queries.ts'
import { deliveryOf, type QueuedDelivery } from './delivery.ts'
import { type Held, holdAll } from './hold.ts'
import type { Rights } from './rights.ts'
import { selectTargets, type Target } from './subscription-queries.ts'

/** An attempt that is to be made now. */
export interface Begun extends AttemptKey {
  job: Job
  delivery: QueuedDelivery
  target: Target
  /** Undefined where the event is kept no longer, null where it was erased. */
  body: string | null | undefined
}

/** `gone`: nobody to deliver to. `held`: the subscription is paused, and its lane with it. */
export type Beginning = { is: 'begun'; begun: Begun } | { is: 'gone' } | { is: 'held' }

export interface BeginDeps {
  db: Database
  clock: Clock
  rights: Rights
}

export async function beginAll(deps: BeginDeps, jobs: readonly Job[]): Promise<Beginning[]> {
  const { db, clock } = deps
  const now = clock.now()
  const asked = jobs.map((job) => ({ job, delivery: deliveryOf(job.payload) }))
  const deliveries = asked.map(({ delivery }) => delivery)
  const [targets, bodies] = await Promise.all([
    targetsOf(deps, deliveries, now),
    bodiesOf(
      db,
      deliveries.map(({ businessId, eventId, eventAt }) => ({
        businessId,
        id: eventId,
        createdAt: eventAt,
      })),
    ),
  ])
  const going: Begun[] = []
  const held: Held[] = []
  const beginnings = asked.map(({ job, delivery }): Beginning => {
    const target = targets.get(delivery.webhookId)
    if (!target) return { is: 'gone' }
    if (target.isPaused && !delivery.test) {
      held.push(delivery)
      return { is: 'held' }
    }
    const key = { businessId: delivery.businessId, id: newId('delivery'), createdAt: now }
    const begun = { ...key, job, delivery, target, body: bodies.get(delivery.eventId) }
    going.push(begun)
    return { is: 'begun', begun }
  })
  const ended = await startWithRight(deps, going, now)
  await holdAll(db, [...held, ...ended], now)
  const without = new Set(ended.map(({ delivery }) => delivery))
  return beginnings.map((beginning) =>
    beginning.is === 'begun' && without.has(beginning.begun.delivery) ? { is: 'held' } : beginning,
  )
}

async function targetsOf(
  { db }: BeginDeps,
  deliveries: readonly QueuedDelivery[],
  now: Date,
): Promise<ReadonlyMap<Id<'webhook'>, Target>> {
  const unique = new Map(deliveries.map((delivery) => [delivery.webhookId, delivery]))
  const rows = await selectTargets(db, [...unique.values()], now)
  return new Map(rows.map((row) => [row.webhookId, row]))
}

/** Writes the attempts down, and gives the deliveries whose holder has the right no more. */
async function startWithRight(
  { db, rights }: BeginDeps,
  going: Begun[],
  now: Date,
): Promise<(Held & Begun)[]> {
  if (going.length === 0) return []
  const holders = new Set(going.map(({ target }) => target.holder))
  const [reach] = await Promise.all([rights.reachOf(db, [...holders]), writeDown(db, going, now)])
  // A test shows nobody's data, and was asked for by someone who may.
  const ended = going.filter(
    ({ businessId, target, delivery }) =>
      !delivery.test && !reach.get(target.holder)?.has(businessId),
  )
  // Rare, and nothing was sent: it is as if they had not been begun.
  if (ended.length > 0) await withdraw(db, ended)
  return ended.map((begun) => ({
    ...begun,
    webhookId: begun.delivery.webhookId,
    ended: begun.target.holder,
  }))
}

/** What a caller was promised waits on under its id; the others get a new one. */
async function withdraw(db: Database, ended: readonly Begun[]): Promise<void> {
  const isPromised = ({ id, delivery }: Begun) => id === delivery.first?.id
  await unbeginAttempts(db, ended.filter(isPromised).map(keyOf))
  await withdrawAttempts(db, ended.filter((begun) => !isPromised(begun)).map(keyOf))
}

const keyOf = ({ businessId, id, createdAt }: AttemptKey) => ({ businessId, id, createdAt })

async function writeDown(db: Database, going: Begun[], now: Date): Promise<void> {
  const begun = await takePromised(db, going, now)
  const rows = going
    .filter((one) => !begun.has(one.id))
    .map(({ delivery: { first: _first, test: _test, ...delivery }, job, target, ...one }) => ({
      ...delivery,
      ...keyOf(one),
      attempt: job.attempt,
      replayOf: null,
      begunAt: now,
      url: target.url,
    }))
  if (rows.length > 0) await insertAttempts(db, rows)
}

/** First attempts of replays go by the id their caller was promised, save after a crash. */
async function takePromised(
  db: Database,
  going: Begun[],
  now: Date,
): Promise<ReadonlySet<Id<'delivery'>>> {
  const promised = going.flatMap((begun) => {
    const { first } = begun.delivery
    if (!first || begun.job.attempt > 1) return []
    return [{ begun, row: { ...first, businessId: begun.businessId, url: begun.target.url } }]
  })
  if (promised.length === 0) return new Set()
  const rows = promised.map(({ row }) => row)
  const taken = await beginWaiting(db, rows, now)
  for (const { begun, row } of promised) {
    if (taken.has(row.id)) Object.assign(begun, { id: row.id, createdAt: row.createdAt })
  }
  return taken
}
