import assert from 'node:assert/strict'
import { chmod, chown, readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { newBackupFolder, openInstallation, passphrase } from './support/installation.ts'

test('a backup is made while the archive of the log cannot be written', async (t) => {
  const [archive, backups] = [await newBackupFolder(), await newBackupFolder()]
  t.after(() => Promise.all([archive.remove(), backups.remove()]))
  const env = { BACKUP_TO: archive.path, BACKUP_PASSPHRASE: passphrase }
  const installation = await openInstallation(env)
  t.after(() => installation.close())
  const wal = path.join(archive.path, 'wal')
  const [systemId = ''] = await readdir(wal)
  // As root, the database runs as a user of its own, who owns the folder.
  if (process.getuid?.() === 0) await chown(path.join(wal, systemId), 0, 0)
  await chmod(path.join(wal, systemId), 0o500)

  const made = await installation.crier(['backup'], { BACKUP_TO: backups.path })
  assert.equal(made.code, 0, made.stderr)
  const { backup } = JSON.parse(made.stdout)
  const verified = await installation.crier(['backups', 'verify', backup], {
    BACKUP_TO: backups.path,
  })
  assert.equal(verified.code, 0, verified.stderr)
})
