import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { factsName, nameOf } from '../backups/model/backup.ts'
import { lockJournal } from '../lib/concurrency/journal-lock.ts'
import { backupDiskFinding, diskFinding, journalFinding } from './check-folders.ts'

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-folders-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('the free space of the disks of DATA_DIR and of BACKUP_TO is reported', async (t) => {
  const dataDir = folderFor(t)
  assert.match((await diskFinding(dataDir)).text, /^\d+\.\d GB of \d+\.\d free$/)
  const settings = {
    backupTo: { kind: 'folder' as const, folder: path.join(dataDir, 'to') },
    dataDir,
  }
  const seen = await backupDiskFinding(settings)
  assert.match(seen?.text ?? '', /^\d+\.\d GB of \d+\.\d free; DATA_DIR is on the same disk$/)
  const outcome = async (free: number) =>
    (await backupDiskFinding(settings, async () => ({ free, summary: '' })))?.outcome
  assert.deepEqual(
    [await outcome(2e9), await outcome(2e9 - 1), await outcome(3e8), await outcome(3e8 - 1)],
    ['ok', 'warn', 'warn', 'fail'],
  )
  // The next backup would not fit beside one of five gigabytes.
  const backup = path.join(dataDir, 'to', nameOf(new Date()))
  mkdirSync(backup, { recursive: true })
  writeFileSync(path.join(backup, factsName), JSON.stringify({ bytes: 5e9 }))
  assert.deepEqual([await outcome(5e9), await outcome(5e9 - 1)], ['ok', 'warn'])
  assert.equal(await backupDiskFinding({ backupTo: undefined, dataDir }), undefined)
})

test('who writes to the journal is reported, and nothing in it is changed', async (t) => {
  const dataDir = folderFor(t)
  const folder = path.join(dataDir, 'journal')
  assert.equal((await journalFinding(dataDir)).text, 'created by the first worker')
  assert.deepEqual(readdirSync(dataDir), [])
  const own = await lockJournal(folder)
  assert.match((await journalFinding(dataDir)).text, /in use by a worker of this machine$/)
  await own.close()
  const lock = path.join(folder, `${randomUUID()}.${randomUUID()}.lock`)
  writeFileSync(lock, '')
  assert.match((await journalFinding(dataDir, 50)).text, /, not in use$/)
  const beat = setInterval(() => utimesSync(lock, new Date(), new Date()), 10)
  const { outcome, text } = await journalFinding(dataDir, 200)
  clearInterval(beat)
  assert.deepEqual([outcome, text], ['fail', `another machine writes to ${folder}`])
  assert.equal(readdirSync(folder).length, 1)
})
