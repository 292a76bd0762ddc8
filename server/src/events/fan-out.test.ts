import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newBusiness, reachOf } from '../../../tests/support/businesses/business.ts'
import { claimFanOuts, placeEvents } from '../../../tests/support/businesses/fan-out.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import type { Id } from '../core/ids.ts'
import { type BusinessContext, scopes } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import { createWorker } from '../lib/jobs/worker.ts'
import { createLog } from '../lib/process/log.ts'
import { systemClock } from '../lib/time/clock.ts'
import { changes } from './changes.ts'
import { emitAll, type NewEvent } from './emit.ts'
import { createFanOut, type PlacedEvent } from './fan-out.ts'
import { eventJobs } from './jobs.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = systemClock

function verified(businessId: Id<'business'>, domain: string): NewEvent {
  return { businessId, type: 'domain.verified', data: { domain, verified_at: 'now' } }
}

interface Page {
  events: { id: string; data: { domain: string } }[]
  next_cursor: string
}

async function read(businessId: Id<'business'>, cursor?: string): Promise<Page> {
  const context = {
    db: database.db,
    now: clock.now(),
    business: reachOf(businessId),
    principal: { scopes: new Set(scopes) },
  } as unknown as BusinessContext
  return (await changes.run(context, { limit: 7, ...(cursor && { cursor }) })) as Page
}

test('a reader that pages while 16 writers write sees each event exactly once', async (t) => {
  const businesses = [await newBusiness(database.db), await newBusiness(database.db)]
  const kinds = eventJobs({ db: database.db, clock })
  const workers = [1, 2].map(() =>
    createWorker({
      db: database.db,
      clock,
      log: createLog('silent'),
      kinds,
      slots: 4,
      pollMs: 20,
    }),
  )
  await Promise.all(workers.map((worker) => worker.start()))
  t.after(() => Promise.all(workers.map((worker) => worker.stop())))
  const expected = new Map(businesses.map((id) => [id, new Set<string>()]))
  const writers = Array.from({ length: 16 }, async (_, w) => {
    for (let i = 0; i < 20; i++) {
      const events = businesses
        .filter((_id, b) => b === 0 || i % 2 === 0)
        .map((id) => verified(id, `${w}/${i}`))
      for (const { businessId, data } of events) {
        expected.get(businessId)?.add((data as { domain: string }).domain)
      }
      await database.db.tx(async (tx) => {
        await emitAll(tx, events, clock.now())
        // Some transactions stay open longer than others, so they commit out of order.
        if (i % 5 === 0) await tx.run(sql`select pg_sleep(${Math.random() / 50})`)
      })
    }
  })
  const written = Promise.all(writers)
  const readers = businesses.map(async (businessId) => {
    const seen: string[] = []
    const wanted = 16 * (businessId === businesses[0] ? 20 : 10)
    let cursor: string | undefined
    while (seen.length < wanted) {
      const page = await read(businessId, cursor)
      seen.push(...page.events.map((event) => event.data.domain))
      cursor = page.next_cursor
      if (page.events.length === 0) await sleep(5)
    }
    assert.deepEqual((await read(businessId, cursor)).events, [])
    return seen
  })
  const [, ...all] = await Promise.all([written, ...readers])
  for (const [i, seen] of all.entries()) {
    assert.equal(new Set(seen).size, seen.length, 'one was seen twice')
    assert.deepEqual(new Set(seen), expected.get(businesses[i] as Id<'business'>))
  }
})

test('concurrent fan-outs of one business assign positions without gap or repetition', async () => {
  const businessId = await newBusiness(database.db)
  for (let i = 0; i < 30; i++) {
    await database.db.tx((tx) => emitAll(tx, [verified(businessId, String(i))], clock.now()))
  }
  const placed: PlacedEvent[] = []
  const deps = {
    db: database.db,
    clock,
    follow: async (_tx: unknown, events: PlacedEvent[]) => void placed.push(...events),
  }
  // Each job runs as in a worker of its own.
  await Promise.all((await claimFanOuts(database.db)).map((job) => createFanOut(deps)(job)))
  assert.deepEqual(
    placed.map(({ position }) => position).toSorted((a, b) => a - b),
    Array.from({ length: 30 }, (_, i) => i + 1),
  )
})

test('fan-out jobs claimed together are placed in one transaction, the older events first', async () => {
  const businessId = await newBusiness(database.db)
  for (const [name, at] of [
    ['younger', '2026-11-20T10:00:01Z'],
    ['older', '2026-11-20T10:00:00Z'],
  ] as const) {
    await database.db.tx((tx) => emitAll(tx, [verified(businessId, name)], new Date(at)))
  }
  let turns = 0
  await placeEvents({ db: database.db, clock, follow: async () => void turns++ })
  assert.equal(turns, 1)
  const { events } = await read(businessId)
  assert.deepEqual(
    events.map((event) => event.data.domain),
    ['older', 'younger'],
  )
})

test('a worker that lost its job lease places no events, and the new holder places them once', async () => {
  const businessId = await newBusiness(database.db)
  await database.db.tx((tx) => emitAll(tx, [verified(businessId, 'a')], clock.now()))
  const fanOut = createFanOut({ db: database.db, clock })
  const [stale] = await claimFanOuts(database.db)
  await database.db.run(sql`update jobs set lease = null where id = ${stale?.id}`)
  const [lawful] = await claimFanOuts(database.db)
  assert.ok(stale && lawful)
  await fanOut(stale)
  assert.deepEqual((await read(businessId)).events, [])
  await fanOut(lawful)
  await fanOut(lawful)
  assert.equal((await read(businessId)).events.length, 1)
})

test('the follow-up work of an event is committed together with its position, or not at all', async () => {
  const businessId = await newBusiness(database.db)
  await database.db.tx((tx) => emitAll(tx, [verified(businessId, 'a')], clock.now()))
  const [job] = await claimFanOuts(database.db)
  assert.ok(job)
  const failing = { db: database.db, clock, follow: () => Promise.reject(new Error('no')) }
  await assert.rejects(createFanOut(failing)(job), /no/)
  assert.deepEqual((await read(businessId)).events, [])
  const seen: PlacedEvent[] = []
  const follow = async (_tx: unknown, placed: PlacedEvent[]) => void seen.push(...placed)
  await createFanOut({ db: database.db, clock, follow })(job)
  assert.deepEqual(
    seen.map(({ type, position }) => [type, position]),
    [['domain.verified', 1]],
  )
})

test('a clock that runs behind does not move the feed’s time backwards', async () => {
  const businessId = await newBusiness(database.db)
  for (const iso of ['2026-11-20T10:00:00Z', '2026-11-20T09:59:58Z']) {
    const now = new Date(iso)
    await database.db.tx((tx) => emitAll(tx, [verified(businessId, iso)], now))
    await placeEvents({ db: database.db, clock: { now: () => now } })
  }
  const places = await database.db.all<{ placed_at: Date }>(
    sql`select placed_at from event_feed where business_id = ${businessId} order by position`,
  )
  assert.deepEqual(
    places.map((place) => place.placed_at.toISOString()),
    // The first of the two runs opened the head and placed the event.
    ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
  )
})
