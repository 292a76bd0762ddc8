/**
 * PostgreSQL's two lock files, one in the data folder and one beside the socket. PostgreSQL takes
 * any living process with the pid in them for a server and waits for the operator. But that pid may
 * belong to another program by now, as happens when a container starts again, or to a killed server
 * that has not been reaped yet.
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

/** The pid that a lock file contains, alive or not. */
export function lockHolder(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined
  } catch {
    return undefined
  }
}

/**
 * Removes lock files that no server of this cluster holds. A mistake is harmless: the cluster's
 * shared memory, found by its data folder, keeps a second server out.
 */
export function dropStaleLocks(data: string, run: string): void {
  for (const file of [dataLock(data), socketLock(run)]) {
    const pid = lockHolder(file)
    if (pid !== undefined && isAlive(pid) && !isServerOf(data, pid)) drop(file, pid)
  }
}

/** Only Linux can tell. Elsewhere any living pid counts as a server, as in PostgreSQL. */
export function isServerOf(data: string, pid: number): boolean {
  if (process.platform !== 'linux') return true
  try {
    // A server's working directory is its data folder. A dead process has none.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch {
    return false
  }
}

/** Moves the file away first and checks it again: a faster start may have put its own there. */
function drop(file: string, pid: number): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
    if (lockHolder(aside) !== pid) linkSync(aside, file)
    rmSync(aside)
  } catch {
    // Another start is removing it at the same time.
  }
}
