import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { days, later } from '../time/clock.ts'
import { sql } from './db.ts'
import { keepPartitions, type PartitionedTable } from './partitions.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const now = new Date('2026-11-28T23:59:59Z')
const table: PartitionedTable = { name: 'readings', column: 'at', step: 'day', keepDays: 3 }

beforeEach(async () => {
  const { db } = database
  await db.run(sql`drop table if exists readings`)
  await db.run(sql`
    create table readings (id integer, at timestamptz not null, primary key (id, at))
    partition by range (at)
  `)
  await db.run(sql`create table readings_default partition of readings default`)
})

const add = (id: number, at: Date) =>
  database.db.run(sql`insert into readings (id, at) values (${id}, ${at})`)

function whereAll(): Promise<{ id: number; table: string }[]> {
  return database.db.all(
    sql`select id, tableoid::regclass::text as table from readings order by id`,
  )
}

test('partitions for a week ahead are created once, across the end of a month', async () => {
  const { made } = await keepPartitions(database.db, table, now)
  assert.deepEqual(made, [
    'readings_20261128',
    'readings_20261129',
    'readings_20261130',
    'readings_20261201',
    'readings_20261202',
    'readings_20261203',
    'readings_20261204',
    'readings_20261205',
  ])
  assert.deepEqual(await keepPartitions(database.db, table, now), { made: [], dropped: [] })
})

test('no rows are moved while a reader has already chosen its partitions', async () => {
  await add(1, now)
  await database.db.tx(async (tx) => {
    // The statement times out while it waits for the lock on the default partition.
    await tx.run(sql`lock table only readings in access share mode`)
    await assert.rejects(keepPartitions(database.db, table, now), { code: '55P03' })
  })
  assert.deepEqual(await whereAll(), [{ id: 1, table: 'readings_default' }])
})

test('monthly partitions are named by month', async () => {
  const { made } = await keepPartitions(database.db, { ...table, step: 'month' }, now)
  assert.deepEqual(made, ['readings_202611', 'readings_202612', 'readings_202701'])
})

test('rows written before their partition existed are moved into it', async () => {
  await add(1, now)
  await add(2, later(now, days(30)))
  await keepPartitions(database.db, table, now)
  assert.deepEqual(await whereAll(), [
    { id: 1, table: 'readings_20261128' },
    { id: 2, table: 'readings_default' },
  ])
})

test('a daily partition is dropped once it is completely beyond the retention', async () => {
  await keepPartitions(database.db, table, now)
  await add(1, now)
  const { dropped: tooEarly } = await keepPartitions(
    database.db,
    table,
    new Date('2026-12-01T23:59:59.999Z'),
  )
  assert.deepEqual(tooEarly, [])
  const { dropped } = await keepPartitions(database.db, table, new Date('2026-12-02T00:00:00Z'))
  assert.deepEqual(dropped, ['readings_20261128'])
  assert.deepEqual(await whereAll(), [])
})

test('no rows written while partitions are created are lost', async () => {
  const { db } = database
  let stop = false
  let written = 0
  const writers = Array.from({ length: 4 }, async (_, w) => {
    for (let i = 0; !stop; i++) {
      await add(w * 1_000_000 + i, later(now, days(i % 10)))
      written++
    }
  })
  const swept = keepPartitions(db, table, now)
    .then(() => keepPartitions(db, table, later(now, days(2))))
    .finally(() => {
      stop = true
    })
  await Promise.all([swept, ...writers])
  assert.equal((await whereAll()).length, written)
})

test('a table that the product did not create is never dropped', async () => {
  await database.db.run(sql`
    create table readings_20200101_notes partition of readings
    for values from ('2020-01-01') to ('2020-01-02')
  `)
  const { dropped } = await keepPartitions(database.db, table, now)
  assert.deepEqual(dropped, [])
})
