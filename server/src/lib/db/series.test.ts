import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { collectGarbage } from '../../../../tests/support/processes/collect-garbage.ts'
import { openDatabase, sql } from './db.ts'
import type { Tx } from './types.ts'

const { db: other, connection, drop } = await testDatabase()
// With one connection, what a series leaves behind meets whoever comes next.
const db = openDatabase({ connection, poolSize: 1 })
after(async () => {
  await db.end()
  await drop()
})
before(async () => {
  await other.run(sql`create table marks (n int primary key)`)
  await other.run(
    sql`create table late (n int unique deferrable initially deferred, place int default 0)`,
  )
})

const put = (tx: Tx, n: number) => tx.run(sql`insert into marks values (${n})`)
const marks = async () => {
  const rows = await other.all<{ n: number }>(sql`select n from marks order by n`)
  return rows.map(({ n }) => n)
}
const noMarks = () => other.run(sql`truncate marks, late`)

test('transactions of a series commit in order, each upon what the one before it left', async () => {
  await noMarks()
  const acts: string[] = []
  const seen = await db.series(async (begin) => {
    const counted: number[] = []
    for (const n of [1, 2, 3]) {
      const { sent, committed } = begin(async (tx) => {
        tx.afterCommit(() => acts.push(`after ${n}`))
        const { count } = await tx.one<{ count: number }>(sql`select count(*)::int from marks`)
        await put(tx.pipelined, n)
        counted.push(count)
      })
      await sent
      void committed.then(() => acts.push(`committed ${n}`))
    }
    return counted
  })
  assert.deepEqual(seen, [0, 1, 2])
  assert.deepEqual(await marks(), [1, 2, 3])
  assert.deepEqual(acts, [
    'after 1',
    'committed 1',
    'after 2',
    'committed 2',
    'after 3',
    'committed 3',
  ])
})

test('a transaction begins before the commit of the one before it is answered', async () => {
  await noMarks()
  await db.series(async (begin) => {
    let isCommitted = false
    const first = begin((tx) => put(tx.pipelined, 1))
    void first.committed.then(() => {
      isCommitted = true
    })
    await first.sent
    let wasCommitted = true
    const second = begin(async (tx) => {
      const writing = put(tx, 2)
      wasCommitted = isCommitted
      await writing
    })
    await second.committed
    assert.equal(wasCommitted, false)
  })
  assert.deepEqual(await marks(), [1, 2])
})

test('if a pipelined write fails, its transaction alone is lost', async () => {
  await noMarks()
  await db.series(async (begin) => {
    const failing = begin(async (tx) => {
      tx.afterCommit(() => assert.fail('acted after no commit'))
      await put(tx, 1)
      await put(tx.pipelined, 1)
    })
    await failing.sent
    const next = begin((tx) => put(tx, 2))
    await next.sent
    const last = begin((tx) => put(tx, 3))
    await assert.rejects(failing.committed, { code: '23505' })
    await next.committed
    await last.committed
  })
  assert.deepEqual(await marks(), [2, 3])
  await db.tx((tx) => put(tx, 4))
})

test('a commit that fails by itself leaves the transaction behind it as it is', async () => {
  await noMarks()
  await db.series(async (begin) => {
    const failing = begin(async (tx) => {
      await put(tx, 1)
      await tx.run(sql`insert into late (n) values (1), (1)`)
    })
    await failing.sent
    const next = begin(async (tx) => {
      await put(tx, 2)
      // By now the failure of the commit has been answered, and handled.
      await assert.rejects(failing.committed, { code: '23505' })
      await put(tx, 3)
      throw new Error('rolled back whole')
    })
    await assert.rejects(next.committed, /rolled back whole/)
  })
  assert.deepEqual(await marks(), [])
  await db.tx((tx) => put(tx, 4))
})

test('work that throws is rolled back, and the body decides what follows', async () => {
  await noMarks()
  const broken = db.series(async (begin) => {
    const failing = begin(async (tx) => {
      await put(tx, 1)
      throw new Error('of the work')
    })
    await assert.rejects(failing.sent, /of the work/)
    await begin((tx) => put(tx, 2)).committed
    begin((tx) => put(tx, 3))
    throw new Error('of the body')
  })
  await assert.rejects(broken, /of the body/)
  // The last one was waited for.
  assert.deepEqual(await marks(), [2, 3])
})

test('a connection that ends fails the series, and is not used again', async () => {
  await noMarks()
  const ending = db.series(async (begin) => {
    const first = begin(async (tx) => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await put(tx, 1)
      await other.run(sql`select pg_terminate_backend(${pid})`)
      await put(tx, 2)
    })
    await first.committed
  })
  await assert.rejects(ending)
  assert.deepEqual(await marks(), [])
  await db.tx((tx) => put(tx, 4))
})

test('what a transaction needed for its work takes no memory while it commits', async () => {
  await noMarks()
  await db.series(async (begin) => {
    const beginOne = () => {
      const needed = { n: 1 }
      const ref = new WeakRef(needed)
      const begun = begin(async (tx) => {
        await put(tx, needed.n)
        await tx.pipelined.run(sql`select pg_sleep(0.3)`)
      })
      return { ref, ...begun }
    }
    const { ref, sent, committed } = beginOne()
    let isCommitted = false
    void committed.then(() => {
      isCommitted = true
    })
    await sent
    await sleep(50)
    collectGarbage()
    assert.deepEqual([isCommitted, ref.deref()], [false, undefined])
    await committed
  })
  assert.deepEqual(await marks(), [1])
})
