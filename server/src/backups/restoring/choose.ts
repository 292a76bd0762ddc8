/** Chooses the backup from which a restore starts. */
import { StartError } from '../../lib/db/start-error.ts'
import type { Backup } from '../model/backup.ts'
import type { Source } from '../places/open.ts'
import type { BackupPlace } from '../places/place.ts'

export interface Chosen {
  backup: Backup
  place: BackupPlace
  /** Whether an archive leads from the backup to later moments. */
  hasArchive: boolean
}

export async function chooseBackup({ place, only }: Source, at: Date | undefined): Promise<Chosen> {
  const all = (await place.list()).filter(({ name }) => only === undefined || name === only)
  if (all.length === 0) {
    throw new StartError(
      `${place.name} holds no ${only ? `backup ${only}` : 'backup of Crier'}. Name a backup, or the place of them.`,
    )
  }
  const backup = all.find(({ endedAt }) => at === undefined || new Date(endedAt) <= at)
  if (!backup) {
    const first = all.at(-1)
    throw new StartError(
      `No backup is from before ${at?.toISOString()}; the first ended ${first?.endedAt}. Name a later time.`,
    )
  }
  const hasArchive = await place.hasArchive(backup.systemId)
  if (hasArchive || at === undefined) return { backup, place, hasArchive }
  throw new StartError(
    `${place.name} holds no archive (wal), so that only the moments of the backups can be restored. Leave --at out.`,
  )
}
