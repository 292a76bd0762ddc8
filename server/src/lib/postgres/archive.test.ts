import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { archiveFolder } from './archive.ts'

const asRoot = { skip: process.getuid?.() !== 0 && 'only root can give a folder to another user' }

test(
  'the database’s user may pass through a place of backups that is made, and through no other',
  asRoot,
  (t) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-archive-'))
    t.after(() => rmSync(folder, { recursive: true }))
    chmodSync(folder, 0o711)
    const account = { uid: 65_534, gid: 65_534 }
    const archive = path.join(folder, 'shop', 'backups', 'wal')
    archiveFolder(archive, account)
    const modeOf = (name: string) => statSync(name).mode & 0o777
    assert.deepEqual(
      [archive, path.dirname(archive), path.join(folder, 'shop')].map(modeOf),
      [0o700, 0o711, 0o711],
    )
    const own = path.join(folder, 'own')
    mkdirSync(own, { mode: 0o700 })
    assert.throws(() => archiveFolder(path.join(own, 'wal'), account), {
      name: 'StartError',
      message: /chmod o\+x .*own, or set BACKUP_TO/,
    })
  },
)
