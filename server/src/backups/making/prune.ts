/** Decides which backups stay: the last of each of seven days, and of each of four weeks. */
import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { isWalBefore, walFileAt } from '../../lib/backup/wal-names.ts'
import { type Backup, listBackups, walFolder } from '../model/backup.ts'

export const keptBackups = { days: 7, weeks: 4 }

/** Selects the backups to delete from all backups, newest first. The newest one always stays. */
export function superfluous<T extends Pick<Backup, 'startedAt'>>(backups: readonly T[]): T[] {
  const newestOf = (keyOf: (day: number) => number, most: number) => {
    const lastOfEach = new Map<number, T>()
    for (const one of backups) {
      const key = keyOf(Math.floor(Date.parse(one.startedAt) / 86_400_000))
      if (!lastOfEach.has(key)) lastOfEach.set(key, one)
    }
    return [...lastOfEach.values()].slice(0, most)
  }
  const kept = new Set([
    ...newestOf((day) => day, keptBackups.days),
    // Day 0 was a Thursday; weeks begin on Mondays.
    ...newestOf((day) => Math.floor((day + 3) / 7), keptBackups.weeks),
  ])
  return backups.filter((one) => !kept.has(one))
}

export interface Pruned {
  removed: string[]
  /** The number of archive files that were deleted because no remaining backup needs them. */
  archiveFiles: number
}

export async function pruneBackups(folder: string): Promise<Pruned> {
  const backups = await listBackups(folder)
  const gone = superfluous(backups)
  for (const one of gone) await rm(one.folder, { recursive: true, force: true })
  const oldest = backups.findLast((one) => !gone.includes(one))
  const archive = path.join(folder, walFolder)
  const names = oldest ? await readdir(archive).catch(() => []) : []
  const first = oldest ? walFileAt(oldest.timeline, oldest.startLsn) : ''
  const unneeded = names.filter((name) => isWalBefore(name, first))
  for (const name of unneeded) await rm(path.join(archive, name), { force: true })
  return { removed: gone.map(({ name }) => name), archiveFiles: unneeded.length }
}
