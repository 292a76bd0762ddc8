/** Chooses the backup from which a restore starts. */
import { StartError } from '../../lib/db/start-error.ts'
import { type Backup, isFromFuture, isGood } from '../model/backup.ts'
import type { Source } from '../places/open.ts'
import type { BackupPlace } from '../places/place.ts'

export interface Chosen {
  backup: Backup
  backupPlace: BackupPlace
  /** Whether an archive leads from the backup to later moments. */
  hasArchive: boolean
}

interface Wanted {
  at: Date | undefined
  now: Date
  say: (line: string) => void
}

/** One that failed its verification is taken only if it is named. */
export async function chooseBackup(
  { backupPlace, only }: Source,
  { at, now, say }: Wanted,
): Promise<Chosen> {
  const all = (await backupPlace.list()).filter(({ name }) => only === undefined || name === only)
  if (all.length === 0) {
    throw new StartError(
      `${backupPlace.name} holds no ${only ? `backup ${only}` : 'backup of Crier'}. Name a backup, or the place of them.`,
    )
  }
  const usable = only === undefined ? all.filter(isGood) : all
  if (usable.length === 0) {
    const [{ name, failure } = all[0] as Backup] = all
    throw new StartError(
      `Every backup in ${backupPlace.name} failed its verification, the newest, ${name}, because: ${failure} To try one all the same, name it in place of the folder of all.`,
    )
  }
  const backup = newestOf(
    usable.filter(({ endedAt }) => at === undefined || new Date(endedAt) <= at),
    now,
  )
  if (!backup) {
    const first = usable.at(-1)
    throw new StartError(
      `No backup is from before ${at?.toISOString()}; the first ended ${first?.endedAt}. Name a later time.`,
    )
  }
  for (const { name, failure } of all
    .slice(0, all.indexOf(backup))
    .filter((entry) => !isGood(entry))) {
    say(`Passing over ${name}, which failed its verification: ${failure}`)
  }
  if (!isGood(backup)) say(`${backup.name} failed its verification: ${backup.failure}`)
  say(
    `Taking ${backup.name}, ${backup.verifiedAt ? `verified ${backup.verifiedAt}` : 'not verified'}.`,
  )
  const hasArchive = await backupPlace.hasArchive(backup.systemId)
  if (hasArchive || at === undefined) return { backup, backupPlace, hasArchive }
  throw new StartError(
    `${backupPlace.name} holds no archive (wal), so that only the moments of the backups can be restored. Leave --at out.`,
  )
}

/**
 * The date of a backup that lies in the future says nothing. It is the newest only where it comes
 * later in the log of the same database than the newest with a date that can be true.
 */
function newestOf(backups: readonly Backup[], now: Date): Backup | undefined {
  const sound = backups.find((backup) => !isFromFuture(backup, now))
  return (
    backups.find(
      (backup) =>
        sound === undefined ||
        backup === sound ||
        (backup.systemId === sound.systemId && backup.timeline === sound.timeline),
    ) ?? sound
  )
}
