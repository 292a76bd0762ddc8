/** Checks the folders of this machine: free disk space, and who writes to the journal. */
import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { openPlace } from '../backups/places/open.ts'
import type { Config } from '../config.ts'
import { writersOf } from '../lib/concurrency/journal-lock.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

export function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(path.dirname(folder))
}

/** Free bytes. Below the lower number a database may stop within hours. */
const room = { warn: 2e9, fail: 3e8 }

export async function diskFinding(folder: string): Promise<Finding> {
  const { free, summary } = await roomIn(folder)
  if (free >= room.warn) return ok('disk', summary)
  const mend = 'Free up disk space, or move DATA_DIR. A full disk stops all writes.'
  return free < room.fail ? fail('disk', summary, mend) : warn('disk', summary, mend)
}

async function roomIn(folder: string): Promise<{ free: number; summary: string }> {
  const { bavail, bsize, blocks } = await statfs(folder)
  const [free, total] = [bavail * bsize, blocks * bsize]
  return { free, summary: `${(free / 1e9).toFixed(1)} GB of ${(total / 1e9).toFixed(1)} free` }
}

/** The free disk space at BACKUP_TO. Undefined for a bucket, whose room is its provider's. */
export async function backupDiskFinding(
  { backupTo, dataDir }: Pick<Config, 'backupTo' | 'dataDir'>,
  look = roomIn,
): Promise<Finding | undefined> {
  if (backupTo?.kind !== 'folder') return undefined
  const { folder } = backupTo
  const at = nearestFolder(folder)
  const backupPlace = await openPlace(backupTo)
  const [newest] = await backupPlace.list()
  const { free, summary } = await look(at)
  const mend = `Free up disk space in ${folder}. When it is full, no backups are made and the log is not archived.`
  if (free < room.fail) return fail('backup disk', summary, mend)
  // A backup is made before the oldest one is removed. Its bytes are counted before compression.
  if (free < Math.max(room.warn, newest?.bytes ?? 0)) return warn('backup disk', summary, mend)
  const [backupDisk, dataDisk] = await Promise.all([stat(at), stat(nearestFolder(dataDir))])
  const shared = backupDisk.dev === dataDisk.dev
  return ok('backup disk', shared ? `${summary}; DATA_DIR is on the same disk` : summary)
}

/** Whether another machine writes to the journal, which a worker must have to itself. */
export async function journalFinding(dataDir: string, watchMs?: number): Promise<Finding> {
  const folder = path.join(dataDir, 'journal')
  switch (await writersOf(folder, watchMs)) {
    case 'none':
      return ok(
        'journal',
        existsSync(folder) ? `${folder}, not in use` : 'created by the first worker',
      )
    case 'this machine':
      return ok('journal', `${folder}, in use by a worker of this machine`)
    case 'another machine':
      return fail(
        'journal',
        `another machine writes to ${folder}`,
        'Give each worker a DATA_DIR on a disk of its own.',
      )
  }
}
