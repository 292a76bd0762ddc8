/**
 * The logical export of docs/operate/backup.md for a PostgreSQL of one's own: the nightly dump of
 * compose.yaml, restored to a server of another major version by the commands of the guide.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { sendingPause } from 'crier-server/core/installation/sending.ts'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import pg from 'pg'
import { startService } from '../crash/support/service-process.ts'
import { testbedAt } from '../operations/support/testbed.ts'
import { freePort } from '../support/network/port.ts'
import { emptyDatabase } from '../support/postgres/database.ts'
import { throwawayServer } from '../support/postgres/throwaway-server.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { eventually } from '../support/time/eventually.ts'
import { runCrier } from './support/installation.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')
const programs = '/usr/lib/postgresql/15/bin'
const secret = 'a secret of the tests, which is thrown away'

/** Tables to which the service adds nothing by itself while the dump is made. */
const steady = [
  'businesses',
  'contact_tags',
  'contacts',
  'events',
  'memberships',
  'schema_migrations',
]

/** All tables, and how many rows the steady ones have. */
async function countsOf(db: Db): Promise<Record<string, number>> {
  const { counts } = await db.one<{ counts: Record<string, number> }>({
    name: '',
    text: `select json_object_agg(relname, (xpath('//n/text()', query_to_xml(
      format('select count(*) as n from %I', relname), false, true, '')))[1]::text::int) as counts
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition`,
    values: [],
  })
  return Object.fromEntries(
    Object.entries(counts).map(([table, rows]) => [table, steady.includes(table) ? rows : -1]),
  )
}

const urlOf = ({ host, user, database }: pg.ClientConfig) =>
  `postgres://${user}@localhost/${database}?host=${host}`

test('the nightly dump is restored to a newer PostgreSQL, and later opt-outs are applied again', {
  skip: missingPrograms(`${programs}/pg_dump`) ?? false,
}, async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-dump-'))
  await chmod(folder, 0o711)
  t.after(() => rm(folder, { recursive: true, force: true }))
  const server = await throwawayServer({ embedded: undefined, system: [programs] })
  t.after(() => server.stop())
  const old = { ...server.connection, database: 'crier' }
  const admin = new pg.Client(server.connection)
  await admin.connect()
  await admin.query('create database crier')
  await admin.end()

  const backup = path.join(folder, 'backup')
  const settings = {
    DATABASE_URL: urlOf(old),
    CRIER_SECRET: secret,
    LEDGER_TO: path.join(backup, 'ledger.jsonl'),
  }
  await run('mkdir', [backup])
  const service = await startService({
    dataDir: path.join(folder, 'data'),
    port: await freePort(),
    env: settings,
  })
  const db = openDatabase({ connection: old })
  const config = readConfig({ PORT: String(service.port) })
  const vault = await openVault(db, secret, new Date())
  const endpoint = `${service.origin}/api/functions/svc-mcp`
  const { owner } = await testbedAt({ db, vault, config, endpoint }).someone('scale')
  const contacts = Array.from({ length: 200 }, (_, n) => ({ email: `person-${n}@example.com` }))
  await owner.get('contact.import', { contacts })
  await owner.get('contact.upsert', {
    email: 'ana@example.com',
    name: 'Änne',
    tags: ['a "b"', '{c}'],
  })

  // As the container `backup` runs it, with the programs of the server's own version.
  const env = { PATH: `${programs}:${process.env['PATH']}`, PGHOST: old.host, PGUSER: old.user }
  const script = ['deploy/nightly-dump.sh', 'once']
  const dump = () =>
    run('bash', script, {
      cwd: root,
      env: { ...env, PGDATABASE: 'crier', BACKUP_FOLDER: backup, BACKUP_KEEP: '2' },
    })
  for (const year of [2020, 2021]) await writeFile(path.join(backup, `crier-${year}.dump`), '')
  await dump()
  const [, name = '', ...more] = (await readdir(backup)).filter((one) => one.endsWith('.dump'))
  assert.match(name, /^crier-20\d\d-\d\d-\d\dT[\d-]+Z\.dump$/)
  assert.deepEqual(more, [], 'the oldest is removed')
  const stampAge = Date.now() - (await stat(path.join(backup, 'backup.stamp'))).mtimeMs
  assert.ok(stampAge < 60_000, 'a dump that ended well is stamped')
  const dumped = await countsOf(db)
  // A dump that fails leaves none behind, and says so.
  await assert.rejects(
    run('bash', script, { cwd: root, env: { ...env, PGDATABASE: 'none', BACKUP_FOLDER: backup } }),
    /the dump failed/,
  )
  assert.deepEqual(
    (await readdir(backup)).filter((one) => one.startsWith('.')),
    [],
  )

  await owner.get('contact.suppress', { email: 'person-7@example.com' })
  await eventually(
    () =>
      run('cat', [settings.LEDGER_TO]).then(
        ({ stdout }) => stdout,
        () => '',
      ),
    (lines) => lines.includes('\n'),
  )
  await db.end()
  await service.stop()

  // The commands of the guide.
  const target = await emptyDatabase()
  t.after(() => target.drop())
  const { host, user, database } = target.connection
  const flags = ['--no-owner', '--exit-on-error', path.join(backup, name)]
  await run(`${programs}/pg_restore`, [
    `--dbname=${database}`,
    '-h',
    `${host}`,
    '-U',
    `${user}`,
    ...flags,
  ])
  const restored = openDatabase({ connection: target.connection })
  t.after(() => restored.end())
  assert.deepEqual(await countsOf(restored), dumped)
  const { version } = await restored.one<{ version: number }>({
    name: '',
    text: `select current_setting('server_version_num')::int / 10000 as version`,
    values: [],
  })
  assert.ok(version > 15, 'another major version than the dump')
  const command = async (...args: string[]) => {
    const to = {
      ...settings,
      DATABASE_URL: urlOf(target.connection),
      DATA_DIR: path.join(folder, 'data'),
    }
    const ran = await runCrier(args, to)
    assert.equal(ran.code, 0, ran.stderr)
    return JSON.parse(ran.stdout || '{}') as Record<string, unknown>
  }
  await command('migrate')
  assert.equal((await command('sending', 'hold'))['opt_outs_applied'], 1)
  assert.equal((await sendingPause(restored))?.reason, 'restored')
  await openVault(restored, secret, new Date())
  const kept = await restored.one<{ name: string; tags: string[]; suppressed: number }>({
    name: '',
    text: `select name, tags, (select count(*)::int from suppressions) as suppressed
      from contacts where email = 'ana@example.com'`,
    values: [],
  })
  assert.deepEqual(kept, { name: 'Änne', tags: ['a "b"', '{c}'], suppressed: 1 })
})
