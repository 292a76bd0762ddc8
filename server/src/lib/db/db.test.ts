import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { refuse } from '../../core/errors.ts'
import { openDatabase, sql } from './db.ts'
import type { Tx } from './types.ts'

const { db, connection, drop } = await testDatabase()
after(drop)
before(() => db.run(sql`create table words (n int primary key, word text)`))

const count = async () => (await db.one<{ n: number }>(sql`select count(*)::int as n from words`)).n
const code = (wanted: string) => (error: Error & { code?: string }) => error.code === wanted

test('a statement is prepared once for each connection and reused', async () => {
  await db.tx(async (tx) => {
    const find = (n: number) => tx.maybe(sql`select word from words where n = ${n}`)
    for (const n of [1, 2, 3]) await find(n)
    const uses = await tx.all<{ uses: number }>(sql`
      select (generic_plans + custom_plans)::int as uses from pg_prepared_statements
      where statement like 'select word from words where n = $1'
    `)
    assert.deepEqual(uses, [{ uses: 3 }])
  })
})

test('values are sent as parameters, whatever they contain', async () => {
  const word = `'; drop table words; --`
  assert.deepEqual(await db.one(sql`select ${word}::text as word`), { word })
})

test('one() requires exactly one row, and its error does not contain the values', async () => {
  await assert.rejects(db.one(sql`select ${'secret'}::text where false`), (error: Error) => {
    assert.match(error.message, /expected one row, got 0: select \$1::text/)
    return !error.message.includes('secret')
  })
  await assert.rejects(db.one(sql`select generate_series(1, 2)`), /expected one row, got 2/)
  assert.equal(await db.maybe(sql`select 1 where false`), undefined)
})

test('counts are numbers, and a count too large for a number is an error', async () => {
  assert.deepEqual(await db.one(sql`select 9007199254740991::int8 as n, count(*) as rows`), {
    n: Number.MAX_SAFE_INTEGER,
    rows: 1,
  })
  await assert.rejects(db.one(sql`select 9007199254740992::int8 as n`), RangeError)
})

test('a date is returned as text and a timestamp as a Date, in any time zone', async () => {
  const at = new Date('2026-11-20T23:30:00.123Z')
  const row = await db.one(sql`select ${at}::timestamptz as at, '2026-11-20'::date as day`)
  assert.deepEqual(row, { at, day: '2026-11-20' })
})

test('a transaction commits when it returns, and rolls back when it throws or refuses', async () => {
  const write = (tx: Tx, n: number) => tx.run(sql`insert into words values (${n}, 'x')`)
  const before = await count()
  await db.tx((tx) => write(tx, 10))
  await assert.rejects(
    db.tx(async (tx) => {
      await write(tx, 11)
      throw new Error('mine')
    }),
    /mine/,
  )
  const refusal = await db.tx(async (tx) => {
    await write(tx, 12)
    return refuse('conflict', 'There is one already.')
  })
  assert.equal(refusal.code, 'conflict')
  assert.equal(await count(), before + 1)
})

test('a transaction with a swallowed statement error fails instead of committing', async () => {
  const swallowing = db.tx(async (tx) => {
    await tx.run(sql`insert into words values (20, 'x')`)
    await tx.run(sql`select 1 / 0`).catch(() => {})
  })
  await assert.rejects(swallowing, /nothing was committed/)
  assert.equal(await db.maybe(sql`select 1 from words where n = 20`), undefined)
})

test('a statement after the end of its transaction is refused', async () => {
  const kept = await db.tx(async (tx) => tx)
  await assert.rejects(kept.run(sql`select 1`), /after its transaction had ended/)
})

test('statements sent together run one after another', async () => {
  await db.tx(async (tx) => {
    const rows = await Promise.all([1, 2, 3].map((n) => tx.one(sql`select ${n}::int as n`)))
    assert.deepEqual(rows, [{ n: 1 }, { n: 2 }, { n: 3 }])
  })
})

test('a serialisation failure is retried, at most five times', async () => {
  const failing = (times: number) => {
    let tries = 0
    return async (tx: Tx) => {
      tries++
      if (tries <= times) await tx.run(sql`do $$ begin raise sqlstate '40001'; end $$`)
      return tries
    }
  }
  assert.equal(await db.tx(failing(2)), 3)
  const hopeless = failing(Number.POSITIVE_INFINITY)
  await assert.rejects(db.tx(hopeless), code('40001'))
  assert.equal(await hopeless({ run: async () => 0 } as unknown as Tx), 7)
})

test('two transactions that deadlock both succeed in the end', async () => {
  await db.run(sql`insert into words values (30, ''), (31, '')`)
  const gate = Promise.withResolvers<void>()
  let waiting = 0
  const both = async (first: number, second: number) =>
    db.tx(async (tx) => {
      await tx.run(sql`update words set word = word || 'x' where n = ${first}`)
      if (++waiting === 2) gate.resolve()
      await gate.promise
      await tx.run(sql`update words set word = word || 'x' where n = ${second}`)
    })
  await Promise.all([both(30, 31), both(31, 30)])
  assert.deepEqual(await db.all(sql`select word from words where n in (30, 31)`), [
    { word: 'xx' },
    { word: 'xx' },
  ])
})

test('a migration by another node leaves no connection with a stale plan', async () => {
  const pooled = openDatabase({ connection, poolSize: 4 })
  const find = (on: Pick<Tx, 'all'>) => on.all(sql`select * from words where n = 60`)
  const everywhere = () => Promise.all([1, 2, 3, 4].map(() => find(pooled)))
  await db.run(sql`insert into words values (60, 'x')`)
  await everywhere()
  await db.run(sql`alter table words add column more int`)
  for (const rows of await everywhere()) assert.deepEqual(rows, [{ n: 60, word: 'x', more: null }])
  await db.run(sql`alter table words drop column more`)
  const inTransaction = await pooled.tx((tx) => find(tx))
  assert.deepEqual(inTransaction, [{ n: 60, word: 'x' }])
  await pooled.end()
})
