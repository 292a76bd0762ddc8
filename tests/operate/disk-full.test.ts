/**
 * The disk of the embedded database fills up beneath a working service. It is a small file system in
 * memory, which only root may mount: elsewhere the test says loudly that it was skipped.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import { superuser } from 'crier-server/lib/postgres/cluster.ts'
import { serviceDatabase, serviceRole } from 'crier-server/lib/postgres/presence.ts'
import { stopServer } from 'crier-server/lib/postgres/server.ts'
import pg from 'pg'
import { startService } from '../crash/support/service-process.ts'
import { testbedAt } from '../operations/support/testbed.ts'
import { startFakeRelay } from '../support/mail/fake-relay.ts'
import { freePort } from '../support/network/port.ts'
import { temporaryDataDir } from '../support/postgres/data-dir.ts'
import { fillUp, mountDisk, unmountDisk } from '../support/processes/small-disk.ts'
import { eventually, until } from '../support/time/eventually.ts'

/** Enough for PostgreSQL's programs, a new cluster and its log. */
const diskMegabytes = 320
const secret = 'a secret of the tests, which is thrown away'

/** Ends PostgreSQL as a full disk does: its log has no room for the next file. */
async function endByLog(host: string): Promise<void> {
  const admin = new pg.Client({ host, user: superuser, database: 'postgres' })
  admin.on('error', () => {})
  await admin.connect()
  try {
    for (let files = 0; files < 20; files++) {
      await admin.query('select pg_switch_wal()')
      await admin.query(`select pg_logical_emit_message(true, 'crier', 'a record')`)
    }
  } catch {
    return
  } finally {
    await admin.end().catch(() => {})
  }
  throw new Error('the log still had room')
}

test('a full disk is told within seconds, in words, and nothing acknowledged is lost', async (t) => {
  await using opened = new AsyncDisposableStack()
  const dataDir = temporaryDataDir()
  opened.defer(() => dataDir.remove().catch(() => {}))
  const skipped = mountDisk(dataDir.path, diskMegabytes)
  if (skipped) return t.skip(skipped)
  opened.defer(() => unmountDisk(dataDir.path))
  const relay = await startFakeRelay()
  opened.defer(() => relay.stop())
  const port = await freePort()
  const env = { CRIER_SECRET: secret, SMTP_URL: relay.url(), SENDER_GATE: 'off' }
  const start = () => startService({ dataDir: dataDir.path, port, env })
  const service = await start()
  opened.defer(() => service.kill())
  const host = path.join(dataDir.path, 'postgres', 'run')
  const connection = { host, user: serviceRole, database: serviceDatabase }
  const db = openDatabase({ connection, poolSize: 2 })
  opened.defer(() => db.end())
  const vault = await openVault(db, secret, new Date())
  const config = readConfig({ PORT: String(port) })
  const endpoint = `${service.origin}/api/functions/svc-mcp`
  const { owner } = await testbedAt({ db, vault, config, endpoint }).someone('scale')
  const readiness = async () => {
    const answer = await fetch(`${service.origin}/readyz`)
    const { checks } = (await answer.json()) as { checks: Record<string, string> }
    return { status: answer.status, database: checks['database'] ?? '' }
  }
  const mails = new Map<string, object>()
  const acknowledged = new Set<string>()
  const send = async (name = `mail-${mails.size}`) => {
    const text = randomBytes(40_000).toString('hex')
    const to = `${name}@example.com`
    const mail = mails.get(name) ?? { to, subject: name, text, idempotency_key: name }
    mails.set(name, mail)
    const answer = await owner.call('email.send', mail)
    if (answer.kind === 'answer') acknowledged.add(name)
    else assert.deepEqual([answer.status, answer.body['code']], [503, 'unavailable'])
    return answer
  }
  const filler = path.join(dataDir.path, 'filler')
  const back = async () => {
    rmSync(filler)
    const began = performance.now()
    await eventually(readiness, ({ status }) => status === 200)
    return Math.round(performance.now() - began)
  }

  // Tables cannot grow, and PostgreSQL goes on: calls that write are refused, others are answered.
  await send()
  fillUp(filler)
  const refused = await eventually(send.bind(null, undefined), ({ kind }) => kind === 'refusal')
  assert.match(refused.text, /no disk space left.*idempotency_key/)
  const told = await readiness()
  assert.equal(told.status, 503)
  assert.match(told.database, /^has no disk space left\. Free up/)
  assert.equal((await owner.call('business.list')).kind, 'answer')
  const goneOnMs = await back()

  // Its log cannot grow, and PostgreSQL ends until there is room.
  fillUp(filler)
  await endByLog(host)
  await send()
  const down = await eventually(readiness, ({ status }) => status === 503, 20_000)
  assert.match(down.database, /^has no disk space left/)
  const startedMs = await back()

  assert.ok(acknowledged.size < mails.size, 'some calls were refused')
  for (const name of mails.keys()) {
    if (!acknowledged.has(name)) assert.equal((await send(name)).kind, 'answer')
  }
  const taken = () => relay.taken.map(({ to }) => to).toSorted()
  await until(() => relay.taken.length >= mails.size, 'every mail')
  assert.deepEqual(taken(), [...mails.keys()].map((name) => `${name}@example.com`).toSorted())
  const ends = () => service.printed().split('database.works_again').length - 1
  await until(() => ends() === 2, 'the end of both is logged')
  const lines = service.printed().matchAll(/"outage":"(\w+)".*"msg":"(database\.\w+)"/g)
  const states = [...lines].map(([, outage, event]) => `${event} ${outage}`)
  assert.equal(states.filter((line) => line === 'database.outage disk_full').length, 2)
  assert.ok(states.length <= 6, `one line a state: ${states.join(', ')}`)

  // A start on a full disk ends, and says why.
  await service.kill()
  await stopServer(path.join(dataDir.path, 'postgres', 'data'), 'SIGQUIT')
  fillUp(filler)
  await assert.rejects(start(), /The database does not start\. It has no disk space left/)
  t.diagnostic(`ready ${goneOnMs} ms after there was room, and ${startedMs} ms where it had ended`)
})
