/** A backup is damaged on its disk: what the commands, the check and the figures know of it. */
import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, rm, truncate } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { createBackupState } from 'crier-server/backups/newest.ts'
import { backupFinding } from 'crier-server/checks/check-outside.ts'
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import { migrate } from 'crier-server/lib/db/migrate.ts'
import { createMetrics } from 'crier-server/lib/metrics/metrics.ts'
import { openPostgres } from 'crier-server/lib/postgres/open.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { backupCommands, listBackups, restoreInto } from 'crier-server/operator/backups.ts'
import { silentLog } from '../support/silent-log.ts'

const secret = 'a secret of the tests alone, long enough'

test('a backup that fails its verification is told everywhere, and never costs a good one', async (t) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-failed-'))
  await chmod(folder, 0o755)
  t.after(() => rm(folder, { recursive: true, force: true }))
  const at = (name: string) => path.join(folder, name)
  const settings = { BACKUP_TO: at('backups'), CRIER_SECRET: secret }
  const config = readConfig({
    ...settings,
    DATA_DIR: at('data'),
    BASE_URL: 'https://crier.example',
  })
  const postgres = await openPostgres({ ...config, log: silentLog })
  t.after(() => postgres.stop())
  await migrate(postgres.connection)
  const db = openDatabase({ connection: postgres.connection, poolSize: 2 })
  t.after(() => db.end())
  await openVault(db, secret, new Date())
  const parts = { db, config, clock: systemClock, own: postgres.own }
  const commands = backupCommands(parts)
  const make = async () => String((await commands.make({ passphrase: 'a passphrase' }))['backup'])

  const good = await make()
  const damaged = await make()
  await truncate(path.join(at('backups'), damaged, 'base.tar.zst'), 100_000)
  // Another secret is no fault of the backup.
  const other = backupCommands({ ...parts, config: { ...config, secret: 'x'.repeat(40) } })
  await assert.rejects(other.verify(good), /The secret is not the one/)
  await assert.rejects(
    commands.verify(damaged),
    /failed its verification\. Its file base\.tar\.zst is damaged/,
  )

  const rows = new Map((await listBackups(config)).map((row) => [row['backup'], row]))
  assert.ok(rows.get(damaged)?.['failed_at'])
  assert.match(String(rows.get(damaged)?.['failure']), /damaged/)
  assert.equal(rows.get(good)?.['failed_at'], undefined)
  const { outcome, text } = await backupFinding(config, new Date())
  assert.equal(outcome, 'warn')
  assert.match(text, new RegExp(`${damaged} failed its verification: Its file`))
  const state = await createBackupState(config.backupTo)(new Date())
  assert.equal(state.failed, 1)
  assert.match(await metricsOf(state.failed), /^crier_backups_failed 1$/m)

  const names = async () => (await readdir(at('backups'))).filter((name) => name.endsWith('Z'))
  assert.deepEqual(await commands.prune({ dryRun: true }), {
    dry_run: true,
    would_remove: [],
    archive_files: 0,
  })
  await commands.prune()
  assert.deepEqual(await names(), [good, damaged])

  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const restoring = { clock: systemClock, log: silentLog, say }
  const target = readConfig({ ...settings, DATA_DIR: at('restored') })
  const wanted = { source: at('backups') }
  const wrong = { ...target, secret: 'x'.repeat(40) }
  await assert.rejects(
    restoreInto(wrong, wanted, restoring),
    /secret does not open what is sealed in the backup .* nothing was unpacked/,
  )
  assert.ok(!lines.some((line) => line.startsWith('Unpacking')))
  const restored = await restoreInto(target, wanted, restoring)
  assert.equal(restored['backup'], good)
  assert.ok(lines.some((line) => line.startsWith(`Passing over ${damaged}, which failed`)))

  // Once a newer good one is there, the damaged one goes, and the older one of the day.
  const newest = await make()
  const { removed } = await commands.prune()
  assert.deepEqual((removed as string[]).toSorted(), [good, damaged].toSorted())
  assert.deepEqual(await names(), [newest])
})

function metricsOf(backupsFailed: number): Promise<string> {
  const figures = {
    workers: 1,
    oldestSeconds: {},
    dead: {},
    isSendingPaused: false,
    diskFreeBytes: 1,
    backupAgeSeconds: 1,
    backupsFailed,
    partitionsAhead: {},
  }
  const pool = { busy: 0, idle: 0, waiting: 0, waitedSeconds: 0 }
  return createMetrics({
    figures: async () => figures,
    databaseWorks: async () => true,
    relays: () => [],
    own: () => ({ pool, shards: 0, rateRefusals: {} }),
  }).print()
}
