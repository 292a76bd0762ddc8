/** A backup and its facts, wherever it is kept. */
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { BaseBackup } from '../../lib/backup/base-backup.ts'
import { minutes } from '../../lib/time/clock.ts'
import type { Facts } from './facts-queries.ts'

export const factsName = 'crier.json'
export const walFolder = 'wal'
export const ledgerName = 'ledger.jsonl'

/**
 * What a backup holds: the data folder of the embedded database, that of the server at DATABASE_URL, or a dump of
 * the database there.
 */
export type BackupKind = 'embedded' | 'server' | 'dump'

export interface BackupFacts extends BaseBackup {
  /** Absent in backups of before 1.3.0, which are of the embedded database. */
  kind?: BackupKind
  /** The major version of the PostgreSQL that can read it: of a dump, that of the program which made it. */
  postgres: number
  startedAt: string
  endedAt: string
  /** Row counts of the database when the copy was complete. */
  counts: Facts
  /** Whether the backup contains the secret, sealed with a passphrase. */
  hasSecret: boolean
  /** When its copy was last started and checked; null if it never was. */
  verifiedAt: string | null
  /** When a verification last found it unusable, and why; absent or null if its last one passed. */
  failedAt?: string | null
  failure?: string | null
  /**
   * The root key as the database holds it, sealed by each secret that opens it. A restore tries its
   * secret with them before it unpacks anything. Backups of before 1.2.0 have none.
   */
  rootSeals?: readonly string[]
}

export interface Backup extends BackupFacts {
  name: string
}

/** Returns a name such as `2026-11-24T02-00-00Z`, so that names sort by time. */
export function nameOf(at: Date): string {
  return `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

export const isBackupName = (name: string): boolean => name.endsWith('Z') && !name.startsWith('.')

type InTime = Pick<BackupFacts, 'startedAt'> &
  Partial<Pick<BackupFacts, 'systemId' | 'timeline' | 'startLsn' | 'failedAt'>>

/** A backup that was found unusable counts for nothing but its own line in the list. */
export const isGood = ({ failedAt }: Pick<BackupFacts, 'failedAt'>): boolean =>
  failedAt === undefined || failedAt === null

/**
 * When each backup began, in milliseconds. The clock of one may have been ahead: of the backups of
 * one database, a later position in its log shows which is newer, and none is dated after it.
 */
export function beginnings<T extends InTime>(backups: readonly T[]): Map<T, number> {
  const began = new Map(backups.map((backup) => [backup, Date.parse(backup.startedAt)]))
  const logs = Map.groupBy(
    backups.filter(({ startLsn }) => startLsn !== undefined),
    ({ systemId, timeline }) => `${systemId} ${timeline}`,
  )
  for (const log of logs.values()) {
    let next = Number.POSITIVE_INFINITY
    const newestBeforeOthers = (a: T, b: T) =>
      comparePositions(b.startLsn, a.startLsn) || Date.parse(b.startedAt) - Date.parse(a.startedAt)
    for (const backup of log.toSorted(newestBeforeOthers)) {
      next = Math.min(next, began.get(backup) ?? next)
      began.set(backup, next)
    }
  }
  return began
}

export function newestFirst(backups: readonly Backup[]): Backup[] {
  const began = beginnings(backups)
  return backups.toSorted(
    (a, b) =>
      (began.get(b) ?? 0) - (began.get(a) ?? 0) ||
      comparePositions(b.startLsn, a.startLsn) ||
      (a.name < b.name ? 1 : -1),
  )
}

function comparePositions(a = '0/0', b = '0/0'): number {
  const [left, right] = [a, b].map((lsn) => {
    const [high = '0', low = '0'] = lsn.split('/')
    return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
  }) as [bigint, bigint]
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** The clocks of two machines may differ by so much. */
const clockToleranceMs = minutes(5)

/** Whether the clock was ahead when it was made, so that its age is unknown. */
export const isFromFuture = ({ startedAt }: Pick<BackupFacts, 'startedAt'>, now: Date): boolean =>
  Date.parse(startedAt) > now.getTime() + clockToleranceMs

/** The newest good backup whose age can be told. @param backups newest first. */
export function newestGood<T extends Pick<BackupFacts, 'startedAt' | 'failedAt'>>(
  backups: readonly T[],
  now: Date,
): T | undefined {
  return backups.find((backup) => isGood(backup) && !isFromFuture(backup, now))
}

/** If two backups begin in the same second, one gets the name of the next second. */
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

/** A backup whose facts cannot be read is one that failed; the others stay usable beside it. */
export function parseFacts(text: string, name: string): BackupFacts {
  try {
    return JSON.parse(text) as BackupFacts
  } catch {
    const startedAt = new Date(timeOf(name)).toISOString()
    return {
      startedAt,
      endedAt: startedAt,
      verifiedAt: null,
      hasSecret: false,
      startLsn: '0/0',
      endLsn: '0/0',
      timeline: 0,
      systemId: '',
      bytes: 0,
      postgres: 0,
      counts: { migrations: 0, users: 0, businesses: 0, contacts: 0, campaigns: 0 },
      failedAt: startedAt,
      failure: `Its file ${factsName} is damaged.`,
    }
  }
}

/** The time in a name such as 2026-11-24T02-00-00Z; that of the epoch for a name that has none. */
export function timeOf(name: string): number {
  const [day = '', time = ''] = name.split('T')
  return Date.parse(`${day}T${time.replaceAll('-', ':')}`) || 0
}

/** Facts that are written again replace the old ones whole. */
export async function writeFacts(folder: string, facts: BackupFacts): Promise<void> {
  const file = path.join(folder, factsName)
  await writeFile(`${file}.new`, factsText(facts), { mode: 0o600, flush: true })
  await rename(`${file}.new`, file)
}

/** Returns undefined if the folder holds no complete backup. */
export async function readFacts(folder: string): Promise<BackupFacts | undefined> {
  try {
    return parseFacts(await readFile(path.join(folder, factsName), 'utf8'), path.basename(folder))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined
    throw error
  }
}
