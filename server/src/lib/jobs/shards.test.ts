import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../db/db.ts'
import { seconds } from '../time/clock.ts'
import { defaultTimes } from './job.ts'
import { createShardKeeper } from './shards.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
beforeEach(async () => {
  await database.db.run(sql`update shard_leases set worker = null, expires_at = '-infinity'`)
  await database.db.run(sql`delete from job_workers`)
})
after(() => database.drop())

const idle = new Set<number>()
const keeperAt = (clock: ManualClock) => createShardKeeper(database.db, clock, defaultTimes)

test('a single worker holds every shard', async () => {
  const keeper = keeperAt(new ManualClock())
  assert.deepEqual(keeper.shards(), [])
  await keeper.tend(idle)
  assert.equal(new Set(keeper.shards()).size, 256)
})

test('no shard ever has two holders, and every shard gets one', async () => {
  const clock = new ManualClock()
  const keepers = Array.from({ length: 5 }, () => keeperAt(clock))
  for (let round = 0; round < 4; round++) {
    for (const keeper of keepers) await keeper.tend(idle)
    const held = keepers.flatMap((keeper) => keeper.shards())
    assert.equal(new Set(held).size, held.length, `round ${round}`)
  }
  assert.equal(keepers.flatMap((keeper) => keeper.shards()).length, 256)
  for (const keeper of keepers) assert.ok(keeper.shards().length >= 48)
})

test('a shard with a running job is kept until the job ends and is not claimed from meanwhile', async () => {
  const clock = new ManualClock()
  const [one, two] = [keeperAt(clock), keeperAt(clock)]
  await one.tend(idle)
  await two.tend(idle)
  const busy = new Set(one.shards().slice(0, 130))
  await one.tend(busy)
  await two.tend(idle)
  assert.deepEqual([one.shards().length, two.shards().length], [128, 126])
  for (const shard of busy) assert.ok(!two.shards().includes(shard))
  await one.tend(idle)
  await two.tend(idle)
  assert.deepEqual([one.shards().length, two.shards().length], [128, 128])
})

test('a worker that cannot renew its shards stops claiming before another worker may take over', async () => {
  const clock = new ManualClock()
  const [gone, heir] = [keeperAt(clock), keeperAt(clock)]
  await gone.tend(idle)
  clock.forward(defaultTimes.shardLeaseMs)
  assert.deepEqual(gone.shards(), [], 'its own lease is over')
  clock.forward(defaultTimes.skewAllowanceMs)
  await heir.tend(idle)
  assert.deepEqual(heir.shards(), [], 'clocks may differ: not yet')
  clock.forward(1)
  await heir.tend(idle)
  assert.equal(heir.shards().length, 256)
})

test('a worker whose clock runs ahead within the allowance takes no shards from live workers', async () => {
  const [right, ahead] = [new ManualClock(), new ManualClock()]
  ahead.forward(defaultTimes.skewAllowanceMs)
  const [one, two] = [keeperAt(right), keeperAt(ahead)]
  await one.tend(idle)
  for (let i = 0; i < 10; i++) {
    right.forward(seconds(3))
    ahead.forward(seconds(3))
    await two.tend(idle)
    await one.tend(idle)
    const held = [...one.shards(), ...two.shards()]
    assert.equal(new Set(held).size, held.length)
    assert.ok(one.shards().length >= 128)
  }
})

test('a worker that returns from a long pause takes only its share of the shards', async () => {
  const clock = new ManualClock()
  const [paused, other] = [keeperAt(clock), keeperAt(clock)]
  await paused.tend(idle)
  clock.forward(seconds(60))
  await other.tend(idle)
  assert.equal(other.shards().length, 256)
  await paused.tend(idle)
  assert.deepEqual(paused.shards(), [])
  await other.tend(idle)
  await paused.tend(idle)
  assert.deepEqual([paused.shards().length, other.shards().length], [128, 128])
})

test('released shards are free at once', async () => {
  const clock = new ManualClock()
  const [one, two] = [keeperAt(clock), keeperAt(clock)]
  await one.tend(idle)
  await one.release()
  assert.deepEqual(one.shards(), [])
  await two.tend(idle)
  assert.equal(two.shards().length, 256)
})
