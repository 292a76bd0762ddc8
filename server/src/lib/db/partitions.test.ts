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

test('a week of days is made ahead, across the end of a month, and once', async () => {
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

test('nothing is moved under a reader that has chosen its partitions', async () => {
  await add(1, now)
  await database.db.tx(async (tx) => {
    // As far as a statement is that waits for its turn at the default partition.
    await tx.run(sql`lock table only readings in access share mode`)
    await assert.rejects(keepPartitions(database.db, table, now), { code: '55P03' })
  })
  assert.deepEqual(await whereAll(), [{ id: 1, table: 'readings_default' }])
})

test('months are named by month', async () => {
  const { made } = await keepPartitions(database.db, { ...table, step: 'month' }, now)
  assert.deepEqual(made, ['readings_202611', 'readings_202612', 'readings_202701'])
})

test('rows that came before their partition are moved into it', async () => {
  await add(1, now)
  await add(2, later(now, days(30)))
  await keepPartitions(database.db, table, now)
  assert.deepEqual(await whereAll(), [
    { id: 1, table: 'readings_20261128' },
    { id: 2, table: 'readings_default' },
  ])
})

test('a day is dropped once it lies wholly beyond what is kept', async () => {
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

test('rows written while partitions are made are all kept', async () => {
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

test('a table of somebody else is never dropped', async () => {
  await database.db.run(sql`
    create table readings_20200101_notes partition of readings
    for values from ('2020-01-01') to ('2020-01-02')
  `)
  const { dropped } = await keepPartitions(database.db, table, now)
  assert.deepEqual(dropped, [])
})
