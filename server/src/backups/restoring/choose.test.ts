import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Backup } from '../model/backup.ts'
import type { BackupPlace } from '../places/place.ts'
import { chooseBackup } from './choose.ts'

const now = new Date('2026-11-24T12:00:00Z')

const made = (startedAt: string, more: object = {}) =>
  ({
    name: startedAt,
    startedAt,
    endedAt: startedAt,
    verifiedAt: startedAt,
    systemId: '7',
    timeline: 1,
    ...more,
  }) as Backup

const failed = { failedAt: '2026-11-24T09:00:00Z', failure: 'Its file is damaged.' }

/** What is chosen of these backups, newest first, and what is said. */
async function chosen(backups: Backup[], { only, at }: { only?: string; at?: Date } = {}) {
  const lines: string[] = []
  const place = {
    name: '/backups',
    list: async () => backups,
    hasArchive: async () => true,
  } as Partial<BackupPlace> as BackupPlace
  const source = only === undefined ? { backupPlace: place } : { backupPlace: place, only }
  const { backup } = await chooseBackup(source, { at, now, say: (line) => lines.push(line) })
  return { name: backup.name, said: lines.join(' ') }
}

const good = made('2026-11-22T02:00:00Z')
const damaged = made('2026-11-23T02:00:00Z', failed)

test('a restore passes a failed backup over, and says which it takes', async () => {
  const { name, said } = await chosen([damaged, good])
  assert.equal(name, good.name)
  assert.match(
    said,
    /Passing over 2026-11-23T02:00:00Z, which failed .* Its file is damaged\. Taking/,
  )
  assert.match(said, /Taking 2026-11-22T02:00:00Z, verified 2026-11-22T02:00:00Z\./)
  assert.equal((await chosen([damaged, good], { at: now })).name, good.name)
})

test('a failed backup is taken only if it is named', async () => {
  await assert.rejects(chosen([damaged]), /Every backup in \/backups failed .* Its file is damaged/)
  const { name, said } = await chosen([damaged, good], { only: damaged.name })
  assert.equal(name, damaged.name)
  assert.match(said, /failed its verification: Its file is damaged/)
})

test('a date in the future makes no backup the newest', async () => {
  const elsewhere = made('2027-12-24T02:00:00Z', { systemId: '8' })
  assert.equal((await chosen([elsewhere, good])).name, good.name)
  // It comes later in the log of the same database.
  const ahead = made('2027-12-24T02:00:00Z')
  assert.equal((await chosen([ahead, good])).name, ahead.name)
  assert.equal((await chosen([elsewhere])).name, elsewhere.name, 'the only one')
})
