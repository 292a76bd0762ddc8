import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { put, take } from '../../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { someoneWaits } from '../../../../tests/support/postgres/locks.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { refuse } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../db/db.ts'
import type { Tx } from '../db/types.ts'
import { later, minutes } from '../time/clock.ts'
import { enqueue, everyShard, type LaneNews, placeOf } from './job.ts'
import { lateLanes, wakeLanes } from './shards.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const nextAt = async (kind: string) => {
  const { shard, laneId } = placeOf({ kind, businessId: null })
  const lane = await database.db.one<{ at: Date }>(sql`
    select next_at as at from lanes where shard = ${shard} and id = ${laneId}
  `)
  return lane.at
}

test('a claimed job has the payload, kind and due time with which it was queued', async () => {
  const payload = { text: `quotes " and ' and \\ and {}`, n: 3, deep: [null, { a: true }] }
  const [id] = await put(database.db, [{ kind: 'plain', payload }], clock.now())
  const [job] = await take(database.db, clock, { kind: 'plain' })
  assert.equal(job?.id, id)
  assert.deepEqual(job?.payload, payload)
  assert.deepEqual([job?.kind, job?.attempt, job?.poison], ['plain', 1, null])
  assert.deepEqual(job?.dueAt, clock.now())
})

test('a job queued without a payload has the payload null', async () => {
  await put(database.db, [{ kind: 'empty' }], clock.now())
  assert.equal((await take(database.db, clock, { kind: 'empty' }))[0]?.payload, null)
})

test('a job commits together with its transaction: a refusal takes the job back', async () => {
  await database.db.tx(async (tx) => {
    await enqueue(tx, [{ kind: 'refused', businessId: null }], clock.now())
    return refuse('conflict', 'No.')
  })
  assert.deepEqual(await take(database.db, clock, { kind: 'refused' }), [])
})

test('the worker is notified of each lane once, with its earliest due time, after the commit', async () => {
  const told: (readonly LaneNews[])[] = []
  const tell = (news: readonly LaneNews[]) => told.push(news)
  const soon = later(clock.now(), minutes(1))
  const jobs = [
    { kind: 'told', businessId: null, lane: 'a', dueAt: later(soon, 1) },
    { kind: 'told', businessId: null, lane: 'a', dueAt: soon },
    { kind: 'told', businessId: null, lane: 'b', priority: 'urgent' as const },
  ]
  await database.db.tx(async (tx) => {
    await enqueue(tx, jobs, clock.now(), tell)
    assert.deepEqual(told, [])
  })
  assert.deepEqual(told, [
    [
      { ...placeOf({ kind: 'told', businessId: null, lane: 'a' }), priority: 1, dueAt: soon },
      {
        ...placeOf({ kind: 'told', businessId: null, lane: 'b' }),
        priority: 0,
        dueAt: clock.now(),
      },
    ],
  ])
  await database.db.tx(async (tx) => {
    await enqueue(tx, jobs, clock.now(), tell)
    return refuse('conflict', 'No.')
  })
  assert.equal(told.length, 1)
})

test('queueing the same job id again while the job waits changes nothing', async () => {
  const id = newId('job')
  await put(database.db, [{ kind: 'once', id, payload: 1 }], clock.now())
  await put(database.db, [{ kind: 'once', id, payload: 2 }], clock.now())
  const jobs = await take(database.db, clock, { kind: 'once' })
  assert.deepEqual(
    jobs.map((job) => job.payload),
    [1],
  )
})

test('many jobs of many lanes are queued in one call, and their ids are returned in order', async () => {
  const jobs = Array.from({ length: 500 }, (_, i) => ({
    kind: 'many',
    lane: String(i % 40),
    payload: i,
  }))
  const ids = await put(database.db, jobs, clock.now())
  assert.equal(new Set(ids).size, 500)
  const rows = await database.db.all<{ id: string; payload: number }>(sql`
    select id, payload from jobs where kind = 'many'
  `)
  const payloads = new Map(rows.map((row) => [row.id, row.payload]))
  assert.deepEqual(
    ids.map((id) => payloads.get(id)),
    jobs.map((job) => job.payload),
  )
})

test('a lane sleeps until its first job, and an earlier job wakes it earlier', async () => {
  const [soon, late] = [later(clock.now(), minutes(1)), later(clock.now(), minutes(9))]
  await put(database.db, [{ kind: 'sleepy', dueAt: late }], clock.now())
  assert.deepEqual(await nextAt('sleepy'), late)
  await put(database.db, [{ kind: 'sleepy', dueAt: soon }], clock.now())
  assert.deepEqual(await nextAt('sleepy'), soon)
  await put(database.db, [{ kind: 'sleepy', dueAt: late }], clock.now())
  assert.deepEqual(await nextAt('sleepy'), soon)
})

test('an open transaction that wakes a lane does not block other transactions that queue into it', async () => {
  await put(database.db, [{ kind: 'hot', dueAt: later(clock.now(), minutes(1)) }], clock.now())
  const queued = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const slow = database.db.tx(async (tx) => {
    await enqueue(tx, [{ kind: 'hot', businessId: null }], clock.now())
    queued.resolve()
    await end.promise
  })
  await queued.promise
  await put(database.db, [{ kind: 'hot' }], clock.now())
  end.resolve()
  await slow
  assert.equal((await take(database.db, clock, { kind: 'hot' })).length, 2)
})

test('a lane wake that was lost with a rolled-back transaction is found and repaired', async () => {
  await put(database.db, [{ kind: 'lost', dueAt: later(clock.now(), minutes(1)) }], clock.now())
  const queued = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const doomed = database.db.tx(async (tx) => {
    await enqueue(tx, [{ kind: 'lost', businessId: null }], clock.now())
    queued.resolve()
    await end.promise
    throw new Error('rolled back')
  })
  await queued.promise
  await put(database.db, [{ kind: 'lost', payload: 'kept' }], clock.now())
  end.resolve()
  await assert.rejects(doomed)
  assert.deepEqual(await take(database.db, clock, { kind: 'lost' }), [])

  const late = await lateLanes(database.db, [...everyShard], [], later(clock.now(), -1000))
  const { shard } = placeOf({ kind: 'lost', businessId: null })
  const lanes = late.filter((lane) => lane.shard === shard)
  assert.equal(await wakeLanes(database.db, lanes, clock.now()), 1)
  const jobs = await take(database.db, clock, { kind: 'lost' })
  assert.deepEqual(
    jobs.map((job) => job.payload),
    ['kept'],
  )
})

test('on a distributed database a lane that is deleted meanwhile is made anew', async () => {
  const kind = 'deleted'
  const [job] = [{ kind, businessId: newId('business') }]
  const spread = (tx: Tx): Tx => ({ ...tx, isDistributed: () => true })
  await database.db.tx((tx) => enqueue(spread(tx), [job], clock.now()))
  await database.db.run(sql`delete from jobs where kind = ${kind}`)
  await database.db.run(sql`update lanes set next_at = 'infinity' where kind = ${kind}`)
  let queued: Promise<unknown> | undefined
  await database.db.tx(async (tx) => {
    await tx.run(sql`delete from lanes where kind = ${kind}`)
    queued = database.db.tx((other) => enqueue(spread(other), [job], clock.now()))
    // Until it waits for this transaction.
    await someoneWaits(database.db)
  })
  await queued
  assert.equal(await database.db.run(sql`select from lanes where kind = ${kind}`), 1)
})
