/** What the figures that are read every few seconds tell of the backups. */
import { stat } from 'node:fs/promises'
import type { BackupSettings } from '../config/backup-place.ts'
import { type Backup, isGood, newestGood } from './model/backup.ts'
import { openPlace } from './places/open.ts'

const bucketEveryMs = 300_000

export interface BackupState {
  /** The newest good one. */
  newest: Pick<Backup, 'startedAt'> | undefined
  /** How many failed their verification. */
  failed: number
}

export type ReadBackupState = (now: Date) => Promise<BackupState>

/**
 * When the last backup of a server of the operator's own ended well: its tool touches the file
 * BACKUP_STAMP. A moment to come is of a clock that was ahead, and counts for nothing.
 */
export async function stampedAt(file: string, now: Date): Promise<Date | undefined> {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return stats && stats.mtime.getTime() <= now.getTime() + clockSkewMs ? stats.mtime : undefined
}

/** The clocks of two machines that share a disk. */
const clockSkewMs = 60_000

const none: BackupState = { newest: undefined, failed: 0 }

/**
 * A folder is read at each call. A bucket, where each look is a request that costs and can take
 * long, is read every five minutes in the background; until then the last answer is given.
 */
export function createBackupState(
  settings: BackupSettings | undefined,
  elapsed: () => number = () => performance.now(),
): ReadBackupState {
  if (settings === undefined) return async () => none
  const read = async () => (await openPlace(settings)).list()
  const stateOf = (backups: readonly Backup[], now: Date): BackupState => ({
    newest: newestGood(backups, now),
    failed: backups.filter((backup) => !isGood(backup)).length,
  })
  if (settings.kind === 'folder') return async (now) => stateOf(await read(), now)
  let listed: readonly Backup[] = []
  let readAt = Number.NEGATIVE_INFINITY
  return async (now) => {
    if (elapsed() - readAt < bucketEveryMs) return stateOf(listed, now)
    const isFirst = readAt === Number.NEGATIVE_INFINITY
    readAt = elapsed()
    // A bucket that does not answer leaves the last answer, whose age grows.
    const reading = read().then(
      (backups) => {
        listed = backups
      },
      () => undefined,
    )
    if (isFirst) await reading
    return stateOf(listed, now)
  }
}
