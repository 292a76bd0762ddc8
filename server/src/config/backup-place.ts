/** Where backups are kept, and the ledger of opt-outs: on a disk of this machine, or in a bucket. */
import path from 'node:path'
import { type BucketAccess, type BucketSettings, readBucket } from './storage.ts'

export type BackupSettings = { kind: 'folder'; folder: string } | BucketSettings

export type LedgerSettings = { kind: 'file'; file: string } | BucketSettings

const isBucket = (value: string) => value.startsWith('s3:')

/** @param name of the setting or argument, for an error. */
export function readBackupPlace(value: string, name: string, access: BucketAccess): BackupSettings {
  if (isBucket(value)) {
    return readBucket(value, { name, access, forms: 'a folder, or s3://bucket/prefix' })
  }
  return { kind: 'folder', folder: path.resolve(value) }
}

export function readLedgerPlace(value: string, access: BucketAccess): LedgerSettings {
  if (isBucket(value)) {
    return readBucket(value, { name: 'LEDGER_TO', access, forms: 'a file, or s3://bucket/prefix' })
  }
  return { kind: 'file', file: path.resolve(value) }
}

/** The ledger beside the backups. */
export function ledgerBeside(backups: BackupSettings): LedgerSettings {
  return backups.kind === 'folder'
    ? { kind: 'file', file: path.join(backups.folder, 'ledger.jsonl') }
    : { ...backups, prefix: `${backups.prefix}ledger/` }
}
