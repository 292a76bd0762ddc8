/**
 * The folders of an embedded database: `DATA_DIR/postgres` with the runtime, the
 * cluster (`data`) and its socket (`run`). Where the database's user cannot reach
 * DATA_DIR, as below /root, that name is a link to a folder that it can reach.
 */
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmdirSync,
  symlinkSync,
} from 'node:fs'
import path from 'node:path'
import { StartError } from '../db/start-error.ts'
import { type Account, closedTo } from './account.ts'

const elsewhere = '/var/lib/crier'

/** Finds or creates the home of the database, and returns its real path. */
export function openHome(dataDir: string, account: Account | undefined): string {
  const name = homeName(dataDir)
  if (!lstatSync(name, { throwIfNoEntry: false })) makeHome(name, account)
  const home = followed(name)
  const closed = account && closedTo(account, home)
  if (!closed) return home
  throw new StartError(
    `The database in ${home} belongs to uid ${account.uid}, which may not pass through ${closed}. Allow it with chmod o+x ${closed}, or move the data below a folder that others can enter.`,
  )
}

export function homeName(dataDir: string): string {
  return path.join(dataDir, 'postgres')
}

/** False only where there is certainly no database: a folder that others may not look into may hold one. */
export function mayHoldDatabase(dataDir: string): boolean {
  try {
    return lstatSync(homeName(dataDir), { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

function followed(name: string): string {
  try {
    return realpathSync(name)
  } catch {
    throw new StartError(
      `${name} is a link to a database that is gone. Bring it back, or remove the link to begin with an empty one.`,
    )
  }
}

function makeHome(name: string, account: Account | undefined): void {
  const dataDir = path.dirname(name)
  mkdirSync(dataDir, { recursive: true })
  if (!account || !closedTo(account, realpathSync(dataDir))) {
    mkdirSync(name, { recursive: true })
    chmodSync(name, 0o755)
    return
  }
  mkdirSync(elsewhere, { recursive: true })
  chmodSync(elsewhere, 0o755)
  // The name must not derive from the path: a new clone there would find the old one's data.
  const target = mkdtempSync(`${elsewhere}/`)
  chmodSync(target, 0o755)
  try {
    symlinkSync(target, name)
  } catch (error) {
    rmdirSync(target)
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** A folder that only the database's user may enter. */
export function privateFolder(folder: string, account: Account | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (account) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
  return folder
}
