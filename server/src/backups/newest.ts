/** The newest backup, for figures that are read every few seconds. */
import type { BackupSettings } from '../config/backup-place.ts'
import type { Backup } from './model/backup.ts'
import { openPlace } from './places/open.ts'

const bucketEveryMs = 300_000

export type NewestBackup = () => Promise<Pick<Backup, 'startedAt'> | undefined>

/**
 * A folder is read at each call. A bucket, where each look is a request that costs and can take
 * long, is read every five minutes in the background; until then the last answer is given.
 */
export function createNewestBackup(
  settings: BackupSettings | undefined,
  elapsed: () => number = () => performance.now(),
): NewestBackup {
  if (settings === undefined) return async () => undefined
  const read = async () => (await (await openPlace(settings)).list())[0]
  if (settings.kind === 'folder') return read
  let known: Pick<Backup, 'startedAt'> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (elapsed() - readAt < bucketEveryMs) return known
    const isFirst = readAt === Number.NEGATIVE_INFINITY
    readAt = elapsed()
    // A bucket that does not answer leaves the last answer, whose age grows.
    const reading = read().then(
      (newest) => {
        known = newest
      },
      () => undefined,
    )
    if (isFirst) await reading
    return known
  }
}
