/**
 * Real faults of two processes, seen by Prometheus with the rules of alerts.yaml: only how long a
 * fault has to last is shorter here, and the hours pass on the clock of the API node.
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { nameOf, writeFacts } from 'crier-server/backups/model/backup.ts'
import { enqueue } from 'crier-server/lib/jobs/job.ts'
import { startService as startProcess } from '../crash/support/service-process.ts'
import { openTestbed } from '../operations/support/testbed.ts'
import { freePort } from '../support/network/port.ts'
import { eventually } from '../support/time/eventually.ts'
import { startPrometheus, withoutPrometheus } from './prometheus.ts'

const rules = path.join(import.meta.dirname, '../../docs/operate/alerts.yaml')

/** A clock that can be moved, and goes on by itself. */
function movableClock() {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    forward(ms: number) {
      ahead += ms
    },
  }
}

test('alerts fire when a worker dies, its queue is stuck and a backup gets old, and not before', {
  skip: withoutPrometheus,
}, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crier-faults-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clock = movableClock()
  const settings = { ROLE: 'api', BACKUP_TO: path.join(folder, 'backups') }
  const testbed = await openTestbed({ settings, clock })
  t.after(() => testbed.close())
  const { connection, url } = testbed.service
  await backUp(settings.BACKUP_TO, clock.now())
  const port = await freePort()
  const dataDir = path.join(folder, 'worker')
  mkdirSync(dataDir)
  const worker = await startProcess({
    dataDir,
    port,
    env: {
      DATABASE_URL: `postgres://${connection.user}@localhost/${connection.database}?host=${connection.host}`,
      CRIER_SECRET: 'a secret of the tests, which is thrown away',
      STORAGE_URL: `file://${folder}/files`,
      BASE_URL: 'http://localhost:8080',
      STATUS_PORT: String(port),
    },
    command: [process.execPath, 'cli/bin.mjs', 'serve', '--role', 'worker'],
  })
  t.after(() => worker.stop())
  const quick = path.join(folder, 'alerts.yaml')
  writeFileSync(quick, readFileSync(rules, 'utf8').replaceAll(/\bfor: \w+/g, 'for: 1s'))
  const targets = [new URL(url).host, `127.0.0.1:${port}`]
  const prometheus = await startPrometheus(folder, { rules: quick, targets })
  t.after(() => prometheus.stop())

  const up = `query?query=${encodeURIComponent('sum(up) == 2 and max(crier_workers) == 1')}`
  await eventually(
    () => prometheus.ask(up),
    (answer) => (answer?.result?.length ?? 0) > 0,
  )
  assert.deepEqual(await eventually(prometheus.firing, (names) => names.length === 0), [])

  await worker.kill()
  const gone = await eventually(prometheus.firing, (names) => names.length > 0)
  assert.deepEqual(gone, ['CrierNodeGone'])

  const job = { kind: 'event.fanout', businessId: null, payload: null }
  await testbed.db.tx((tx) => enqueue(tx, [job], clock.now()))
  clock.forward(400_000)
  const stuck = ['CrierNoWorker', 'CrierNodeGone', 'CrierQueueStuck']
  assert.deepEqual(await eventually(prometheus.firing, includesAll(stuck)), stuck)

  clock.forward(37 * 3_600_000)
  const old = ['CrierBackupOld', ...stuck]
  assert.deepEqual(await eventually(prometheus.firing, includesAll(old)), old)
})

const includesAll = (wanted: readonly string[]) => (names: readonly string[]) =>
  wanted.every((name) => names.includes(name))

/** What a complete backup leaves in its folder, as far as its age is concerned. */
async function backUp(to: string, at: Date): Promise<void> {
  const folder = path.join(to, nameOf(at))
  mkdirSync(folder, { recursive: true })
  const startedAt = at.toISOString()
  const facts = { postgres: 18, startedAt, endedAt: startedAt, hasSecret: false, verifiedAt: null }
  await writeFacts(folder, facts as Parameters<typeof writeFacts>[1])
}
