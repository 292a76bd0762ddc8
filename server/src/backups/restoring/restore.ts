/**
 * Restores an installation into a new folder: the database of a backup, rolled forward by the
 * archive, and the secret that opens it. Before a service can start with it, the restore makes sure
 * that nothing is sent twice and nobody who opted out gets a message.
 */
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openVault } from '../../core/installation/root-key.ts'
import { startCopy, unpackBackup } from '../../lib/backup/copy.ts'
import { isWalBefore, walFileAt } from '../../lib/backup/wal-names.ts'
import { openDatabase } from '../../lib/db/db.ts'
import { migrate } from '../../lib/db/migrate.ts'
import { StartError } from '../../lib/db/start-error.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Account } from '../../lib/postgres/account.ts'
import { privateFolder } from '../../lib/postgres/home.ts'
import { partialName } from '../../lib/postgres/leftovers.ts'
import { prepareHome } from '../../lib/postgres/open.ts'
import { shortFolder } from '../../lib/postgres/socket-folder.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { ledgerName } from '../model/backup.ts'
import { openSecret } from '../model/passphrase.ts'
import { unpackUploads } from '../model/uploads.ts'
import { type Chosen, chooseBackup } from './choose.ts'
import { type MadeSafe, makeSafe } from './make-safe.ts'

export interface RestoreOptions {
  /** A backup, or the folder of all backups. */
  source: string
  /** The moment to restore; by default the last one in the archive. */
  at?: Date | undefined
  dataDir: string
  /** CRIER_SECRET, if it is set. */
  secret: string | undefined
  passphrase: string | undefined
  /** The ledger of opt-outs; by default the file beside the backups. */
  ledger?: string | undefined
  /** The folder for uploads; undefined if they are in a bucket. */
  uploads?: string | undefined
  clock: Clock
  log: Log
  say: (line: string) => void
}

export interface Restored extends MadeSafe {
  backup: string
}

export async function restore(options: RestoreOptions): Promise<Restored> {
  const { source, at, dataDir, log, say } = options
  const chosen = await chooseBackup(source, at)
  const { backup } = chosen
  // Everything that can be refused is refused before any file is written.
  const secret = await secretFor(options, chosen)
  const { home, data, account, binaries } = await prepareHome({ dataDir, log }, backup.postgres)
  if (existsSync(data)) {
    throw new StartError(
      `${dataDir} holds a database already. Set DATA_DIR to a new folder, or move this one away.`,
    )
  }
  const room = privateFolder(partialName(home, 'restore'), account)
  const run = shortFolder(account)
  try {
    say(`Unpacking ${backup.name} …`)
    const unpacked = path.join(room, 'data')
    await unpackBackup(backup.folder, unpacked, account)
    const wal = await copyArchive(chosen, room, account)
    if (wal) await writeFile(path.join(unpacked, 'recovery.signal'), '')
    const cluster = { binaries, account, data: unpacked, run, log: path.join(room, 'postgres.log') }
    say(wal ? 'Leading it on by the archive …' : 'Starting it …')
    const copy = await startCopy(cluster, wal ? recoveryOf(wal, at) : {})
    let restored: Restored
    try {
      await migrate(copy.connection)
      const db = openDatabase({ connection: copy.connection, poolSize: 2 })
      try {
        restored = await safely(db, options, { chosen, secret })
      } finally {
        await db.end()
      }
    } finally {
      await copy.stop()
    }
    await keepSecretFile(options, secret)
    await unpackUploads(backup.folder, options.uploads)
    await rename(unpacked, data)
    return restored
  } finally {
    await rm(room, { recursive: true, force: true, maxRetries: 3 })
    await rm(run, { recursive: true, force: true })
  }
}

async function secretFor({ secret, passphrase, dataDir }: RestoreOptions, { backup }: Chosen) {
  if (secret !== undefined) return secret
  const file = path.join(dataDir, 'secret')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  if (backup.hasSecret) return openSecret(backup.folder, passphrase)
  throw new StartError(
    `The secret is not in this backup, which was made without a passphrase, and nothing sealed in it opens without one. Set CRIER_SECRET to it, or put its file at ${file}.`,
  )
}

/** Copies the log segments that the copy may need to a folder that its user can read. */
async function copyArchive(
  { archive, backup }: Chosen,
  room: string,
  account: Account | undefined,
): Promise<string | undefined> {
  if (archive === undefined) return undefined
  const wal = privateFolder(path.join(room, 'wal'), account)
  const first = walFileAt(backup.timeline, backup.startLsn)
  for (const name of await readdir(archive)) {
    if (name.startsWith('archtemp') || isWalBefore(name, first)) continue
    await copyFile(path.join(archive, name), path.join(wal, name))
  }
  return wal
}

/** A shell of the server runs the command. The folder's name is our own and has no quotes. */
function recoveryOf(wal: string, at: Date | undefined): Record<string, string> {
  return {
    restore_command: `cp "${wal}/%f" "%p"`,
    recovery_target_action: 'promote',
    // PostgreSQL accepts no abbreviation such as Z here.
    ...(at && { recovery_target_time: at.toISOString().replace('Z', '+00') }),
  }
}

async function safely(
  db: Database,
  { clock, at, ledger }: RestoreOptions,
  { chosen, secret }: { chosen: Chosen; secret: string },
): Promise<Restored> {
  const { backup, folder } = chosen
  const now = clock.now()
  const vault = await openVault(db, secret, now)
  const made = await makeSafe(db, {
    now,
    hmac: vault.hmac,
    ledger: ledger ?? path.join(folder, ledgerName),
    knownUntil: new Date(backup.endedAt),
    at,
  })
  return { backup: backup.name, ...made }
}

async function keepSecretFile({ dataDir, secret: named }: RestoreOptions, secret: string) {
  const file = path.join(dataDir, 'secret')
  if (named !== undefined || existsSync(file)) return
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(file, `${secret}\n`, { flag: 'wx', mode: 0o600, flush: true })
}
