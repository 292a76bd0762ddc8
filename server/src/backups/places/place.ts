/** Where backups are kept. A backup is there once its facts are, which are written last. */
import type { LedgerStore } from '../ledger/store.ts'
import type { Backup, BackupFacts } from '../model/backup.ts'

export interface BackupPlace {
  /** As people write it: a folder, or s3://bucket/prefix. */
  readonly name: string
  /** The opt-outs beside the backups. */
  readonly ledger: LedgerStore
  /** All complete backups, newest first. */
  list(): Promise<Backup[]>
  /** Whether there is an archive of this cluster's log. */
  hasArchive(systemId: string): Promise<boolean>
  /** Names a folder of this machine in which a backup is made; it does not exist yet. */
  workshop(home: string, startedAt: Date): Promise<string>
  /** Keeps a backup that was made in this folder; the folder may be gone afterwards. */
  keep(folder: string, facts: BackupFacts, onProgress: Progress): Promise<Backup>
  /** A file of a backup; undefined if the backup does not have it. */
  read(name: string, file: string): Promise<AsyncIterable<Uint8Array> | undefined>
  writeFacts(backup: Backup): Promise<void>
  remove(name: string): Promise<void>
  /** The files in the archives of all clusters. */
  archived(): AsyncIterable<ArchivedFile>
  /** Copies a file of an archive to `file`. False if the archive does not have it. */
  fetchArchived(archived: ArchivedFile, file: string): Promise<boolean>
  removeArchived(archived: ArchivedFile): Promise<void>
}

export interface ArchivedFile {
  /** The number of the cluster whose log it is. */
  systemId: string
  name: string
}

export type Stage = 'copy' | 'upload'

/** Bytes done, and the estimated total. */
export type Progress = (stage: Stage, done: number, of: number) => void
