import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { temporaryDataDir } from '../../../../tests/support/postgres/data-dir.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { openDatabase, sql } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { keepPartitions } from '../db/partitions.ts'
import { clusterMajor } from '../postgres/cluster.ts'
import { openPostgres } from '../postgres/open.ts'
import type { CopyProgress } from './copy-database.ts'
import { type UpgradeStep, upgradeDatabase } from './upgrade-database.ts'

/** Debian's programs of an older version; OLD_POSTGRES names those of another. */
const oldPrograms = process.env['OLD_POSTGRES'] ?? '/usr/lib/postgresql/15/bin'
const skip = existsSync(path.join(oldPrograms, 'initdb')) ? false : 'no older PostgreSQL is here'
const people = 20_000

const dataDir = temporaryDataDir({})
after(dataDir.remove)
const home = path.join(dataDir.path, 'postgres')
const data = path.join(home, 'data')
const options = { dataDir: dataDir.path, databaseUrl: undefined, log: silentLog }
const open = () => openPostgres(options)

interface Contents {
  people: number
  named: number
  partitions: number
}

/** The major version of the server that answered last. */
let served: number | undefined

async function contents(): Promise<Contents> {
  const postgres = await open()
  const db = openDatabase(postgres)
  try {
    const { version } = await db.one<{ version: number }>(
      sql`select current_setting('server_version_num')::int / 10000 as version`,
    )
    served = version
    return await db.one<Contents>(sql`
      select (select count(*)::int from users) as people,
        (select count(*)::int from users where email = 'person-17@example.com') as named,
        (select count(*)::int from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where c.relkind = 'r') as partitions
    `)
  } finally {
    await db.end()
    await postgres.stop()
  }
}

let major: number | undefined
let wanted: Contents
before(async () => {
  if (skip) return
  // The cluster of an installation that was made when its version was the newest.
  const sources = { embedded: undefined, system: [oldPrograms] }
  const postgres = await openPostgres({ ...options, sources })
  await migrate(postgres.connection)
  const db = openDatabase(postgres)
  await db.run(sql`
    insert into users (id, email, created_at)
    select gen_random_uuid(), 'person-' || n || '@example.com', now()
    from generate_series(1, ${people}) n
  `)
  const table = { name: 'events', column: 'created_at', step: 'day', keepDays: 30 } as const
  await keepPartitions(db, table, new Date())
  await db.end()
  await postgres.stop()
  major = clusterMajor(data)
  wanted = await contents()
})

for (const step of ['copied', 'stopped', 'renamed'] satisfies UpgradeStep[]) {
  test(`an upgrade that is killed once it has ${step} leaves a database with every row`, {
    skip,
  }, async () => {
    await killedAt(step)
    assert.deepEqual(await contents(), wanted)
    assert.equal(served === major, step !== 'renamed')
    assert.equal(clusterMajor(data), served)
    if (step === 'renamed') await goBack()
  })
}

/** As docs/operate/upgrade.md says. */
async function goBack(): Promise<void> {
  rmSync(data, { recursive: true })
  await assert.rejects(open(), /the database from before a conversion, and no database/)
  renameSync(path.join(home, `data-${major}`), data)
}

/** Runs the conversion in a process of its own, which kills itself with -9 at this step. */
async function killedAt(step: UpgradeStep): Promise<void> {
  const script = `
    const { upgradeDatabase } = await import(${JSON.stringify(import.meta.resolve('./upgrade-database.ts'))})
    const { createLog } = await import(${JSON.stringify(import.meta.resolve('../process/log.ts'))})
    await upgradeDatabase({
      dataDir: ${JSON.stringify(dataDir.path)},
      log: createLog('silent'),
      onStep: (step) => step === '${step}' && process.kill(process.pid, 'SIGKILL'),
    })
  `
  const args = ['--conditions=crier-source', '--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code, signal] = await once(child, 'close')
  assert.deepEqual([code, signal], [null, 'SIGKILL'], said)
}

test('the database is converted with all its rows and partitions, the old one is kept, and a running service is left alone', {
  skip,
}, async () => {
  const service = await open()
  await assert.rejects(upgradeDatabase(options), /Stop the service and its commands first/)
  await service.stop()
  const seen: CopyProgress[] = []
  const starts: Promise<unknown>[] = []
  const done = await upgradeDatabase({
    ...options,
    onProgress: (now) => seen.push({ ...now }),
    onStep: () => starts.push(assert.rejects(open(), /is being converted to another version/)),
  })
  assert.equal(starts.length, 5)
  await Promise.all(starts)
  assert.ok(done.copied)
  assert.equal(done.from, major)
  assert.ok(done.copied.rows > people)
  const last = seen.at(-1)
  assert.deepEqual([last?.rows, last?.ofRows], [done.copied.rows, done.copied.rows])
  assert.ok(seen.some(({ rows }) => rows > 0 && rows < people))
  assert.deepEqual(await contents(), wanted)
  assert.equal(served, done.to)
  assert.equal(clusterMajor(path.join(home, `data-${major}`)), major)
  assert.deepEqual(
    readdirSync(home).filter((name) => name.includes('.new.')),
    [],
  )
  const again = await upgradeDatabase(options)
  assert.equal(again.copied, undefined)
})

test('a database with a table that no migration makes is refused by its name, and stays as it is', {
  skip,
}, async () => {
  rmSync(data, { recursive: true })
  renameSync(path.join(home, `data-${major}`), data)
  const postgres = await open()
  const db = openDatabase(postgres)
  await db.run(sql`create table notes_of_the_operator (note text)`)
  await db.end()
  await postgres.stop()
  await assert.rejects(upgradeDatabase(options), /create table notes_of_the_operator/)
  assert.deepEqual(await contents(), wanted)
  assert.equal(served, major)
})
