/**
 * The last release (docs/releases.md) and this version, side by side on one database: a roll of
 * several nodes (docs/operate/upgrade.md). `RELEASE=COMMIT` takes another commit as the release.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import { type ServiceProcess, startService } from '../crash/support/service-process.ts'
import { testbedAt } from '../operations/support/testbed.ts'
import { runCrier } from '../restore/support/installation.ts'
import { freePort } from '../support/network/port.ts'
import { webhookReceiver } from '../support/network/webhook-receiver.ts'
import { emptyDatabase } from '../support/postgres/database.ts'
import { readReleases } from '../support/releases.ts'
import { eventually } from '../support/time/eventually.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')
const secret = 'a secret of the tests, which is thrown away'

/** The newest release. Undefined in an archive, or in a clone that does not have its commit. */
async function lastRelease(): Promise<string | undefined> {
  const commit = process.env['RELEASE'] ?? readReleases()[0]?.commit
  if (commit === undefined) return undefined
  return run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).then(
    () => commit,
    () => undefined,
  )
}

/** The sources of the release with its own packages, as an operator has them. */
async function unpacked(release: string, folder: string, signal: AbortSignal): Promise<void> {
  const archive = path.join(folder, 'release.tar')
  await run('git', ['archive', '-o', archive, release], { cwd: root })
  await run('tar', ['-xf', archive], { cwd: folder })
  const install = ['install', '--no-save', '--ignore-scripts', '--omit=dev', '--prefer-offline']
  const parts = ['server', 'cli', 'sdk'].map((name) => `--workspace=${name}`)
  const npm = [...install, '--no-audit', '--no-fund', ...parts]
  await run('npm', npm, { cwd: folder, signal })
}

const release = await lastRelease()
const skip =
  release === undefined && 'NOT TESTED: this copy does not have the commit of the last release'
if (skip) process.stderr.write(`${skip}\n`)

test('the last release goes on working beside this version on the new schema', {
  skip,
  // The installation of the release's packages alone took five minutes on a busy machine.
  timeout: 14 * 60_000,
}, async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-release-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await unpacked(release ?? '', folder, t.signal)
  const database = await emptyDatabase()
  t.after(() => database.drop())
  const { host, user, database: name } = database.connection
  const baseUrl = `http://localhost:${await freePort()}`
  const env = {
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${host}`,
    CRIER_SECRET: secret,
    BASE_URL: baseUrl,
    SIGNUP: 'open',
    SENDER_GATE: 'off',
    OUTBOUND_ALLOW: '127.0.0.0/8:*',
  }
  const start = async (cli: string): Promise<ServiceProcess> => {
    const port = await freePort()
    const dataDir = await mkdtemp(path.join(folder, 'data-'))
    const node = await startService({
      dataDir,
      port,
      env: { ...env, HOST: '127.0.0.1' },
      command: [process.execPath, path.join(cli, 'cli/bin.mjs'), 'serve', '--role', 'all'],
    })
    t.after(() => node.stop())
    return node
  }
  const old = await start(folder)
  const shared = ['--name', 'Before', '--owner', 'owner@example.com']
  await run(
    process.execPath,
    [path.join(folder, 'cli/bin.mjs'), 'businesses', 'create', ...shared],
    {
      env: { ...env, PATH: process.env['PATH'], DATA_DIR: path.join(folder, 'cli-data') },
    },
  )

  const migrated = await runCrier(['migrate'], { ...env, DATA_DIR: path.join(folder, 'cli-data') })
  assert.equal(migrated.code, 0, migrated.stderr)
  const current = await start(root)

  const db = openDatabase({ connection: database.connection })
  t.after(() => db.end())
  const config = readConfig({ BASE_URL: baseUrl })
  const vault = await openVault(db, secret, new Date())
  const testbed = testbedAt({ db, vault, config, endpoint: `${baseUrl}/api/functions/svc-mcp` })
  const businessId = await testbed.newBusiness('scale')
  const callerOf = (node: ServiceProcess) =>
    testbed.caller({ businesses: [businessId] }, `${node.origin}/api/functions/svc-mcp`)
  let signing = ''
  const receiver = await webhookReceiver(() => signing)
  t.after(() => receiver.close())

  const callers = { old: await callerOf(old), current: await callerOf(current) }
  const hook = { url: receiver.url, events: ['contact.created'] }
  signing = (await callers.old.get<{ signing_secret: string }>('webhook.save', hook)).signing_secret
  const sent: string[] = []
  for (const [name, caller] of Object.entries(callers)) {
    for (let n = 0; n < 10; n++) {
      const email = `${name}-${n}@example.com`
      await caller.get('contact.upsert', { email, name, tags: [name, 'both'] })
      const mail = { to: email, subject: `From ${name}`, text: `Number ${n}` }
      sent.push((await caller.get<{ message_id: string }>('email.send', mail)).message_id)
    }
    await caller.get('contact.suppress', { email: `${name}-9@example.com` })
  }
  for (const [name, caller] of Object.entries(callers)) {
    const found = await caller.get<{ contacts: unknown[] }>('contact.list', {
      tag: 'both',
      limit: 100,
    })
    assert.equal(found.contacts.length, 20, `${name} lists what both have written`)
    for (const message_id of sent) {
      await eventually(
        () => caller.get<{ status: string }>('message.get', { message_id }),
        ({ status }) => status === 'accepted' || status === 'suppressed',
      )
    }
  }
  await eventually(
    async () => receiver.received.length,
    (count) => count >= 20,
  )
  for (const node of [old, current]) assert.doesNotMatch(node.printed(), /"level":(?:50|"error")/)
  assert.ok(existsSync(path.join(folder, 'server')))
})
