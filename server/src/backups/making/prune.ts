/** Decides which backups stay: the last of each of seven days, and of each of four weeks. */
import { isWalBefore, walFileAt } from '../../lib/backup/wal-names.ts'
import type { Backup } from '../model/backup.ts'
import type { BackupPlace } from '../places/place.ts'

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

/** A bucket takes one request for each file. */
const removedAtOnce = 8

export async function pruneBackups(place: BackupPlace): Promise<Pruned> {
  const backups = await place.list()
  const gone = superfluous(backups)
  for (const { name } of gone) await place.remove(name)
  const oldest = backups.findLast((one) => !gone.includes(one))
  if (!oldest) return { removed: [], archiveFiles: 0 }
  const first = walFileAt(oldest.timeline, oldest.startLsn)
  let archiveFiles = 0
  const removing = new Set<Promise<void>>()
  for await (const name of place.archived()) {
    if (!isWalBefore(name, first)) continue
    archiveFiles++
    const one = place.removeArchived(name).finally(() => removing.delete(one))
    removing.add(one)
    if (removing.size >= removedAtOnce) await Promise.race(removing)
  }
  await Promise.all(removing)
  return { removed: gone.map(({ name }) => name), archiveFiles }
}
