import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import {
  authenticationOk,
  fatal,
  readyForQuery,
} from '../../../../tests/support/postgres/fake-postgres.ts'
import { openDatabase, sql } from './db.ts'
import type { Tx } from './types.ts'

const { db, connection, drop } = await testDatabase()
after(drop)
before(() => db.run(sql`create table words (n int primary key, word text)`))

const folder = mkdtempSync(path.join(tmpdir(), 'crier-db-'))
after(() => rmSync(folder, { recursive: true }))

const pidOf = async (on: Pick<Tx, 'one'>) =>
  (await on.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid
const code = (wanted: string) => (error: Error & { code?: string }) => error.code === wanted

/** A socket of ours in place of the server's. */
async function listen(server: net.Server, name: string): Promise<string> {
  const host = path.join(folder, name)
  mkdirSync(host)
  await new Promise<void>((listening) => server.listen(path.join(host, '.s.PGSQL.5432'), listening))
  after(() => server.close())
  return host
}

test('a unique violation keeps its connection, and a broken connection is discarded', async () => {
  const single = openDatabase({ connection, poolSize: 1 })
  await single.run(sql`insert into words values (40, 'x')`)
  const pid = await pidOf(single)
  await assert.rejects(single.run(sql`insert into words values (40, 'x')`), code('23505'))
  await assert.rejects(
    single.tx((tx) => tx.run(sql`insert into words values (40, 'x')`)),
    code('23505'),
  )
  assert.equal(await pidOf(single), pid)
  await assert.rejects(single.run(sql`select pg_terminate_backend(${pid})`), code('57P01'))
  assert.notEqual(await pidOf(single), pid)
  await single.end()
})

test('a transaction whose connection dies fails once, and is not repeated', async () => {
  let runs = 0
  const dying = db.tx(async (tx) => {
    runs++
    await tx.run(sql`insert into words values (50, 'x')`)
    const pid = await pidOf(tx)
    await db.run(sql`select pg_terminate_backend(${pid})`)
    await tx.run(sql`select 1`)
  })
  await assert.rejects(dying)
  assert.equal(runs, 1)
  assert.equal(await db.maybe(sql`select 1 from words where n = 50`), undefined)
})

test('a commit whose response is lost is reported as an error, and not repeated', async () => {
  const proxy = net.createServer((near) => {
    const far = net.connect(path.join(String(connection.host), '.s.PGSQL.5432'))
    let committing = false
    near.on('data', (data) => {
      committing ||= data.includes('commit')
      far.write(data)
    })
    far.on('data', (data) => {
      if (committing) near.destroy()
      else near.write(data)
    })
    near.on('error', () => {})
    near.on('close', () => far.end())
  })
  const host = await listen(proxy, 'proxy')
  const through = openDatabase({ connection: { ...connection, host } })
  let runs = 0
  const losing = through.tx((tx) => {
    runs++
    return tx.run(sql`insert into words values (60, 'x')`)
  })
  await assert.rejects(losing, /Connection terminated/)
  assert.equal(runs, 1)
  assert.deepEqual(await db.all(sql`select n from words where n = 60`), [{ n: 60 }])
  await through.end()
})

test('a connection that breaks when it is handed out fails its statement, not the process', async () => {
  const greeting = Buffer.concat([authenticationOk, readyForQuery, fatal('57P01', 'going down')])
  const dying = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(greeting))
  })
  const host = await listen(dying, 'dying')
  const through = openDatabase({ connection: { ...connection, host } })
  await assert.rejects(through.run(sql`select 1`), /connection error|going down|terminated/)
  await through.end()
})

test('callers wait where a killed server ended the connection before it answered', async () => {
  let ended = 0
  const server = net.createServer((near) => {
    near.on('error', () => {})
    // Before the greeting, which is then written to a closed socket, and after it.
    if (ended < 2) return ended++ === 0 ? near.destroy() : near.once('data', () => near.end())
    const far = net.connect(path.join(String(connection.host), '.s.PGSQL.5432'))
    far.on('error', () => near.destroy())
    near.pipe(far).pipe(near)
    return near
  })
  const host = await listen(server, 'killed')
  const through = openDatabase({ connection: { ...connection, host } })
  assert.equal(await through.run(sql`select 1`), 1)
  assert.equal(ended, 2)
  await through.end()
})

test('callers wait for a database server that is restarting', async () => {
  const proxy = net.createServer((near) => {
    const far = net.connect(path.join(String(connection.host), '.s.PGSQL.5432'))
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  })
  const host = path.join(folder, 'late')
  const through = openDatabase({ connection: { ...connection, host } })
  const waiting = through.one(sql`select 1 as one`)
  await listen(proxy, 'late')
  assert.deepEqual(await waiting, { one: 1 })
  await through.end()
  const impatient = openDatabase({
    connection: { ...connection, host: folder },
    restartPatience: 0,
  })
  await assert.rejects(impatient.run(sql`select 1`), code('ENOENT'))
  await impatient.end()
})
