/**
 * Only the service's own user may use the folder that DATA_DIR names: it contains the secret, the
 * database and its log. Where root starts the service, the database runs as another user, who may
 * pass through by the folder's group and cannot list anything.
 */
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { StartError } from '../db/start-error.ts'
import type { Log } from '../process/log.ts'
import { type Account, closedTo } from './account.ts'
import { homeName } from './home.ts'

/** `account`: the database's user, where that is not the user who starts the service. */
export function openDataDir(dataDir: string, account: Account | undefined, log: Log): void {
  try {
    if (existsSync(dataDir)) tighten(dataDir, account, log)
    else make(dataDir, account)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`DATA_DIR ${dataDir} cannot be written (${code}). Name a folder that can.`)
  }
}

function make(dataDir: string, account: Account | undefined): void {
  const parent = path.dirname(dataDir)
  if (!existsSync(parent)) mkdirSync(parent, { recursive: true })
  // If several first starts run at once, none may see the folder before its group is set.
  const draft = mkdtempSync(`${dataDir}.`)
  if (account && !closedTo(account, realpathSync(parent))) {
    chownSync(draft, process.getuid?.() ?? -1, account.gid)
    chmodSync(draft, 0o710)
  }
  try {
    renameSync(draft, dataDir)
  } catch (error) {
    rmdirSync(draft)
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOTEMPTY', 'EEXIST'].includes(code)) throw error
  }
}

/** A copy, a restored backup or a chmod -R can leave the folder open to everyone on the machine. */
export function tighten(dataDir: string, account: Account | undefined, log: Log): void {
  const { uid, gid, mode } = statSync(dataDir)
  if (!isOurs(dataDir, account)) return
  const passing = account && account.uid !== uid && !isElsewhere(dataDir)
  const rightMode = passing ? 0o710 : 0o700
  const open = mode & 0o077 & ~rightMode
  if (open === 0) return
  if (passing && gid !== account.gid) chownSync(dataDir, uid, account.gid)
  chmodSync(dataDir, rightMode)
  const was = (mode & 0o777).toString(8)
  log.warn({ folder: dataDir, was, now: rightMode.toString(8) }, 'data_dir.tightened')
}

/** Whether we may set permissions: never on a folder that others use, such as /tmp or /srv. */
function isOurs(folder: string, account: Account | undefined): boolean {
  const real = realpathSync(folder)
  if (path.dirname(path.dirname(real)) === path.dirname(real) || real === homedir()) return false
  const stats = statSync(real)
  if (!stats.isDirectory()) return false
  const { uid, mode } = stats
  const sticky = (mode & 0o1000) !== 0
  const owned = uid === process.getuid?.() || uid === account?.uid
  return owned && !sticky && readdirSync(real).every(isOurName)
}

const names = new Set(['postgres', 'postgres.log', 'secret', 'journal', 'bounce-tls.pem'])

/** Whether it is a name in a DATA_DIR. Drafts of two of the files have an ending. */
function isOurName(name: string): boolean {
  return names.has(name) || name.startsWith('secret.') || name.startsWith('bounce-tls.pem.')
}

function isElsewhere(dataDir: string): boolean {
  return lstatSync(homeName(dataDir), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
