import assert from 'node:assert/strict'
import net from 'node:net'
import { after, test } from 'node:test'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import {
  authenticationOk,
  oneRow,
  readyForQuery,
} from '../../../../tests/support/postgres/fake-postgres.ts'
import { setReadOnly } from '../../../../tests/support/postgres/read-only.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { openDatabase, sql } from '../db/db.ts'
import { openPostgres } from './open.ts'

const open = (databaseUrl: string, log = silentLog) =>
  openPostgres({ dataDir: '/dev/null', databaseUrl, log })

const { connection, drop } = await testDatabase()
after(drop)
const socket = encodeURIComponent(String(connection.host))
const url = (user: string, database: string) =>
  `postgres://${user}:p%40ss-word@/${database}?host=${socket}`

/** Asserts that the URL is refused with these words, and never with the password. */
function assertRefused(databaseUrl: string, words: RegExp): Promise<void> {
  return assert.rejects(open(databaseUrl), (error: Error) => {
    assert.equal(error.name, 'StartError')
    assert.match(error.message, words)
    assert.doesNotMatch(error.message, /p%40ss|p@ss|ss-word/)
    return true
  })
}

test('DATABASE_URL is used as it is, and its server is not stopped', async () => {
  const postgres = await open(url('crier', String(connection.database)))
  assert.equal(postgres.kind, 'url')
  const db = openDatabase(postgres)
  assert.deepEqual(await db.one(sql`select current_database() as name`), {
    name: connection.database,
  })
  await db.end()
  await postgres.stop()
  const again = await open(url('crier', String(connection.database)))
  await again.stop()
})

test('a server that may lose acknowledged transactions is used with a warning', async () => {
  const warned: unknown[] = []
  const log = {
    ...silentLog,
    warn: (fields: unknown, name?: string) => warned.push([fields, name]),
  }
  await open(url('crier', String(connection.database)), log)
  // The test server runs without fsync.
  assert.deepEqual(warned, [[{ fsync: 'off', commit: 'off' }, 'database.not_durable']])
})

test('a server older than PostgreSQL 15 is refused, and the error contains its version', async () => {
  const old = net.createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticationOk, readyForQuery]))
      const version = { version: '14.9', number: '140009', fsync: 'on', commit: 'on' }
      socket.once('data', () => socket.end(oneRow(version)))
    })
  })
  await new Promise((listening) => old.listen(0, '127.0.0.1', () => listening(null)))
  after(() => old.close())
  const { port } = old.address() as net.AddressInfo
  await assertRefused(`postgres://a:p%40ss-word@127.0.0.1:${port}/db`, /is PostgreSQL 14\.9; .* 15/)
})

test('the error for a URL that is not a PostgreSQL URL shows the expected form', async () => {
  await assertRefused(
    'mysql://a:p%40ss-word@localhost/db',
    /must be postgres:\/\/user:password@host/,
  )
  await assertRefused('p%40ss-word', /must be postgres:\/\//)
  await assertRefused('postgres://a:p%40ss-word@localhost:port/db', /must be postgres:\/\//)
})

test('the error for a missing database names it, and a refused user or password is reported', async () => {
  await assertRefused(url('crier', 'nowhere'), /nowhere.*no such database.*Create it/)
  await assertRefused(url('nobody_here', 'x'), /rejects the user or password/)
})

test('the error for an unreachable server says that the host has no address or that nothing listens', async () => {
  await assertRefused('postgres://a:p%40ss-word@host.invalid/db', /host\.invalid.*has no address/)
  const free = net.createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => free.once('listening', listening))
  const { port } = free.address() as net.AddressInfo
  await new Promise((closed) => free.close(closed))
  await assertRefused(`postgres://a:p%40ss-word@127.0.0.1:${port}/db`, /nothing listens there/)
})

test('a server that does not speak PostgreSQL is reported with the driver’s error', async () => {
  const other = net.createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await new Promise((listening) => other.listen(0, '127.0.0.1', () => listening(null)))
  after(() => other.close())
  const { port } = other.address() as net.AddressInfo
  await assertRefused(
    `postgres://a:p%40ss-word@127.0.0.1:${port}/db`,
    /the server cannot be used: /,
  )
})

test('a database that cannot hold every character stops the start', async () => {
  const latin = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticationOk, readyForQuery]))
      const row = { version: '16.1', number: '160001', fsync: 'on', commit: 'on' }
      socket.on('data', () => {
        socket.write(oneRow({ ...row, readOnly: 'off', encoding: 'LATIN1' }))
      })
    })
  })
  await new Promise<void>((go) => latin.listen(0, '127.0.0.1', go))
  after(() => latin.close())
  const { port } = latin.address() as net.AddressInfo
  await assertRefused(
    `postgres://crier@127.0.0.1:${port}/names`,
    /names of DATABASE_URL has the encoding LATIN1.*encoding 'UTF8' template template0/,
  )
})

test('a read-only database stops the start, and the error says how to make it writable', async () => {
  const name = String(connection.database)
  await setReadOnly(connection, true)
  try {
    await assertRefused(
      url('crier', name),
      /is read-only\. Set default_transaction_read_only = off/,
    )
  } finally {
    await setReadOnly(connection, false)
  }
  await (await open(url('crier', name))).stop()
})
