import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { temporaryDataDir } from '../../../../tests/support/postgres/data-dir.ts'
import {
  killPostgresProcesses,
  type PostgresProcess,
  postgresProcess,
} from '../../../../tests/support/postgres/postgres-process.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { openDatabase, sql } from '../db/db.ts'
import type { Log } from '../process/log.ts'
import { dataLock, lockHolder } from './locks.ts'
import { openPostgres } from './open.ts'

// The path is so long that the socket is elsewhere, and all processes must agree on its place.
const dataDir = temporaryDataDir({ below: `${'deep/'.repeat(20)}data` })
after(async () => {
  await killPostgresProcesses()
  await dataDir.remove()
})
const lock = dataLock(path.join(dataDir.path, 'postgres', 'data'))

const open = (log: Log = silentLog) =>
  openPostgres({ dataDir: dataDir.path, databaseUrl: undefined, log })

/** The pid of the server, which identifies the running one. */
function serverPid(): number {
  const pid = lockHolder(lock)
  assert.ok(pid, 'a server runs')
  return pid
}

async function startedAt(process: PostgresProcess): Promise<Date> {
  const db = openDatabase(process)
  const { at } = await db.one<{ at: Date }>(sql`select pg_postmaster_start_time() as at`)
  await db.end()
  return at
}

async function allOnOneServer(processes: PostgresProcess[]): Promise<void> {
  const times = await Promise.all(processes.map(startedAt))
  assert.equal(new Set(times.map(Number)).size, 1)
}

test('four simultaneous first starts get the same server, and the last process to leave stops it', async () => {
  const four = await Promise.all([1, 2, 3, 4].map(() => postgresProcess(dataDir.path)))
  await allOnOneServer(four)
  const codes = await Promise.all(four.map((process) => process.leave()))
  assert.deepEqual(codes, [0, 0, 0, 0])
  assert.equal(existsSync(lock), false)
})

test('four simultaneous starts after kill -9 of the server get one new server with the old rows', async () => {
  const first = await postgresProcess(dataDir.path)
  const db = openDatabase(first)
  await db.run(sql`create table acknowledged (n int)`)
  await db.run(sql`insert into acknowledged values (1)`)
  await db.end()
  const before = serverPid()
  await first.kill()
  process.kill(before, 'SIGKILL')
  const four = await Promise.all([1, 2, 3, 4].map(() => postgresProcess(dataDir.path)))
  assert.notEqual(serverPid(), before)
  await allOnOneServer(four)
  const again = openDatabase(four[0] as PostgresProcess)
  assert.deepEqual(await again.all(sql`select n from acknowledged`), [{ n: 1 }])
  await again.end()
  await Promise.all(four.map((process) => process.leave()))
})

test('a start waits for processes that a killed server has left running', async () => {
  const first = await postgresProcess(dataDir.path)
  const db = openDatabase(first)
  const before = serverPid()
  // A busy connection does not notice the death of the server for a while.
  const busy = db.run(sql`
    do $$ declare until timestamptz := clock_timestamp() + interval '2 s';
    begin while clock_timestamp() < until loop end loop; end $$
  `)
  const atWork = sql`select 1 from pg_stat_activity where query like '%2 s%' and pid <> pg_backend_pid()`
  while ((await db.run(atWork)) === 0);
  await first.kill()
  process.kill(before, 'SIGKILL')
  const next = await open()
  assert.notEqual(serverPid(), before)
  await busy.catch(() => {})
  await db.end()
  await next.stop()
})

test('a killed server is restarted at the same socket while the service runs', async () => {
  const said: string[] = []
  const note = (_fields: unknown, message?: string) => said.push(message ?? String(_fields))
  const postgres = await open({ debug: note, info: note, warn: note, error: note })
  const db = openDatabase(postgres)
  await db.run(sql`insert into acknowledged values (2)`)
  for (let round = 0; round < 3; round++) {
    process.kill(serverPid(), 'SIGKILL')
    // A connection that breaks during a statement fails for its caller; new connections wait.
    const other = openDatabase(postgres)
    await db.run(sql`select 1`).catch(() => {})
    assert.equal(await other.run(sql`select n from acknowledged`), 2)
    await other.end()
  }
  assert.ok(said.includes('database.lost') && said.includes('database.back'), said.join())
  await db.end()
  await postgres.stop()
  assert.equal(existsSync(lock), false)
})

test('a second process keeps the server alive when the first one stops', async () => {
  const service = await open()
  const command = await postgresProcess(dataDir.path)
  const pid = serverPid()
  await service.stop()
  assert.equal(serverPid(), pid)
  const db = openDatabase(command)
  assert.equal(await db.run(sql`select n from acknowledged`), 2)
  await db.end()
  assert.equal(await command.leave(), 0)
  assert.equal(existsSync(lock), false)
})

test('a command run beside a service leaves the server running when it ends', async () => {
  const service = await open()
  const pid = serverPid()
  const command = await postgresProcess(dataDir.path)
  assert.deepEqual(command.connection, service.connection)
  await command.leave()
  assert.equal(serverPid(), pid)
  await service.stop()
})

test('a running server whose service was killed is taken over without a restart', async () => {
  const first = await postgresProcess(dataDir.path)
  const pid = serverPid()
  await first.kill()
  const second = await open()
  assert.equal(serverPid(), pid)
  await second.stop()
  assert.equal(existsSync(lock), false)
})

test('a service that stops while its server is dead leaves no server behind', async () => {
  const service = await open()
  process.kill(serverPid(), 'SIGKILL')
  await service.stop()
  const next = await open()
  await next.stop()
  assert.equal(existsSync(lock), false)
})

test('a process that starts while another one stops the server still gets a server', async () => {
  for (let round = 0; round < 5; round++) {
    const leaving = await open()
    const [, coming] = await Promise.all([leaving.stop(), open()])
    const db = openDatabase(coming)
    assert.equal(await db.run(sql`select n from acknowledged`), 2)
    await db.end()
    await coming.stop()
  }
})
