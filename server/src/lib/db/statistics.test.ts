import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { lookedAt } from '../../../../tests/support/postgres/looks.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { sql } from './db.ts'
import { countGrown, keepCounting } from './statistics.ts'
import type { Database } from './types.ts'

/** Fifty marks, for which a plan that reads all of them is kept, and then many more. */
async function grown(db: Database, many: number): Promise<() => Promise<number>> {
  await db.run(sql`create table marks (id int primary key, at int) with (autovacuum_enabled = off)`)
  await fill(db, 1, 50)
  await db.run(sql`analyze marks`)
  const look = () =>
    db.tx((tx) => lookedAt(tx, 'marks', () => tx.one(sql`select at from marks where id = ${7}`)))
  for (let n = 0; n < 12; n++) await look()
  await fill(db, 51, many)
  return look
}

/** A connection reports its statistics with a delay, or at once when it is forced to. */
async function fill(db: Database, from: number, to: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.run(
      sql`insert into marks select n, n from generate_series(${from}::int, ${to}::int) as n`,
    )
    await tx.run(sql`select pg_stat_force_next_flush()`)
  })
}

test('a table that has grown is analysed, and outdated plans are replaced', async (t) => {
  const { db, drop } = await testDatabase()
  t.after(drop)
  const look = await grown(db, 20_000)
  assert.equal(await look(), 20_000)
  assert.deepEqual(await countGrown(db), ['marks'])
  assert.equal(await look(), 1)
  assert.deepEqual(await countGrown(db), [])
})

test('a table with few rows, or not many more than before, is not analysed', async (t) => {
  const { db, drop } = await testDatabase()
  t.after(drop)
  await grown(db, 999)
  assert.deepEqual(await countGrown(db), [])
  await fill(db, 1000, 1000)
  assert.deepEqual(await countGrown(db), ['marks'])
  await fill(db, 1001, 3999)
  assert.deepEqual(await countGrown(db), [])
  await fill(db, 4000, 4000)
  assert.deepEqual(await countGrown(db), ['marks'])
})

test('keepCounting analyses grown tables by itself', async (t) => {
  const { db, drop } = await testDatabase()
  t.after(drop)
  const look = await grown(db, 20_000)
  const counting = keepCounting(db, silentLog)
  t.after(() => counting.stop())
  assert.equal(await eventually(look, (looked) => looked === 1, 20_000), 1)
})
