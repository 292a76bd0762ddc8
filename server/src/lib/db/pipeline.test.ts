import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { collectGarbage } from '../../../../tests/support/processes/collect-garbage.ts'
import { openDatabase, sql } from './db.ts'
import type { Database, Tx } from './types.ts'

const { connection, drop } = await testDatabase()
let db: Database

// A single connection, so that its prepared statements are known to the later calls.
before(async () => {
  db = openDatabase({ connection, poolSize: 1 })
  await db.run(sql`create table steps (n int primary key, day date, big bigint)`)
})
after(async () => {
  await db.end()
  await drop()
})

const put = (tx: Tx, n: number) => tx.run(sql`insert into steps (n) values (${n})`)
const outcomes = async (all: Promise<unknown>[]) =>
  (await Promise.allSettled(all)).map((result) =>
    result.status === 'fulfilled' ? result.value : result.reason.code,
  )

test('of statements sent together, those before a failed one succeed and those after it fail', async () => {
  let together: unknown[] = []
  const failing = db.tx(async (tx) => {
    together = await outcomes([put(tx, 1), put(tx, 2), put(tx, 1), put(tx, 3)])
  })
  await assert.rejects(failing, /nothing was committed/)
  assert.deepEqual(together, [1, 1, '23505', '23505'])
  assert.deepEqual(await db.all(sql`select n from steps`), [])
})

test('a failed statement stays prepared, and one that was never run is prepared when it is next used', async () => {
  const late = (tx: Tx) => tx.one(sql`select 'late' as word`)
  const wrong = (tx: Tx, n: number) => tx.one(sql`select 1 / ${n}::int as n`)
  for (const n of [0, 0]) {
    const failing = db.tx((tx) => Promise.all([wrong(tx, n), late(tx)]))
    await assert.rejects(failing, { code: '22012' })
  }
  assert.deepEqual(await db.tx((tx) => Promise.all([wrong(tx, 1), late(tx)])), [
    { n: 1 },
    { word: 'late' },
  ])
})

test('a value that cannot be encoded fails its statement and those after it', async () => {
  const never = new Date(Number.NaN)
  const onDay = (tx: Tx, n: number) =>
    tx.run(sql`insert into steps (n, day) values (${n}, ${never})`)
  let together: string[] = []
  const failing = db.tx(async (tx) => {
    const all = [put(tx, 4), onDay(tx, 5), put(tx, 6)]
    together = (await Promise.allSettled(all)).map(({ status }) => status)
    await Promise.all(all)
  })
  await assert.rejects(failing, RangeError)
  assert.deepEqual(together, ['fulfilled', 'rejected', 'rejected'])
  assert.deepEqual(await db.all(sql`select n from steps`), [])
})

test('a row that cannot be decoded fails its own statement only', async () => {
  const big = (n: string) => sql`select ${n}::bigint as n`
  const read = await db.tx((tx) =>
    Promise.allSettled([tx.one(big('9007199254740993')), tx.one(big('7'))]),
  )
  assert.deepEqual(
    read.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.deepEqual(await db.one(big('8')), { n: 8 })
})

test('rows are read the same the first time and later, whatever their column types', async () => {
  const at = new Date('2026-11-20T10:00:00.123Z')
  const look = () =>
    db.one(sql`
      select 1 as n, null::int as none, '2026-11-20'::date as day, ${at}::timestamptz as at,
        array['a', null] as list, '{"a": [1]}'::jsonb as json, '\\x0102'::bytea as bytes, true as yes
    `)
  const expected = {
    n: 1,
    none: null,
    day: '2026-11-20',
    at,
    list: ['a', null],
    json: { a: [1] },
    bytes: Buffer.from([1, 2]),
    yes: true,
  }
  for (const _ of [1, 2, 3]) assert.deepEqual(await look(), expected)
})

test('values of every type are sent correctly, alone and in arrays', async () => {
  const at = new Date('2026-11-20T10:00:00.123Z')
  const bytes = new Uint8Array([0, 34, 92, 255])
  const back = await db.one(sql`
    select ${'"\\'}::text as text, ${1.5}::float8 as n, ${false}::bool as no, ${null}::int as none,
      ${{ a: '"' }}::jsonb as json, ${bytes}::bytea as bytes,
      ${['"', '\\', null, 'NULL', '']}::text[] as texts, ${[at, null]}::timestamptz[] as times,
      ${[bytes]}::bytea[] as "listOfBytes", ${[[1, 2], [3, 4]]}::int[] as grid, ${[]}::int[] as empty
  `)
  assert.deepEqual(back, {
    text: '"\\',
    n: 1.5,
    no: false,
    none: null,
    json: { a: '"' },
    bytes: Buffer.from(bytes),
    texts: ['"', '\\', null, 'NULL', ''],
    times: [at, null],
    listOfBytes: [Buffer.from(bytes)],
    grid: [
      [1, 2],
      [3, 4],
    ],
    empty: [],
  })
})

test('a statement whose commit fails is reported as failed', async () => {
  await db.run(sql`create table late (n int unique deferrable initially deferred)`)
  // The commit checks the constraint after the insert's reply, so the query must still fail.
  await assert.rejects(db.run(sql`insert into late values (1), (1)`), { code: '23505' })
  assert.equal(await db.run(sql`insert into late values (1), (2)`), 2)
})

test('the values of a statement take no memory once it is sent', async () => {
  const found = await db.tx(async (tx) => {
    const sendOne = async () => {
      const bytes = Buffer.alloc(100_000)
      await tx.pipelined.run(sql`select pg_sleep(0.3), ${bytes}::bytea`)
      return new WeakRef(bytes)
    }
    const ref = await sendOne()
    let isAnswered = false
    const answered = tx.one(sql`select 1 as one`).then(() => {
      isAnswered = true
    })
    await sleep(50)
    collectGarbage()
    const found = { isAnswered, isHeld: ref.deref() !== undefined }
    await answered
    return found
  })
  assert.deepEqual(found, { isAnswered: false, isHeld: false })
})
