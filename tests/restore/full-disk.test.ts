import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { mountDisk, unmountDisk } from '../support/processes/small-disk.ts'
import { newBackupFolder, openInstallation, passphrase } from './support/installation.ts'

test('a backup without room says so, leaves nothing, and is made once there is room', async (t) => {
  await using opened = new AsyncDisposableStack()
  const backups = await newBackupFolder()
  opened.defer(() => backups.remove())
  const skipped = mountDisk(backups.path, 1)
  if (skipped) return t.skip(skipped)
  opened.defer(() => unmountDisk(backups.path))
  const installation = await openInstallation({ BACKUP_PASSPHRASE: passphrase })
  opened.defer(() => installation.close())
  const kept = async () => (await readdir(backups.path)).filter((name) => name !== 'wal')
  const backUp = () => installation.crier(['backup'], { BACKUP_TO: backups.path })

  const refused = await backUp()
  assert.equal(refused.code, 8, refused.stderr)
  assert.ok(refused.stderr.includes(`${backups.path} has no room left for a backup`))
  assert.deepEqual(await kept(), [])
  assert.equal((await fetch(`${installation.service.origin}/readyz`)).status, 200)

  unmountDisk(backups.path)
  mountDisk(backups.path, 300)
  const made = await backUp()
  assert.equal(made.code, 0, made.stderr)
  assert.deepEqual(await kept(), [JSON.parse(made.stdout).backup])
})
