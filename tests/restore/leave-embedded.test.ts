/**
 * An installation leaves the embedded database for a server of the operator's own, by the commands of
 * docs/operate/sizing.md#leave-it. Debian's programs stand for both servers, since `pg_dump` has to be of their version.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { installationSecret } from 'crier-server/lib/crypto/vault.ts'
import { openDatabase, sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { homeName } from 'crier-server/lib/postgres/home.ts'
import { openPostgres } from 'crier-server/lib/postgres/open.ts'
import pg from 'pg'
import { newDataDir } from '../crash/support/data-dir.ts'
import { startService } from '../crash/support/service-process.ts'
import { testbedAt } from '../operations/support/testbed.ts'
import { freePort } from '../support/network/port.ts'
import { throwawayServer } from '../support/postgres/throwaway-server.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { silentLog } from '../support/silent-log.ts'
import { eventually } from '../support/time/eventually.ts'
import { runCrier } from './support/installation.ts'

const programs = '/usr/lib/postgresql/15/bin'
const skip = missingPrograms(`${programs}/postgres`, `${programs}/pg_dump`) ?? false
const guide = path.join(import.meta.dirname, '../../docs/operate/sizing.md')

/** The guide's line that runs this program, with the places of this test in place of its examples. */
async function lineOf(program: string, places: Record<string, string>): Promise<string[]> {
  const text = await readFile(guide, 'utf8')
  const line = text.split('\n').find((one) => one.startsWith(`${program} `))
  assert.ok(line, `the guide has no line with ${program}`)
  const [, ...words] = line.split(' ')
  return words.map((word) => {
    for (const [example, place] of Object.entries(places)) {
      if (word.includes(example)) return word.replace(example, place)
    }
    return word
  })
}

/** How often each mail came to the built-in inbox. */
async function arrived(db: Database): Promise<Record<string, number>> {
  const rows = await db.all<{ subject: string; n: number }>(sql`
    select subject, count(*)::int as n from inbox_messages group by subject order by subject
  `)
  return Object.fromEntries(rows.map(({ subject, n }) => [subject, n]))
}

test('an installation moves from the embedded database to its operator’s server, and sends nothing twice', {
  skip,
}, async (t) => {
  const folder = await newDataDir()
  t.after(() => folder.remove())
  const sources = { embedded: undefined, system: [programs] }
  const first = { dataDir: folder.path, databaseUrl: undefined, log: silentLog, sources }
  await (await openPostgres(first)).stop()
  const port = await freePort()
  const started = (env: Record<string, string> = {}) =>
    startService({ dataDir: folder.path, port, env })

  const embedded = await started()
  const before = await folder.open()
  const { version } = await before.one<{ version: string }>(
    sql`select current_setting('server_version_num') as version`,
  )
  assert.match(version, /^15/, 'pg_dump of its version is here')
  const config = readConfig({ PORT: String(port), DATA_DIR: folder.path })
  const secret = installationSecret(folder.path)
  const vault = await openVault(before, secret, new Date())
  const endpoint = `${embedded.origin}/api/functions/svc-mcp`
  const { owner } = await testbedAt({ db: before, vault, config, endpoint }).someone('scale')
  const contacts = Array.from({ length: 30 }, (_, n) => ({ email: `person-${n}@example.com` }))
  await owner.get('contact.import', { contacts })
  const mail = { to: 'person-1@example.com', text: 'Hello' }
  await owner.get('email.send', { ...mail, subject: 'Sent before' })
  await eventually(
    () => arrived(before),
    (mails) => mails['Sent before'] === 1,
  )
  const waiting = await owner.get<{ message_id: string }>('email.send', {
    ...mail,
    subject: 'Waits',
    send_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  await embedded.stop()

  // No job runs while the dump is made.
  const api = await started({ ROLE: 'api' })
  const server = await throwawayServer(sources)
  t.after(() => server.stop())
  const admin = new pg.Client(server.connection)
  await admin.connect()
  await admin.query('create role crier login')
  await admin.query('create database crier owner crier')
  await admin.end()
  const connection = { ...server.connection, user: 'crier', database: 'crier' }
  const url = `postgres://crier@localhost/crier?host=${connection.host}`
  const run = await realpath(path.join(homeName(folder.path), 'run'))
  const places = {
    '/var/lib/crier/postgres/run': run,
    'crier.dump': path.join(folder.path, 'crier.dump'),
    'postgres://crier@db.internal/crier': url,
  }
  for (const program of ['pg_dump', 'pg_restore']) {
    const words = await lineOf(program, places)
    await promisify(execFile)(path.join(programs, program), words)
  }
  await before.end()
  await api.stop()

  const settings = { DATABASE_URL: url, CRIER_SECRET: secret }
  const doctor = await runCrier(['doctor', '--json'], { ...settings, DATA_DIR: folder.path })
  assert.doesNotMatch(`${doctor.stdout}${doctor.stderr}`, /cannot start|does not start/)
  const moved = await started(settings)
  t.after(() => moved.stop())
  const db = openDatabase({ connection, poolSize: 2 })
  t.after(() => db.end())
  // The sign-in of before holds, since the secret and the keys came along.
  const people = await owner.get<{ contacts: object[] }>('contact.list', { limit: 100 })
  assert.equal(people.contacts.length, 30)
  assert.deepEqual(await arrived(db), { 'Sent before': 1 })
  const again = {
    message_id: waiting.message_id,
    send_at: new Date(Date.now() + 1_000).toISOString(),
  }
  await owner.get('message.reschedule', again)
  const mails = await eventually(
    () => arrived(db),
    (all) => all['Waits'] === 1,
  )
  assert.deepEqual(mails, { 'Sent before': 1, Waits: 1 })
})
