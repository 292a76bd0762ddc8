/** ArchiveSettings the embedded database copies its log to. */
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { BackupSettings } from '../../config/backup-place.ts'
import { isWalName } from '../../lib/backup/wal-names.ts'
import { homeName } from '../../lib/postgres/home.ts'
import { walFolder } from '../model/backup.ts'

interface ArchiveSettings {
  backupTo: BackupSettings | undefined
  dataDir: string
}

/**
 * The folder below which the database's server copies its files, in one folder for each cluster: the archive itself, or beside the
 * database, from where a worker sends them to the bucket.
 */
export function archiveOf({ backupTo, dataDir }: ArchiveSettings): string | undefined {
  if (backupTo === undefined) return undefined
  return backupTo.kind === 'folder'
    ? path.join(backupTo.folder, walFolder)
    : path.join(homeName(dataDir), 'wal-to-send')
}

const isWhole = (name: string) => isWalName(name) || name.endsWith('.history')

/** The files that wait to be sent, as `system/name`, those of each cluster oldest first. */
export async function filesToSend(spool: string): Promise<string[]> {
  const found: string[] = []
  for (const systemId of await readdir(spool).catch(() => [])) {
    const names = await readdir(path.join(spool, systemId)).catch(() => [])
    for (const name of names.filter(isWhole).toSorted()) found.push(`${systemId}/${name}`)
  }
  return found
}

/** Since when the oldest file of the log waits to be sent; undefined if none does. */
export async function waitingSince({
  backupTo,
  dataDir,
}: ArchiveSettings): Promise<Date | undefined> {
  const spool = archiveOf({ backupTo, dataDir })
  if (backupTo?.kind !== 'bucket' || spool === undefined) return undefined
  const [oldest] = await filesToSend(spool)
  if (oldest === undefined) return undefined
  return (await stat(path.join(spool, oldest)).catch(() => undefined))?.mtime
}
