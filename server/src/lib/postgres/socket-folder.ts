/**
 * The folder of the socket. The socket's path may have at most 107 bytes (103 on macOS), which a
 * deep DATA_DIR exceeds; then `run` is a link to a short folder.
 */
import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../db/start-error.ts'
import type { Account } from './account.ts'
import { privateFolder } from './home.ts'
import { socketName } from './locks.ts'

const limit = process.platform === 'linux' ? 107 : 103

/** Returns the same folder at every start, and for all simultaneous starts. */
export function socketFolder(home: string, account: Account | undefined): string {
  const run = path.join(home, 'run')
  if (Buffer.byteLength(path.join(run, socketName)) <= limit) return privateFolder(run, account)
  if (!lstatSync(run, { throwIfNoEntry: false })) linkShort(run)
  const short = readlinkSync(run)
  unlessThere(() => mkdirSync(short, { mode: 0o700 })) // A reboot may have emptied /tmp.
  if (isOurs(short, account)) return privateFolder(short, account)
  throw new StartError(`${short} is not ours. Remove the link ${run}, and start Crier again.`)
}

/** A temporary short folder, which the caller removes. */
export function shortFolder(account: Account | undefined): string {
  return privateFolder(mkdtempSync('/tmp/crier-'), account)
}

function linkShort(run: string): void {
  const short = mkdtempSync('/tmp/crier-')
  if (!unlessThere(() => symlinkSync(short, run))) rmdirSync(short)
}

/** False where another start or a stranger has already created the name. */
function unlessThere(make: () => void): boolean {
  try {
    make()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** In a folder that all may write to, the name may belong to someone else or be a link. */
function isOurs(folder: string, account: Account | undefined): boolean {
  const stats = lstatSync(folder)
  return stats.isDirectory() && [process.getuid?.(), account?.uid].includes(stats.uid)
}
