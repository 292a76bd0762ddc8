import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { temporaryDataDir } from '../../../../tests/support/postgres/data-dir.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { openDatabase, sql } from '../db/db.ts'
import { superuser } from './cluster.ts'
import { dataLock, lockHolder, socketName } from './locks.ts'
import { openPostgres } from './open.ts'

// PostgreSQL splits its list of socket folders at commas unless they are quoted.
const dataDir = temporaryDataDir({ below: 'my data, and more' })
after(dataDir.remove)
const home = path.join(dataDir.path, 'postgres')
const data = path.join(home, 'data')

function open(folder: string) {
  return openPostgres({ dataDir: folder, databaseUrl: undefined, log: silentLog })
}

test('the first start creates a durable database that is reachable only through its socket', async () => {
  const postgres = await open(dataDir.path)
  assert.equal(postgres.kind, 'embedded')
  const db = openDatabase(postgres)
  const settings = await db.one(sql`
    select current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('data_checksums') as data_checksums,
      current_setting('listen_addresses') as listen_addresses,
      current_setting('TimeZone') as zone,
      (select datlocale from pg_database where datname = current_database()) as locale,
      (select rolsuper from pg_roles where rolname = current_user) as superuser
  `)
  assert.deepEqual(settings, {
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
    listen_addresses: '',
    zone: 'UTC',
    locale: 'C.UTF-8',
    superuser: false,
  })
  assert.equal(statSync(data).mode & 0o777, 0o700)
  assert.equal(statSync(path.join(home, 'run')).mode & 0o777, 0o700)
  await db.run(sql`create table kept (word text)`)
  await db.run(sql`insert into kept values ('word')`)
  await db.end()
  await postgres.stop()
  assert.equal(existsSync(dataLock(data)), false, 'the server has ended')
})

test('a later start finds the stored data, even though the folder’s mode was loosened', async () => {
  chmodSync(data, 0o777)
  const postgres = await open(dataDir.path)
  const db = openDatabase(postgres)
  assert.deepEqual(await db.one(sql`select word from kept`), { word: 'word' })
  await db.end()
  await postgres.stop()
})

test('lock files that name a live unrelated process do not prevent a start', async () => {
  // PostgreSQL trusts the pid of any process of its own user, so the stranger runs as that user.
  const { uid, gid } = statSync(data)
  const stranger = spawn('sleep', ['60'], { uid, gid, cwd: '/', stdio: 'ignore' })
  after(() => stranger.kill())
  const lock = `${stranger.pid}\n${data}\n0\n5432\n`
  writeFileSync(dataLock(data), lock)
  writeFileSync(path.join(home, 'run', `${socketName}.lock`), lock)
  const postgres = await open(dataDir.path)
  assert.notEqual(lockHolder(dataLock(data)), stranger.pid)
  await postgres.stop()
})

test('a half-made database of a crashed start is removed, and one of a live process is not', async () => {
  const dead = path.join(home, 'data.new.999999999-0a')
  const living = path.join(home, `data.new.${process.ppid}-0a`)
  mkdirSync(dead)
  mkdirSync(living)
  await (await open(dataDir.path)).stop()
  assert.deepEqual([existsSync(dead), existsSync(living)], [false, true])
})

test('a server that runs without durability is refused', async () => {
  const first = await open(dataDir.path)
  const admin = openDatabase({ connection: { ...first.connection, user: superuser } })
  await admin.run(sql`alter role postgres set synchronous_commit = off`)
  await admin.end()
  await first.stop()
  await assert.rejects(open(dataDir.path), {
    name: 'StartError',
    message: /runs without synchronous_commit/,
  })
})

test('the memory of the setting goes into the buffers, and the rest is in proportion', async () => {
  const dataDir = temporaryDataDir()
  after(dataDir.remove)
  const postgres = await openPostgres({
    dataDir: dataDir.path,
    databaseUrl: undefined,
    log: silentLog,
    memory: 200 * 2 ** 20,
  })
  const db = openDatabase(postgres)
  const values = await db.all<{ name: string; value: string }>(sql`
    select name, current_setting(name) as value from pg_settings
    where name in ('shared_buffers', 'effective_cache_size', 'maintenance_work_mem', 'max_wal_size')
    order by name
  `)
  await db.end()
  await postgres.stop()
  assert.deepEqual(
    values.map(({ value }) => value),
    ['400MB', '64MB', '1GB', '200MB'],
  )
})

test('a server that cannot start reports why within seconds', async () => {
  const broken = temporaryDataDir()
  after(broken.remove)
  await (await open(broken.path)).stop()
  const conf = path.join(broken.path, 'postgres', 'data', 'postgresql.conf')
  writeFileSync(conf, 'shared_buffers = many\n')
  await assert.rejects(open(broken.path), {
    name: 'StartError',
    message: /does not start.*shared_buffers/s,
  })
})

test('the error for a DATA_DIR that cannot be created names it', async () => {
  await assert.rejects(open('/dev/null/data'), {
    name: 'StartError',
    message: /DATA_DIR \/dev\/null\/data cannot be written \(ENOTDIR\)/,
  })
})

test('the socket path stays short however deep DATA_DIR is, and is the same at each start', async () => {
  const deep = temporaryDataDir({ below: `${'deep/'.repeat(30)}data` })
  after(deep.remove)
  const first = await open(deep.path)
  const { host } = first.connection
  assert.ok(Buffer.byteLength(`${host}/.s.PGSQL.5432`) <= 107, host)
  const db = openDatabase(first)
  await db.run(sql`select 1`)
  await db.end()
  await first.stop()
  const second = await open(deep.path)
  assert.equal(second.connection.host, host)
  await second.stop()
})
