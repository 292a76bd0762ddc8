/** A backup in its folder, with its facts. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BaseBackup } from '../../lib/backup/base-backup.ts'
import type { Facts } from './facts-queries.ts'

export const factsName = 'crier.json'
export const walFolder = 'wal'
export const ledgerName = 'ledger.jsonl'

/** The folder to which the embedded database copies its log. */
export function archiveOf({ backupTo }: { backupTo: string | undefined }): string | undefined {
  return backupTo === undefined ? undefined : path.join(backupTo, walFolder)
}

export interface BackupFacts extends BaseBackup {
  /** The major version of the PostgreSQL that can read it. */
  postgres: number
  startedAt: string
  endedAt: string
  /** Row counts of the database when the copy was complete. */
  counts: Facts
  /** Whether the backup contains the secret, sealed with a passphrase. */
  hasSecret: boolean
  /** When its copy was last started and checked; null if it never was. */
  verifiedAt: string | null
}

export interface Backup extends BackupFacts {
  name: string
  folder: string
}

/** Returns a name such as `2026-11-24T02-00-00Z`, so that names sort by time. */
export function nameOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

export async function writeFacts(folder: string, facts: BackupFacts): Promise<void> {
  const file = path.join(folder, factsName)
  await writeFile(file, `${JSON.stringify(facts, null, 2)}\n`, { mode: 0o600, flush: true })
}

/** Returns undefined if the folder holds no complete backup. */
export async function readBackup(folder: string): Promise<Backup | undefined> {
  try {
    const text = await readFile(path.join(folder, factsName), 'utf8')
    return { ...(JSON.parse(text) as BackupFacts), name: path.basename(folder), folder }
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}

/** Lists all complete backups, newest first. */
export async function listBackups(folder: string): Promise<Backup[]> {
  const names = await readdir(folder).catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('Z') && !name.startsWith('.'))
      .map((name) => readBackup(path.join(folder, name))),
  )
  return found.filter((one) => one !== undefined).toSorted((a, b) => (a.name < b.name ? 1 : -1))
}
