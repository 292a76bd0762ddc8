import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lanesOfOneShard, put, take } from '../../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../db/db.ts'
import { hours, later, minutes, seconds } from '../time/clock.ts'
import { dueLanes, renewJobs, settle } from './claim.ts'
import { everyShard, maxClaims, maxRests, type Priority, placeOf, restMs } from './job.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const several = (n: number, job: { kind: string; lane?: string; priority?: Priority }) =>
  Array.from({ length: n }, (_, i) => ({ ...job, payload: i }))

test('a claim takes at most four jobs from a lane, the longest due first', async () => {
  const jobs = several(10, { kind: 'turns' }).map((job) => ({
    ...job,
    dueAt: later(clock.now(), -1000 * (job.payload as number)),
  }))
  await put(database.db, jobs, clock.now())
  const taken = await take(database.db, clock, { kind: 'turns' })
  assert.deepEqual(
    taken.map((job) => job.payload),
    [9, 8, 7, 6],
  )
})

test('claimed jobs are leased: no other claim gets them until the lease ends', async () => {
  await put(database.db, several(3, { kind: 'leased' }), clock.now())
  assert.equal((await take(database.db, clock, { kind: 'leased' })).length, 3)
  clock.forward(seconds(15) - 1)
  assert.deepEqual(await take(database.db, clock, { kind: 'leased' }), [])
  clock.forward(1)
  const again = await take(database.db, clock, { kind: 'leased' })
  assert.deepEqual(
    again.map((job) => job.attempt),
    [1, 1, 1],
    'a crash of the worker is no attempt',
  )
})

test('concurrent claims never share a job', async () => {
  await put(database.db, several(40, { kind: 'raced' }), clock.now())
  const claims = await Promise.all(
    Array.from({ length: 10 }, () => take(database.db, clock, { kind: 'raced' })),
  )
  const ids = claims.flat().map((job) => job.id)
  assert.ok(ids.length >= 4)
  assert.equal(new Set(ids).size, ids.length)
})

test('lanes take turns: the lane that has waited longest goes first', async () => {
  const [busy = '', quiet = ''] = lanesOfOneShard('fair', 2)
  await put(database.db, several(20, { kind: 'fair', lane: busy }), clock.now())
  clock.forward(10)
  await put(database.db, several(1, { kind: 'fair', lane: quiet }), clock.now())
  const first = await take(database.db, clock, { kind: 'fair', lane: busy }, { lanes: 1 })
  assert.equal(first.length, 4)
  const second = await take(database.db, clock, { kind: 'fair', lane: busy }, { lanes: 1 })
  assert.deepEqual(
    second.map((job) => job.laneId),
    [placeOf({ kind: 'fair', businessId: null, lane: quiet }).laneId],
  )
})

test('an urgent lane goes before a normal lane that has waited longer', async () => {
  const [slow = '', fast = ''] = lanesOfOneShard('urgent', 2)
  await put(database.db, several(1, { kind: 'urgent', lane: slow }), clock.now())
  clock.forward(10)
  await put(
    database.db,
    several(1, { kind: 'urgent', lane: fast, priority: 'urgent' }),
    clock.now(),
  )
  const [first] = await take(database.db, clock, { kind: 'urgent', lane: slow }, { lanes: 1 })
  assert.equal(first?.laneId, placeOf({ kind: 'urgent', businessId: null, lane: fast }).laneId)
})

test('jobs of a lane that a worker already holds count against the lane’s capacity', async () => {
  await put(database.db, several(10, { kind: 'capped' }), clock.now())
  const { laneId } = placeOf({ kind: 'capped', businessId: null })
  const claim = (n: number) =>
    take(database.db, clock, { kind: 'capped' }, { held: { [laneId]: n } })
  assert.deepEqual(await claim(8), [])
  assert.equal((await claim(7)).length, 1)
})

test('jobs of a kind that a worker does not know are left for a worker that does', async () => {
  await put(database.db, [{ kind: 'foreign' }], clock.now())
  const appetite = {
    kinds: ['other'],
    bulkKinds: ['other'],
    perLane: [8],
    perTurn: [4],
    heldLanes: [],
    heldJobs: [],
  }
  const { shard } = placeOf({ kind: 'foreign', businessId: null })
  assert.deepEqual(await dueLanes(database.db, [shard], appetite, clock.now()), [])
})

test('due lanes are listed with the time of their next job, also if it is in the near future', async () => {
  const at = later(clock.now(), 300)
  await put(database.db, [{ kind: 'near', dueAt: at }], clock.now())
  const appetite = {
    kinds: ['near'],
    bulkKinds: ['near'],
    perLane: [8],
    perTurn: [4],
    heldLanes: [],
    heldJobs: [],
  }
  const place = placeOf({ kind: 'near', businessId: null })
  const due = (ms: number) => dueLanes(database.db, [place.shard], appetite, later(clock.now(), ms))
  assert.deepEqual(await due(299), [])
  assert.deepEqual(await due(300), [{ ...place, priority: 1, capacity: 8, nextAt: at }])
})

