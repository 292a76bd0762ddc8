/** Chooses the backup from which a restore starts. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../../lib/db/start-error.ts'
import { type Backup, listBackups, readBackup, walFolder } from '../model/backup.ts'

export interface Chosen {
  backup: Backup
  /** The folder of all backups, which also contains the ledger. */
  folder: string
  /** The archive that leads from the backup to later moments, if there is one. */
  archive: string | undefined
}

/** @param source A backup, or the folder of all of them, whose newest suitable one is chosen. */
export async function chooseBackup(source: string, at: Date | undefined): Promise<Chosen> {
  const one = await readBackup(source)
  const folder = one ? path.dirname(source) : source
  const all = one ? [one] : await listBackups(source)
  if (all.length === 0) {
    throw new StartError(
      `${source} holds no backup of Crier. Name a backup, or the folder of them.`,
    )
  }
  const backup = all.find(({ endedAt }) => at === undefined || new Date(endedAt) <= at)
  if (!backup) {
    const first = all.at(-1)
    throw new StartError(
      `No backup is from before ${at?.toISOString()}; the first ended ${first?.endedAt}. Name a later time.`,
    )
  }
  const archive = path.join(folder, walFolder)
  if (existsSync(archive)) return { backup, folder, archive }
  if (at === undefined) return { backup, folder, archive: undefined }
  throw new StartError(
    `${folder} holds no archive (${walFolder}), so that only the moments of the backups can be restored. Leave --at out.`,
  )
}
