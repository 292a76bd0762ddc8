/** The place of backups that a setting or an argument names. What a bucket needs is loaded then. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { type BackupSettings, readBackupPlace } from '../../config/backup-place.ts'
import type { BucketAccess } from '../../config/storage.ts'
import { readFacts } from '../model/backup.ts'
import { folderPlace } from './folder.ts'
import type { BackupPlace } from './place.ts'

export async function openPlace(settings: BackupSettings): Promise<BackupPlace> {
  if (settings.kind === 'folder') return folderPlace(settings.folder)
  const { bucketPlace } = await import('./bucket.ts')
  return bucketPlace(settings)
}

export interface Source {
  backupPlace: BackupPlace
  /** The one backup that is meant; undefined for any of the place. */
  only?: string
}

/** @param source One backup, or the place of all of them, as a person writes it. */
export async function openSource(source: string, access: BucketAccess): Promise<Source> {
  const settings = readBackupPlace(source, 'The source', access)
  if (settings.kind === 'folder') {
    const { folder } = settings
    if (!existsSync(folder) || !(await readFacts(folder)))
      return { backupPlace: folderPlace(folder) }
    return { backupPlace: folderPlace(path.dirname(folder)), only: path.basename(folder) }
  }
  const { prefix, ...bucket } = settings
  // One backup of a bucket: s3://bucket/prefix/backups/2026-11-24T02-00-00Z
  const [name = '', folder, ...above] = prefix.split('/').slice(0, -1).toReversed()
  if (folder !== 'backups') return { backupPlace: await openPlace(settings) }
  const outer = above.toReversed().map((part) => `${part}/`)
  return { backupPlace: await openPlace({ ...bucket, prefix: outer.join('') }), only: name }
}