test('lanes of different shards are ordered by urgency, then by waiting time', async () => {
  const wait = async (lane: string, priority: Priority) => {
    clock.forward(10)
    await put(database.db, several(1, { kind: 'order', lane, priority }), clock.now())
    return placeOf({ kind: 'order', businessId: null, lane }).shard
  }
  const expected = [await wait('a', 'bulk'), await wait('b', 'normal'), await wait('c', 'normal')]
  expected.push(expected.shift() as number)
  expected.unshift(await wait('d', 'urgent'))
  const appetite = {
    kinds: ['order'],
    bulkKinds: ['order'],
    perLane: [8],
    perTurn: [4],
    heldLanes: [],
    heldJobs: [],
  }
  const due = await dueLanes(database.db, everyShard, appetite, clock.now())
  assert.deepEqual(
    due.map(({ shard }) => shard),
    expected,
  )
})

test('a lane sleeps until its first job or lease ends, and forever once it is empty', async () => {
  const lane = { kind: 'rest' }
  const at = later(clock.now(), minutes(30))
  await put(database.db, [lane, { ...lane, dueAt: at }], clock.now())
  const wakesAt = async () => {
    await take(database.db, clock, lane)
    const row = await database.db.one<{ next: Date | number }>(
      sql`select next_at as next from lanes where kind = 'rest'`,
    )
    return row.next
  }
  assert.deepEqual(await wakesAt(), later(clock.now(), seconds(15)), 'while one is held')
  await database.db.run(sql`delete from jobs where kind = 'rest' and lease is not null`)
  clock.forward(seconds(15))
  assert.deepEqual(await wakesAt(), at)
  await database.db.run(sql`delete from jobs where kind = 'rest'`)
  clock.forward(minutes(30))
  assert.equal(await wakesAt(), Number.POSITIVE_INFINITY)
})

test('a job whose workers die rests, is retried once an hour, and is dead after a day', async () => {
  await put(database.db, [{ kind: 'poison' }], clock.now())
  const poison = async () => (await take(database.db, clock, { kind: 'poison' }))[0]?.poison
  for (let i = 0; i < maxClaims; i++) {
    assert.equal(await poison(), null)
    clock.forward(seconds(15))
  }
  for (let rests = 0; rests < maxRests; rests++) {
    assert.equal(await poison(), 'rests')
    clock.forward(restMs - 1)
    assert.equal(await poison(), undefined)
    clock.forward(1)
    assert.equal(await poison(), null)
    clock.forward(seconds(15))
  }
  assert.equal(await poison(), 'dead')
  clock.forward(hours(2))
  assert.equal(await poison(), undefined)
  const row = await database.db.one<{ fault: string; dead: boolean }>(sql`
    select fault, parked_at is not null as dead from jobs where kind = 'poison'
  `)
  assert.deepEqual(row, { fault: 'poison', dead: true })
})

test('a resting job that is settled in its hourly retry is like any other job again', async () => {
  await put(database.db, [{ kind: 'innocent' }], clock.now())
  for (let i = 0; i <= maxClaims; i++) {
    await take(database.db, clock, { kind: 'innocent' })
    clock.forward(seconds(15))
  }
  clock.forward(restMs)
  const [job] = await take(database.db, clock, { kind: 'innocent' })
  assert.ok(job)
  assert.equal(job.claims, maxClaims + 2)
  const at = clock.now()
  await settle(database.db, [{ job, outcome: { outcome: 'again', at } }], at)
  const [next] = await take(database.db, clock, { kind: 'innocent' })
  assert.deepEqual([next?.claims, next?.poison], [1, null])
})

test('renewing extends the leases of jobs and reveals which leases were lost', async () => {
  await put(database.db, several(2, { kind: 'long' }), clock.now())
  const [kept, taken] = await take(database.db, clock, { kind: 'long' })
  assert.ok(kept && taken)
  clock.forward(seconds(10))
  const stale = { ...taken, lease: crypto.randomUUID() }
  const until = later(clock.now(), seconds(15))
  const { held, lost } = await renewJobs(database.db, [kept, stale], until)
  assert.deepEqual([[...held], [...lost]], [[kept.id], [stale.id]])
  clock.forward(seconds(10))
  const retaken = await take(database.db, clock, { kind: 'long' })
  assert.deepEqual(
    retaken.map((job) => job.id),
    [taken.id],
  )
})
