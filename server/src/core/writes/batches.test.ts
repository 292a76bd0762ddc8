import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { someOrigin } from '../../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { orRefusal, refuse } from '../errors.ts'

import { type Id, newId } from '../ids.ts'
import type { SetWrite } from '../operation.ts'
import { createEngine, type Engine } from './unit-of-work.ts'

let database: TestDatabase
let engine: Engine
const businessId = newId('business')

before(async () => {
  database = await testDatabase()
  engine = createEngine({ db: database.db, clock: new ManualClock() })
  await database.db.run(sql`create table counts (name text primary key, n integer not null)`)
})
after(() => database.drop())

interface Add {
  name: string
  n: number
}

/** Adds to named counters; refuses a 0, and throws for less. */
function adder(changes: Partial<SetWrite<Add, number>> = {}) {
  const flushes: Add[][] = []
  const transactions = new Set<Tx>()
  const set: SetWrite<Add, number> = {
    name: 'add',
    keyOf: (item) => item.name,
    businessOf: (item) => item.name as Id<'business'>,
    async save(tx, items) {
      flushes.push(items)
      transactions.add(tx)
      const fine = items.filter((item) => item.n !== 0)
      if (fine.some((item) => item.n < 0)) throw new Error('less than nothing')
      const rows = await addCounts(tx, fine)
      const after = new Map(rows.map((row) => [row.name, row.n]))
      return items.map(({ name }) => after.get(name) ?? refuse('conflict', 'Nothing to add.'))
    },
    ...changes,
  }
  return { set, flushes, transactions }
}

function addCounts(tx: Tx, items: Add[]): Promise<Add[]> {
  return tx.all<Add>(sql`
    insert into counts (name, n)
    select * from unnest(${items.map((i) => i.name)}::text[], ${items.map((i) => i.n)}::integer[])
    on conflict (name) do update set n = counts.n + excluded.n
    returning name, n
  `)
}

function batch(set: SetWrite<Add, number>, item: Add, key?: string) {
  const input = key === undefined ? {} : { ...item, idempotency_key: key }
  return engine
    .writingFor({ businessId, operation: 'count.add', input, origin: someOrigin() })
    .batch(set, item)
}

test('concurrent items share a transaction, sorted by key, and each gets its own outcome', async () => {
  const { set, flushes, transactions } = adder()
  const outcomes = await Promise.all([
    batch(set, { name: 'c', n: 3 }),
    batch(set, { name: 'a', n: 1 }),
    orRefusal(() => batch(set, { name: 'none', n: 0 })),
    batch(set, { name: 'b', n: 2 }),
  ])
  assert.equal(flushes.length, 1)
  assert.equal(transactions.size, 1)
  assert.deepEqual(
    flushes[0]?.map((item) => item.name),
    ['a', 'b', 'c', 'none'],
  )
  assert.deepEqual(
    outcomes.map((outcome) => (typeof outcome === 'number' ? outcome : outcome.code)),
    [3, 1, 'conflict', 2],
  )
})

test('items with the same key are passed to the same flush', async () => {
  const { set, flushes } = adder({
    save: async (_tx, items) => {
      flushes.push(items)
      return items.map((item) => item.n)
    },
  })
  await Promise.all([1, 2].map((n) => batch(set, { name: 'x', n })))
  assert.deepEqual(
    flushes.map((items) => items.length),
    [2],
  )
})

test('a large item is written in its own flush, one at a time', async () => {
  let writing = 0
  let most = 0
  const { set, flushes } = adder({
    bytesOf: ({ n }) => n,
    async save(_tx, items) {
      flushes.push(items)
      most = Math.max(most, ++writing)
      await sleep(5)
      writing--
      return items.map(({ n }) => n)
    },
  })
  const sizes = [64_000, 1, 70_000, 63_999, 500_000]
  const outcomes = await Promise.all(sizes.map((n) => batch(set, { name: `of ${n}`, n })))
  assert.deepEqual(outcomes, sizes)
  const together = flushes.map((items) => items.map(({ n }) => n).toSorted((a, b) => a - b))
  assert.deepEqual(
    together.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
    [[1, 63_999], [64_000], [70_000], [500_000]],
  )
  assert.ok(most <= 2, 'the small ones beside one large one')
})

