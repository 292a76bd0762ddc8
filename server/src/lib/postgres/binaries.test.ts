import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { temporaryDataDir } from '../../../../tests/support/postgres/data-dir.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { openDatabase, sql } from '../db/db.ts'
import { chooseBinaries, defaultSources } from './binaries.ts'
import { openPostgres } from './open.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'crier-binaries-'))
after(() => rmSync(folder, { recursive: true }))

/** Programs that print a version and do nothing else. */
function programs(version: string): string {
  const bin = path.join(folder, `v${version}`)
  mkdirSync(bin, { recursive: true })
  const script = `#!/bin/sh\necho "postgres (PostgreSQL) ${version}"\n`
  for (const name of ['postgres', 'initdb'])
    writeFileSync(path.join(bin, name), script, { mode: 0o755 })
  return bin
}

let home: string
before(() => {
  home = path.join(folder, 'home')
  mkdirSync(home)
})
const choose = (system: string[], clusterMajor?: number) =>
  chooseBinaries(home, clusterMajor, { embedded: undefined, system }, (name) => name)

test('without the bundled package the newest PostgreSQL programs of the machine are used', async () => {
  const found = await choose([programs('15.4'), programs('17.2'), programs('14.9')])
  assert.deepEqual(found, { kind: 'system', folder: path.join(folder, 'v17.2'), major: 17 })
})

test('PostgreSQL programs that are older than 15 or do not run are ignored', async () => {
  const broken = programs('99.0')
  writeFileSync(path.join(broken, 'postgres'), 'not a program', { mode: 0o755 })
  await assert.rejects(choose([programs('14.9'), broken]), {
    name: 'StartError',
    message: /There is no PostgreSQL to run\..*DATABASE_URL/,
  })
})

test('a cluster is run by programs of the major version that made it, or the start is refused', async () => {
  const both = [programs('15.4'), programs('17.2')]
  assert.equal((await choose(both, 15)).major, 15)
  await assert.rejects(choose(both, 16), {
    name: 'StartError',
    message: /was made by PostgreSQL 16.*Install PostgreSQL 16/,
  })
})

test('a runtime staged for a cluster still serves it after the package has a newer version', async () => {
  cpSync(programs('16.3'), path.join(home, 'runtime-16.3.0', 'bin'), { recursive: true })
  const found = await choose([programs('17.2')], 16)
  assert.deepEqual([found.kind, found.major], ['embedded', 16])
})

const { system } = await defaultSources()
const machine = await choose(system).catch(() => undefined)

test('the machine’s own PostgreSQL is used where the package is missing', {
  skip: machine ? false : 'this machine has none',
}, async () => {
  const dataDir = temporaryDataDir()
  after(dataDir.remove)
  const postgres = await openPostgres({
    dataDir: dataDir.path,
    databaseUrl: undefined,
    log: silentLog,
    sources: { embedded: undefined, system },
  })
  assert.equal(postgres.kind, 'system')
  const db = openDatabase(postgres)
  const { major } = await db.one<{ major: number }>(
    sql`select current_setting('server_version_num')::int / 10000 as major`,
  )
  assert.equal(major, machine?.major)
  await db.end()
  await postgres.stop()
})
