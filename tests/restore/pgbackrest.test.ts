/**
 * The recipe for pgBackRest of docs/operate/backup.md, with Debian's package and its PostgreSQL: set up, a backup
 * that is stamped, a mistake, a restore of the moment before it, and `crier sending hold`.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { backupFinding } from 'crier-server/checks/check-outside.ts'
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { sendingPause } from 'crier-server/core/installation/sending.ts'
import { openDatabase, sql } from 'crier-server/lib/db/db.ts'
import { databaseAccount } from 'crier-server/lib/postgres/account.ts'
import { makeCluster } from 'crier-server/lib/postgres/cluster.ts'
import { privateFolder } from 'crier-server/lib/postgres/home.ts'
import { spawnServer, stopServer } from 'crier-server/lib/postgres/server.ts'
import { shortFolder } from 'crier-server/lib/postgres/socket-folder.ts'
import pg from 'pg'
import { startService } from '../crash/support/service-process.ts'
import { testbedAt } from '../operations/support/testbed.ts'
import { freePort } from '../support/network/port.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { until } from '../support/time/eventually.ts'
import { runCrier } from './support/installation.ts'

const programs = '/usr/lib/postgresql/15/bin'
const pgbackrest = '/usr/bin/pgbackrest'
const guide = path.join(import.meta.dirname, '../../docs/operate/backup.md')
const secret = 'a secret of the tests, which is thrown away'

async function answers(connection: pg.ClientConfig, query: string): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ fine: boolean }>(query)
    return rows[0]?.fine === true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

test('pgBackRest restores the moment before a mistake, and sending hold applies what came after it', {
  skip: missingPrograms(`${programs}/postgres`, pgbackrest) ?? false,
}, async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-pgbackrest-'))
  await chmod(folder, 0o755)
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  const at = (name: string) => path.join(folder, name)
  const data = at('data')
  const account = await databaseAccount(data)
  const binaries = { kind: 'system', folder: programs, major: 15 } as const
  await makeCluster(data, binaries, account, at('data.new'))
  const run = shortFolder(account)
  for (const name of ['repository', 'log', 'lock', 'spool']) privateFolder(at(name), account)

  // The guide's file, with the paths of this test.
  const text = await readFile(guide, 'utf8')
  const [, configuration = ''] = /```text\n(# \/etc\/pgbackrest\.conf\n[^`]+)```/.exec(text) ?? []
  assert.match(configuration, /repo1-path=\/var\/lib\/pgbackrest\n[^[]*\[crier\]\npg1-path=/)
  const others = ['log', 'lock', 'spool'].map((name) => `${name}-path=${at(name)}\n`).join('')
  const settings = configuration
    .replace('repo1-path=/var/lib/pgbackrest\n', `repo1-path=${at('repository')}\n${others}`)
    .replace(/pg1-path=.*\n/, `pg1-path=${data}\npg1-socket-path=${run}\npg1-user=postgres\n`)
  const file = at('pgbackrest.conf')
  await writeFile(file, settings, { mode: 0o644 })
  const backrest = (...args: string[]) =>
    promisify(execFile)(pgbackrest, [`--config=${file}`, '--stanza=crier', ...args], {
      ...account,
      cwd: run,
    })

  const start = () => spawnServer({ binaries, account, data, run, log: at('postgres.log') })
  const admin = { host: run, user: 'postgres', database: 'postgres' }
  const isUp = () => answers(admin, 'select not pg_is_in_recovery() as fine')
  t.after(async () => {
    await stopServer(data, 'SIGQUIT')
    await rm(run, { recursive: true, force: true })
  })
  start()
  await until(isUp, 'the server is up')
  const asAdmin = async (...statements: string[]) => {
    const client = new pg.Client(admin)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const [, lines = ''] = /psql -c ("alter system[^\n]+\\\n[^\n]+)/.exec(text) ?? []
  const statements = [...lines.matchAll(/"(alter system set [^"]+)"/g)].map(([, one = '']) => one)
  assert.equal(statements.length, 3, 'the guide sets up the archive')
  await asAdmin(
    ...statements.map((one) => one.replace('pgbackrest ', `pgbackrest --config=${file} `)),
    'create role crier login',
    'create database crier owner crier',
  )
  await stopServer(data)
  start()
  await until(isUp, 'the server is up with its archive')
  await backrest('stanza-create')
  await backrest('check')

  const stamp = at('backup.stamp')
  const connection = { host: run, user: 'crier', database: 'crier' }
  await mkdir(at('ledger'))
  const env = {
    DATABASE_URL: `postgres://crier@localhost/crier?host=${run}`,
    CRIER_SECRET: secret,
    LEDGER_TO: at('ledger/ledger.jsonl'),
    BACKUP_STAMP: stamp,
  }
  const port = await freePort()
  const service = await startService({ dataDir: at('service'), port, env })
  t.after(() => service.stop())
  const config = readConfig({ ...env, PORT: String(port), BASE_URL: 'https://crier.example' })
  assert.equal((await backupFinding(config, new Date())).outcome, 'warn', 'none was made yet')
  const db = openDatabase({ connection, poolSize: 2 })
  const vault = await openVault(db, secret, new Date())
  const local = readConfig({ PORT: String(port) })
  const endpoint = `${service.origin}/api/functions/svc-mcp`
  const { owner } = await testbedAt({ db, vault, config: local, endpoint }).someone('scale')
  const contacts = Array.from({ length: 30 }, (_, n) => ({ email: `person-${n}@example.com` }))
  await owner.get('contact.import', { contacts })

  await backrest('--start-fast', 'backup')
  await writeFile(stamp, '')
  const finding = await backupFinding(config, new Date())
  assert.equal(finding.outcome, 'ok', finding.text)

  await owner.get('contact.upsert', { email: 'after-the-backup@example.com' })
  await sleep(1_100)
  const moment = new Date()
  await sleep(1_100)
  await owner.get('contact.suppress', { email: 'person-7@example.com' })
  await db.run(sql`delete from contacts where email like 'person-1%'`)
  await until(
    async () => (await readFile(env.LEDGER_TO, 'utf8').catch(() => '')).includes('\n'),
    'the ledger has the opt-out',
  )
  await db.end()
  await service.stop()
  await asAdmin('select pg_switch_wal()')
  await until(
    () => answers(admin, 'select last_archived_wal is not null as fine from pg_stat_archiver'),
    'the log is archived',
  )
  await stopServer(data)

  const target = moment.toISOString().replace('T', ' ').replace('Z', '+00')
  const [, restoring = ''] = /pgbackrest --stanza=crier (--delta [^\n]+) restore\n/.exec(text) ?? []
  const flags = restoring.replace(/'[^']*'/, target).split(/ (?=--)/)
  assert.deepEqual(
    flags.map((flag) => flag.split('=')[0]),
    ['--delta', '--type', '--target', '--target-action'],
  )
  await backrest(...flags, 'restore')
  start()
  await until(isUp, 'the server is restored')

  const hold = await runCrier(['sending', 'hold'], { ...env, DATA_DIR: at('service') })
  assert.equal(hold.code, 0, hold.stderr)
  assert.equal(JSON.parse(hold.stdout)['opt_outs_applied'], 1)
  const restored = openDatabase({ connection, poolSize: 2 })
  try {
    assert.equal((await sendingPause(restored))?.reason, 'restored')
    const there = await restored.one<{ contacts: number; later: number; suppressed: number }>(sql`
      select count(*)::int as contacts,
        count(*) filter (where email like 'after-%')::int as later,
        (select count(*)::int from suppressions) as suppressed
      from contacts
    `)
    assert.deepEqual(there, { contacts: 31, later: 1, suppressed: 1 })
  } finally {
    await restored.end()
  }
})