test('a failing item fails alone, and the other items of its flush are saved once', async () => {
  const { set } = adder()
  const outcomes = await Promise.allSettled([
    batch(set, { name: 'neighbour-1', n: 1 }),
    batch(set, { name: 'bad', n: -1 }),
    batch(set, { name: 'neighbour-2', n: 2 }),
  ])
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
    [1, 'failed', 2],
  )
})

test('a flush whose optimistic assumption fails is repeated as a whole without it', async () => {
  const asked: [string[], boolean | undefined][] = []
  const { set } = adder()
  const hopeful: typeof set = {
    ...set,
    async save(tx, items, now, optimistic) {
      asked.push([items.map((item) => item.name), optimistic])
      const outcomes = await set.save(tx, items, now)
      if (optimistic) await tx.pipelined.run(sql`select 1 / 0`)
      return outcomes
    },
  }
  const outcomes = await Promise.all([
    batch(hopeful, { name: 'hope-1', n: 1 }),
    batch(hopeful, { name: 'hope-2', n: 2 }),
  ])
  assert.deepEqual(outcomes, [1, 2])
  const both = ['hope-1', 'hope-2']
  assert.deepEqual(asked, [
    [both, true],
    [both, false],
  ])
  // The next batches are not optimistic either, nor is one that runs alone under a key.
  assert.equal(await batch(hopeful, { name: 'hope-1', n: 3 }), 4)
  assert.deepEqual(asked.at(-1), [['hope-1'], false])
  assert.equal(await batch(hopeful, { name: 'hope-3', n: 3 }, 'hope'), 3)
  assert.deepEqual(asked.at(-1), [['hope-3'], false])
})

test('an item that waits for a lock does not delay other items', async () => {
  const { set } = adder()
  await batch(set, { name: 'locked', n: 1 })
  const locked = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const holder = database.db.tx(async (tx) => {
    await tx.run(sql`update counts set n = n where name = 'locked'`)
    locked.resolve()
    await letGo.promise
  })
  await locked.promise
  let waiting = true
  const held = batch(set, { name: 'locked', n: 10 }).finally(() => {
    waiting = false
  })
  const beside = batch(set, { name: 'beside', n: 5 })
  assert.equal(await beside, 5)
  assert.equal(await batch(set, { name: 'later', n: 6 }), 6)
  assert.ok(waiting)
  letGo.resolve()
  await holder
  assert.equal(await held, 11)
})

test('an item with an idempotency key is saved by the same function, once', async () => {
  const { set, flushes } = adder()
  const item = { name: 'keyed', n: 7 }
  assert.equal(await batch(set, item, 'key'), 7)
  assert.equal(await batch(set, item, 'key'), 7)
  assert.equal(flushes.length, 1)
})

test('a refused item frees its idempotency key', async () => {
  const { set } = adder()
  await assert.rejects(batch(set, { name: 'zero', n: 0 }, 'zero'), { code: 'conflict' })
  await assert.rejects(batch(set, { name: 'zero', n: 0 }, 'zero'), { code: 'conflict' })
  const { n } = await database.db.one<{ n: number }>(
    sql`select count(*) as n from idempotency_keys where key = 'zero'`,
  )
  assert.equal(n, 0)
})

test('a flush that fails with a deadlock is run again', async () => {
  let runs = 0
  const { set } = adder()
  const flaky: typeof set = {
    ...set,
    save: async (tx, items, now) => {
      const outcomes = await set.save(tx, items, now)
      if (++runs === 1) {
        await tx.run(sql`do $$ begin raise exception using errcode = '40P01'; end $$`)
      }
      return outcomes
    },
  }
  const outcomes = await Promise.all([
    batch(flaky, { name: 'd1', n: 1 }),
    batch(flaky, { name: 'd2', n: 1 }),
  ])
  assert.deepEqual(outcomes, [1, 1])
  assert.equal(runs, 2)
})
