import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { refuse } from '../../core/errors.ts'
import { openDatabase, replanned, sql } from './db.ts'
import type { Tx } from './types.ts'

const { db, connection, drop } = await testDatabase()
after(drop)
before(() => db.run(sql`create table marks (n int primary key)`))

const put = (tx: Tx, n: number) => tx.run(sql`insert into marks values (${n})`)
const has = async (n: number) =>
  (await db.maybe(sql`select from marks where n = ${n}`)) !== undefined

test('statements run in the order of their calls, whichever is awaited first', async () => {
  await db.tx(async (tx) => {
    const order: number[] = []
    const add = async (n: number) => {
      await put(tx, n)
      order.push(n)
    }
    const seen = tx.one<{ n: number }>(sql`select count(*)::int as n from marks`)
    const added = [add(1), add(2)]
    const seenAfter = tx.one<{ n: number }>(sql`select count(*)::int as n from marks`)
    await Promise.all(added)
    assert.deepEqual(order, [1, 2])
    assert.deepEqual([(await seen).n, (await seenAfter).n], [0, 2])
  })
})

test('a pipelined write returns no count, and is committed with the rest', async () => {
  await db.tx(async (tx) => {
    assert.equal(await put(tx.pipelined, 10), 0)
    assert.equal(
      (await tx.pipelined.maybe(sql`select from marks where n = 10`)) !== undefined,
      true,
    )
  })
  assert.ok(await has(10))
})

test('if a pipelined write fails, its transaction fails and afterCommit does not run', async () => {
  let told = false
  const failing = db.tx(async (tx) => {
    tx.afterCommit(() => {
      told = true
    })
    await put(tx, 20)
    await put(tx.pipelined, 20)
    await put(tx.pipelined, 21)
  })
  await assert.rejects(failing, { code: '23505' })
  assert.deepEqual([await has(20), await has(21), told], [false, false, false])
  // The connection is as usable as a new one.
  await db.tx((tx) => put(tx, 22))
  assert.ok(await has(22))
})

test('a failed transaction reports the first error', async () => {
  const waiting = db.tx(async (tx) => {
    await put(tx, 25)
    await put(tx.pipelined, 25)
    await turnOfLoop()
    await put(tx, 26)
  })
  await assert.rejects(waiting, { code: '23505' })
  const going = db.tx(async (tx) => {
    await put(tx, 25)
    await put(tx.pipelined, 25)
    await turnOfLoop()
    await put(tx.pipelined, 26)
  })
  await assert.rejects(going, { code: '23505' })
  // The deadlock keeps its error code, so the transaction runs again.
  let runs = 0
  await db.tx(async (tx) => {
    await put(tx, 27)
    if (++runs > 1) return
    await tx.pipelined.run(sql`do $$ begin raise exception using errcode = '40P01'; end $$`)
    await turnOfLoop()
    await put(tx, 28)
  })
  assert.deepEqual([runs, await has(27), await has(28)], [2, true, false])
})

test('a refusal rolls back pipelined writes', async () => {
  await db.tx(async (tx) => {
    await put(tx.pipelined, 30)
    return refuse('conflict', 'no')
  })
  assert.equal(await has(30), false)
})

test('a statement waits for a row lock only as long as lockWaitMs', async () => {
  await db.tx((tx) => put(tx, 40))
  const held = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const holder = db.tx(async (tx) => {
    await tx.all(sql`select from marks where n = 40 for update`)
    holding.resolve()
    await held.promise
  })
  await holding.promise
  const waiter = db.tx((tx) => tx.all(sql`select from marks where n = 40 for update`), {
    lockWaitMs: 20,
  })
  await assert.rejects(waiter, { code: '55P03' })
  held.resolve()
  await holder
  const [{ wait }] = (await db.all<{ wait: string }>(
    sql`select current_setting('lock_timeout') as wait`,
  )) as [{ wait: string }]
  assert.equal(wait, '0')
})

/** A proxy between driver and server that counts the driver's writes and can break \`begin\`. */
async function between() {
  const { host, port } = connection as { host: string; port: number }
  const seen = { chunks: 0 }
  const refused = { begin: false }
  const server = net.createServer((inner) => {
    const outer = host.startsWith('/')
      ? net.connect(path.join(host, `.s.PGSQL.${port ?? 5432}`))
      : net.connect(port, host)
    inner.on('data', (chunk) => {
      seen.chunks++
      // A replacement of the same length that is no statement, so the server answers with an error.
      const text = refused.begin ? chunk.toString('latin1').replace('begin', 'bogus') : undefined
      outer.write(text === undefined ? chunk : Buffer.from(text, 'latin1'))
    })
    outer.pipe(inner)
    inner.on('error', () => outer.destroy())
    outer.on('error', () => inner.destroy())
    inner.on('close', () => outer.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: ownPort } = server.address() as AddressInfo
  const own = openDatabase({
    connection: { ...connection, host: '127.0.0.1', port: ownPort },
    poolSize: 1,
  })
  return {
    db: own,
    seen,
    refused,
    async close() {
      await own.end()
      server.close()
    },
  }
}

test('begin with the first read, further reads, and the final writes take three round trips', async () => {
  const line = await between()
  try {
    await line.db.run(sql`select 1`)
    line.seen.chunks = 0
    await line.db.tx(async (tx) => {
      await tx.all(sql`select n from marks`)
      await Promise.all([put(tx, 50), put(tx, 51)])
      await put(tx.pipelined, 52)
      await put(tx.pipelined, 53)
    })
    assert.equal(line.seen.chunks, 3)
  } finally {
    await line.close()
  }
})

test('after a failed begin nothing is written, neither early nor late', async () => {
  const line = await between()
  try {
    await line.db.run(sql`select 1`)
    line.refused.begin = true
    const failing = line.db.tx(async (tx) => {
      await tx.all(sql`select n from marks`).catch(() => {})
      const early = put(tx, 60).catch(() => {})
      await early
      await put(tx, 61)
    })
    await assert.rejects(failing, { code: '42601' })
    assert.deepEqual([await has(60), await has(61)], [false, false])
  } finally {
    await line.close()
  }
})

test('a replanned statement is planned anew for its first 500 runs, and then prepared', async () => {
  const line = await between()
  try {
    const look = (n: number) => sql`select from marks where n = ${n} limit 1`
    const kept = async () =>
      (await line.db.all(sql`select from pg_prepared_statements where statement like '%limit 1'`))
        .length
    for (let n = 0; n < 500; n++) await line.db.all(replanned(look(n)))
    assert.equal(await kept(), 0)
    await line.db.all(replanned(look(0)))
    assert.equal(await kept(), 1)
  } finally {
    await line.close()
  }
})

test('the connections of a pool count the runs of a statement together', async () => {
  const two = openDatabase({ connection, poolSize: 2 })
  try {
    const look = () => two.all(replanned(sql`select from marks where n = 0 limit 2`))
    const kept = () =>
      two.one<{ n: number }>(sql`
        select count(*)::int as n, min(pg_sleep(0.05)::text) as both_are_busy
        from pg_prepared_statements where statement like '%limit 2'
      `)
    for (let n = 0; n < 250; n++) await Promise.all([look(), look()])
    assert.deepEqual(
      (await Promise.all([kept(), kept()])).map(({ n }) => n),
      [0, 0],
    )
    await Promise.all([look(), look()])
    assert.deepEqual(
      (await Promise.all([kept(), kept()])).map(({ n }) => n),
      [1, 1],
    )
  } finally {
    await two.end()
  }
})
