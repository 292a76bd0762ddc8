/** The continuous archive: each write-ahead log file is copied out of the data folder. */
import { chmodSync, mkdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../db/start-error.ts'
import { type Account, closedTo } from './account.ts'
import { privateFolder } from './home.ts'

/** Seconds after which a partly filled file is copied too: the most that a disk loss can cost. */
export const archiveSeconds = 60

export function archiveSettings(archive: string | undefined): Record<string, string> {
  if (archive === undefined) return {}
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': archive,
    archive_timeout: String(archiveSeconds),
  }
}

/** The server itself writes there, so its user must be able to enter the folder. */
export function archiveFolder(folder: string, account: Account | undefined): string {
  makeParents(folder, account)
  privateFolder(folder, account)
  const real = realpathSync(folder)
  const closed = account && closedTo(account, real)
  if (!closed) return real
  throw new StartError(
    `The archive ${real} belongs to uid ${account.uid}, the database's user, which may not pass through ${closed}. Allow it with chmod o+x ${closed}, or set BACKUP_TO to a folder that others can enter.`,
  )
}

/** A folder of ours above the archive lets the server's user pass, who cannot list what is in it. */
function makeParents(folder: string, account: Account | undefined): void {
  const parent = path.dirname(folder)
  const first = mkdirSync(parent, { recursive: true, mode: 0o700 })
  if (first === undefined || account === undefined) return
  for (let at = parent; at.length >= first.length; at = path.dirname(at)) chmodSync(at, 0o711)
}
