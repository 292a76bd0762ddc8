import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lanesOfOneShard, put, take } from '../../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../db/db.ts'
import { days, later, minutes } from '../time/clock.ts'
import { settle } from './claim.ts'
import { everyShard, placeOf } from './job.ts'
import { isQueued, pauseLane, resumeLane, steerLane } from './lanes.ts'
import { dropEmptyLanes } from './shards.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const businessId = newId('business')

test('a paused lane holds its old and new jobs and drops no job', async () => {
  const lane = { kind: 'deliver', businessId, lane: 'paused' }
  await put(database.db, [lane], clock.now())
  await pauseLane(database.db, lane, clock.now())
  await put(database.db, [lane, { ...lane, dueAt: later(clock.now(), minutes(5)) }], clock.now())
  clock.forward(minutes(1))
  assert.deepEqual(await take(database.db, clock, lane), [])
  await resumeLane(database.db, lane, clock.now())
  assert.equal((await take(database.db, clock, lane)).length, 2)
  clock.forward(minutes(4))
  assert.equal((await take(database.db, clock, lane)).length, 3, 'two leases ended, one fell due')
})

test('a lane can be paused before its first job', async () => {
  const lane = { kind: 'deliver', businessId, lane: 'early' }
  await pauseLane(database.db, lane, clock.now())
  await put(database.db, [lane], clock.now())
  assert.deepEqual(await take(database.db, clock, lane), [])
  await resumeLane(database.db, lane, clock.now())
  assert.equal((await take(database.db, clock, lane)).length, 1)
})

test('a capacity limit narrows one lane, and removing it restores the capacity of its kind', async () => {
  const lane = { kind: 'deliver', businessId, lane: 'failing' }
  await put(database.db, [lane, lane, lane], clock.now())
  await steerLane(database.db, lane, { capacity: 1, priority: 'normal' }, clock.now())
  assert.equal((await take(database.db, clock, lane)).length, 1)
  await steerLane(database.db, lane, { capacity: null, priority: 'normal' }, clock.now())
  assert.equal((await take(database.db, clock, lane)).length, 2)
})

test('a lane lowered to bulk priority gives way to other lanes', async () => {
  const [slow = '', quick = ''] = lanesOfOneShard('behind', 2)
  await put(database.db, [{ kind: 'behind', lane: slow }], clock.now())
  clock.forward(10)
  await put(database.db, [{ kind: 'behind', lane: quick }], clock.now())
  const behind = { capacity: 1, priority: 'bulk' } as const
  await steerLane(
    database.db,
    { kind: 'behind', businessId: null, lane: slow },
    behind,
    clock.now(),
  )
  const [first] = await take(database.db, clock, { kind: 'behind', lane: slow }, { lanes: 1 })
  assert.equal(first?.laneId, placeOf({ kind: 'behind', businessId: null, lane: quick }).laneId)
})

test('a job is reported as queued until it is settled', async () => {
  const lane = { kind: 'known', businessId, lane: 'a' }
  const id = newId('job')
  await put(database.db, [{ ...lane, id }], clock.now())
  assert.equal(await isQueued(database.db, lane, id), true)
  const [job] = await take(database.db, clock, lane)
  assert.ok(job)
  assert.equal(await isQueued(database.db, lane, id), true, 'also in hand')
  await settle(database.db, [{ job, outcome: { outcome: 'done' } }], clock.now())
  assert.equal(await isQueued(database.db, lane, id), false)
})

test('lanes that have been empty for long are deleted, and lanes with jobs or settings stay', async () => {
  await database.db.run(sql`delete from jobs`)
  await database.db.run(sql`delete from lanes`)
  const [empty, full, paused] = ['empty', 'full', 'paused'].map((lane) => ({
    kind: 'gc',
    businessId,
    lane,
  }))
  assert.ok(empty && full && paused)
  await put(database.db, [empty], clock.now())
  const [job] = await take(database.db, clock, empty)
  await database.db.run(sql`delete from jobs where id = ${job?.id}`)
  clock.forward(minutes(1))
  await take(database.db, clock, empty)
  await put(database.db, [{ ...full, dueAt: later(clock.now(), days(9)) }], clock.now())
  await pauseLane(database.db, paused, clock.now())

  const drop = () => dropEmptyLanes(database.db, [...everyShard], later(clock.now(), -days(1)))
  assert.equal(await drop(), 0)
  clock.forward(days(2))
  assert.equal(await drop(), 1)
  await put(database.db, [empty], clock.now())
  assert.equal((await take(database.db, clock, empty)).length, 1, 'a job opens it anew')
})
