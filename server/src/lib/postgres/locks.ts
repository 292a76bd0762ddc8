/**
 * PostgreSQL's two lock files, one in the data folder and one beside the socket.
 * It takes any living process of the pid in them for a server and waits for a hand;
 * but that pid may have been given to another program since, as happens when a
 * container starts again, or be that of a killed server that nobody has reaped yet.
 */
import { linkSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isAlive } from './leftovers.ts'

export const socketName = '.s.PGSQL.5432'

export function dataLock(data: string): string {
  return path.join(data, 'postmaster.pid')
}

function socketLock(run: string): string {
  return path.join(run, `${socketName}.lock`)
}

/** The pid that a lock file names, alive or not. */
export function lockHolder(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

/**
 * Removes lock files that no server of this cluster holds. Safe even if we err: the
 * cluster's shared memory, found by its data folder, keeps a second server out.
 */
export function dropStaleLocks(data: string, run: string): void {
  for (const file of [dataLock(data), socketLock(run)]) {
    const pid = lockHolder(file)
    if (pid !== undefined && isAlive(pid) && !isServerOf(data, pid)) drop(file, pid)
  }
}

/** Only Linux tells; elsewhere a living pid is believed, as PostgreSQL does. */
export function isServerOf(data: string, pid: number): boolean {
  if (process.platform !== 'linux') return true
  try {
    // A server works in its data folder. A dead one works nowhere.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch {
    return false
  }
}

/** Takes it away first and looks again: a faster start may have put its own there. */
function drop(file: string, pid: number): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (lockHolder(aside) !== pid) linkSync(aside, file)
    rmSync(aside)
  } catch {
    // Another start drops it at the same time.
  }
}
