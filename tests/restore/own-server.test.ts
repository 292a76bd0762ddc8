/**
 * `crier backup` with DATABASE_URL, on Debian's PostgreSQL: a dump while the user may not replicate, a copy of
 * the data folder once it may, the nightly job of a worker, and a restore of each.
 */
import assert from 'node:assert/strict'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { backupFinding } from 'crier-server/checks/check-outside.ts'
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { sendingPause } from 'crier-server/core/installation/sending.ts'
import { openDatabase, sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { databaseAccount } from 'crier-server/lib/postgres/account.ts'
import { privateFolder } from 'crier-server/lib/postgres/home.ts'
import { spawnServer, stopServer } from 'crier-server/lib/postgres/server.ts'
import { shortFolder } from 'crier-server/lib/postgres/socket-folder.ts'
import { listBackups } from 'crier-server/operator/backups.ts'
import pg from 'pg'
import { startService } from '../crash/support/service-process.ts'
import { testbedAt } from '../operations/support/testbed.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'
import { throwawayServer } from '../support/postgres/throwaway-server.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { eventually, until } from '../support/time/eventually.ts'
import { runCrier } from './support/installation.ts'

const programs = '/usr/lib/postgresql/15/bin'
const skip = missingPrograms(`${programs}/postgres`, `${programs}/pg_dump`) ?? false
const secret = 'a secret of the tests, which is thrown away'
const passphrase = 'a long sentence'

const urlOf = ({ host, user, database }: pg.ClientConfig) =>
  `postgres://${user}@localhost/${database}?host=${host}`

async function asAdmin(connection: pg.ClientConfig, ...statements: string[]): Promise<void> {
  const admin = new pg.Client(connection)
  await admin.connect()
  for (const statement of statements) await admin.query(statement)
  await admin.end()
}

const people = async (db: Database) =>
  db.one<{ contacts: number; suppressed: number }>(sql`
    select (select count(*)::int from contacts) as contacts,
      (select count(*)::int from suppressions) as suppressed
  `)

/** What each restore must have done: everybody is there, the later opt-out holds, nothing is sent. */
async function assertSafe(connection: pg.ClientConfig): Promise<void> {
  const db = openDatabase({ connection, poolSize: 2 })
  try {
    assert.deepEqual(await people(db), { contacts: 30, suppressed: 1 })
    assert.equal((await sendingPause(db))?.reason, 'restored')
    await openVault(db, secret, new Date())
  } finally {
    await db.end()
  }
}

test('a server of the operator’s own is dumped or copied, watched, and restored with later opt-outs', {
  skip,
}, async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-own-server-'))
  await chmod(folder, 0o755)
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  const at = (name: string) => path.join(folder, name)
  const server = await throwawayServer({ embedded: undefined, system: [programs] })
  t.after(() => server.stop())
  const roles = ['create role crier login', 'create database crier owner crier']
  await asAdmin(server.connection, ...roles)
  const connection = { ...server.connection, user: 'crier', database: 'crier' }
  const settings = {
    DATABASE_URL: urlOf(connection),
    CRIER_SECRET: secret,
    BACKUP_TO: at('backups'),
    BACKUP_PASSPHRASE: passphrase,
  }
  const crier = (args: string[], more: Record<string, string> = {}) =>
    runCrier(args, { ...settings, DATA_DIR: at('commands'), ...more })
  const read = async (args: string[], more?: Record<string, string>) => {
    const ran = await crier(args, more)
    assert.equal(ran.code, 0, ran.stderr)
    return JSON.parse(ran.stdout) as Record<string, unknown>
  }

  // The worker makes one by itself, since none is there.
  const port = await freePort()
  const service = await startService({ dataDir: at('data'), port, env: settings })
  t.after(() => service.stop())
  const config = readConfig({ ...settings, PORT: String(port), DATA_DIR: at('data') })
  await until(
    async () => (await listBackups(config)).length === 1,
    'the worker made a backup',
    90_000,
  )
  const [nightly] = await listBackups(config)
  assert.equal(nightly?.['kind'], 'dump')
  assert.ok(nightly?.['verified_at'], 'it was restored to a server of its own')
  const finding = await backupFinding(config, new Date())
  assert.equal(finding.outcome, 'ok', finding.text)
  const metrics = await (await fetch(`${service.origin}/metrics`)).text()
  assert.match(metrics, /^crier_backup_age_seconds \d+/m)
  assert.match(metrics, /^crier_backups_failed 0$/m)

  const db = openDatabase({ connection, poolSize: 2 })
  const vault = await openVault(db, secret, new Date())
  const endpoint = `${service.origin}/api/functions/svc-mcp`
  const { owner } = await testbedAt({ db, vault, config, endpoint }).someone('scale')
  const contacts = Array.from({ length: 30 }, (_, n) => ({ email: `person-${n}@example.com` }))
  await owner.get('contact.import', { contacts })

  const dump = await read(['backup'])
  assert.equal(dump['kind'], 'dump')
  await asAdmin(server.connection, 'alter role crier replication')
  const copy = await read(['backup'])
  assert.equal(copy['kind'], 'server')
  await asAdmin(
    server.connection,
    `select pg_create_physical_replication_slot('s' || n)
     from generate_series(1, current_setting('max_replication_slots')::int) n`,
  )
  assert.equal((await read(['backup']))['kind'], 'dump', 'no slot is free for a copy')
  await asAdmin(
    server.connection,
    'select pg_drop_replication_slot(slot_name) from pg_replication_slots',
  )
  assert.ok(copy['verified_at'], 'its copy was started')
  assert.equal((await read(['backups', 'verify', String(copy['backup'])]))['contacts'], 30)
  assert.equal((await read(['backups', 'verify', String(dump['backup'])]))['contacts'], 30)

  await owner.get('contact.suppress', { email: 'person-7@example.com' })
  const ledger = at('backups/ledger.jsonl')
  const lines = await eventually(
    () => readFile(ledger, 'utf8').catch(() => ''),
    (text) => text.includes('\n'),
  )
  assert.ok(lines.includes('\n'), 'the ledger lies beside the backups')
  await db.end()
  await service.stop()

  const target = await emptyDatabase()
  t.after(() => target.drop())
  const toTarget = { DATABASE_URL: urlOf(target.connection) }
  const source = path.join(at('backups'), String(dump['backup']))
  // A dump of a newer pg_dump is refused before anything is restored.
  const newer = path.join(at('newer'), String(dump['backup']))
  await cp(source, newer, { recursive: true })
  const factsFile = path.join(newer, 'crier.json')
  const facts = JSON.parse(await readFile(factsFile, 'utf8')) as { postgres: number }
  assert.equal(facts.postgres, 15)
  await writeFile(factsFile, JSON.stringify({ ...facts, postgres: 99 }))
  const early = await crier(['restore', newer], toTarget)
  assert.match(early.stderr, /made by pg_dump of PostgreSQL 99, and the server is PostgreSQL \d+\./)
  assert.equal((await read(['restore', source], toTarget))['opt_outs_applied'], 1)
  await assertSafe(target.connection)
  const again = await crier(['restore', source], toTarget)
  assert.notEqual(again.code, 0)
  assert.match(again.stderr, /is not empty: it has the table/)

  const copied = path.join(at('backups'), String(copy['backup']))
  const without = await crier(['restore', copied])
  assert.match(without.stderr, /data folder of a server of PostgreSQL 15.*--to/)
  await mkdir(at('server'))
  const data = path.join(at('server'), 'main')
  assert.equal((await read(['restore', copied, '--to', data]))['opt_outs_applied'], 1)
  assert.equal((await stat(data)).mode & 0o777, 0o700)
  // With its own settings, as that server is started.
  const account = await databaseAccount(data)
  const run = shortFolder(account)
  const binaries = { kind: 'system', folder: programs, major: 15 } as const
  spawnServer({ binaries, account, data, run, log: at('own.log') })
  t.after(async () => {
    await stopServer(data, 'SIGQUIT')
    await rm(run, { recursive: true, force: true })
  })
  const own = { host: run, user: 'crier', database: 'crier' }
  await until(async () => {
    await asAdmin(own, 'select 1')
    return true
  }, 'the restored server answers').catch(() => undefined)
  await assertSafe(own)

  // A damaged dump is found, and is told apart from a machine without programs.
  await truncate(path.join(source, 'database.dump'), 40_000)
  const damaged = await crier(['backups', 'verify', String(dump['backup'])])
  assert.match(damaged.stderr, /failed its verification\. Its dump is damaged/)
  privateFolder(at('server'), account)
})
