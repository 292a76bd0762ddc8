import assert from 'node:assert/strict'
import { test } from 'node:test'
import { put, workerBench } from '../../../../tests/support/jobs/jobs.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../db/db.ts'
import { days, seconds } from '../time/clock.ts'
import { everyShard } from './job.ts'
import { createNodeReader } from './nodes.ts'
import { createHealer } from './shards.ts'

const bench = workerBench()

test('a worker finds a job whose lane wake was lost within seconds', async () => {
  const ran = Promise.withResolvers<void>()
  await bench.start({
    lost: {
      async run() {
        ran.resolve()
      },
    },
  })
  await put(bench.db, [{ kind: 'lost', dueAt: new Date(Date.now() + 60_000) }], new Date())
  // The state after a claim that did not see the job of a transaction still open.
  await bench.db.run(sql`update jobs set due_at = ${new Date()}`)
  await ran.promise
})

test('lanes that have been untouched for long are healed too, each within a few rounds', async () => {
  const clock = new ManualClock()
  const heal = createHealer(
    bench.db,
    clock,
    createNodeReader(bench.db, () => {}),
  )
  const lanes = Array.from({ length: 40 }, (_, i) => ({ kind: 'still', lane: String(i) }))
  await put(bench.db, lanes, clock.now())
  await bench.db.run(sql`update lanes set next_at = 'infinity'`)
  clock.forward(days(2))
  const asleep = () => bench.db.run(sql`select from lanes where next_at = 'infinity'`)
  for (let round = 0; round < 4; round++) {
    assert.ok((await asleep()) > 0)
    await heal(everyShard)
    clock.forward(seconds(1))
  }
  assert.equal(await asleep(), 0)
})

test('a lane locked by another transaction does not hold up the healing of others', async () => {
  const clock = new ManualClock()
  await put(bench.db, [{ kind: 'held' }, { kind: 'free' }], clock.now())
  await bench.db.run(sql`update lanes set next_at = 'infinity'`)
  const end = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const slow = bench.db.tx(async (tx) => {
    await tx.run(sql`select from lanes where kind = 'held' for update`)
    locked.resolve()
    await end.promise
  })
  await locked.promise
  const heal = createHealer(
    bench.db,
    clock,
    createNodeReader(bench.db, () => {}),
  )
  await heal(everyShard)
  const awake = await bench.db.all(sql`select kind from lanes where next_at < 'infinity'`)
  assert.deepEqual(awake, [{ kind: 'free' }])
  end.resolve()
  await slow
  clock.forward(seconds(1))
  await heal(everyShard)
  await until(
    async () => (await bench.db.run(sql`select from lanes where next_at = 'infinity'`)) === 0,
    'both awake',
  )
})

test('the healer queries the database once a second, however often it is called', async () => {
  const clock = new ManualClock()
  let looks = 0
  const counting = {
    ...bench.db,
    all: <T>(statement: Parameters<typeof bench.db.all>[0]) => {
      looks++
      return bench.db.all<T>(statement)
    },
  }
  const heal = createHealer(
    counting,
    clock,
    createNodeReader(counting, () => {}),
  )
  for (let i = 0; i < 30; i++) {
    await heal(everyShard)
    clock.forward(100)
  }
  assert.equal(looks, 3)
})
