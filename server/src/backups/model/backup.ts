/** A backup and its facts, wherever it is kept. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BaseBackup } from '../../lib/backup/base-backup.ts'
import type { Facts } from './facts-queries.ts'

export const factsName = 'crier.json'
export const walFolder = 'wal'
export const ledgerName = 'ledger.jsonl'

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
}

/** Returns a name such as `2026-11-24T02-00-00Z`, so that names sort by time. */
export function nameOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

export const isBackupName = (name: string): boolean => name.endsWith('Z') && !name.startsWith('.')

export const newestFirst = (backups: readonly Backup[]): Backup[] =>
  backups.toSorted((a, b) => (a.name < b.name ? 1 : -1))

/** Of two backups that began in the same second, one gets the next second's name. */
export async function freeName(
  startedAt: Date,
  isTaken: (name: string) => boolean | Promise<boolean>,
): Promise<string> {
  for (let at = startedAt.getTime(); ; at += 1_000) {
    const name = nameOf(new Date(at))
    if (!(await isTaken(name))) return name
  }
}

export const factsText = (facts: BackupFacts): string => `${JSON.stringify(facts, null, 2)}\n`

export function parseFacts(text: string): BackupFacts {
  return JSON.parse(text) as BackupFacts
}

export async function writeFacts(folder: string, facts: BackupFacts): Promise<void> {
  await writeFile(path.join(folder, factsName), factsText(facts), { mode: 0o600, flush: true })
}

/** Returns undefined if the folder holds no complete backup. */
export async function readFacts(folder: string): Promise<BackupFacts | undefined> {
  try {
    return parseFacts(await readFile(path.join(folder, factsName), 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}
