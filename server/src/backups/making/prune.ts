/**
 * Decides which backups stay: the last good one of each of seven days, and of each of four weeks. One
 * that failed its verification keeps no day, and stays only until a good one is newer.
 */
import { isWalBefore, walFileAt } from '../../lib/backup/wal-names.ts'
import { type Backup, type BackupFacts, beginnings, isGood } from '../model/backup.ts'
import type { ArchivedFile, BackupPlace } from '../places/place.ts'

export const keptBackups = { days: 7, weeks: 4 }

type Dated = Pick<BackupFacts, 'startedAt' | 'failedAt'> &
  Partial<Pick<BackupFacts, 'systemId' | 'timeline' | 'startLsn'>>

/** Selects the backups to delete from all backups, newest first. The newest good one always stays. */
export function superfluous<T extends Dated>(backups: readonly T[]): T[] {
  const good = backups.filter(isGood)
  const began = beginnings(good)
  const newestGoodAt = backups.findIndex(isGood)
  const newestOf = (keyOf: (day: number) => number, limit: number) => {
    const lastOfEach = new Map<number, T>()
    for (const backup of good) {
      const key = keyOf(Math.floor((began.get(backup) ?? 0) / 86_400_000))
      if (!lastOfEach.has(key)) lastOfEach.set(key, backup)
    }
    return [...lastOfEach.values()].slice(0, limit)
  }
  const names = new Set([
    ...newestOf((day) => day, keptBackups.days),
    // Day 0 was a Thursday; weeks begin on Mondays.
    ...newestOf((day) => Math.floor((day + 3) / 7), keptBackups.weeks),
  ])
  return backups.filter((backup, index) =>
    isGood(backup) ? !names.has(backup) : newestGoodAt !== -1 && newestGoodAt < index,
  )
}

export interface Pruned {
  removed: string[]
  /** The number of archive files that were deleted because no remaining backup needs them. */
  archiveFiles: number
}

/** A bucket takes one request for each file. */
const removedAtOnce = 8

/**
 * @param ownSystem The cluster that is in use, which may have no backup yet.
 * @param isDryRun Whether it only tells what would be removed.
 */
export async function pruneBackups(
  backupPlace: BackupPlace,
  ownSystem: string | undefined,
  isDryRun = false,
): Promise<Pruned> {
  const backups = await backupPlace.list()
  const gone = superfluous(backups)
  if (!isDryRun) for (const { name } of gone) await backupPlace.remove(name)
  const isNeeded = neededFiles(
    backups.filter((backup) => !gone.includes(backup)),
    ownSystem,
  )
  let archiveFiles = 0
  const removing = new Set<Promise<void>>()
  for await (const file of backupPlace.archived()) {
    if (isNeeded(file)) continue
    archiveFiles++
    if (isDryRun) continue
    const removal = backupPlace.removeArchived(file).finally(() => removing.delete(removal))
    removing.add(removal)
    if (removing.size >= removedAtOnce) await Promise.race(removing)
  }
  await Promise.all(removing)
  return { removed: gone.map(({ name }) => name), archiveFiles }
}

/** What leads on from the oldest backup of a cluster stays. Of a cluster without one nothing does. */
function neededFiles(backups: readonly Backup[], ownSystem: string | undefined) {
  const firstOf = new Map<string, string>()
  // Newest first, so that the oldest of each cluster is set last.
  for (const { systemId, timeline, startLsn } of backups) {
    firstOf.set(systemId, walFileAt(timeline, startLsn))
  }
  return ({ systemId, name }: ArchivedFile): boolean => {
    const first = firstOf.get(systemId)
    if (first !== undefined) return !isWalBefore(name, first)
    // A backup of the cluster in use may be under way. Without any backup nothing is known.
    return systemId === ownSystem || backups.length === 0
  }
}
