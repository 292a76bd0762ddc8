/**
 * Restores an installation into a new folder: the database of a backup, rolled forward by the
 * archive, and the secret that opens it. Before a service can start with it, the restore makes sure
 * that nothing is sent twice and nobody who opted out gets a message.
 */
import { existsSync, readFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { refuse } from '../../core/errors.ts'
import { opensRootSeals } from '../../core/installation/root-key.ts'
import { type ArchiveFeed, startFeed } from '../../lib/backup/archive-feed.ts'
import { type RunningCopy, startCopy, unpackBackup } from '../../lib/backup/copy.ts'
import { tarName } from '../../lib/backup/copy-files.ts'
import { openDatabase } from '../../lib/db/db.ts'
import { migrate } from '../../lib/db/migrate.ts'
import { StartError } from '../../lib/db/start-error.ts'
import type { Database } from '../../lib/db/types.ts'
import { privateFolder } from '../../lib/postgres/home.ts'
import { partialName } from '../../lib/postgres/leftovers.ts'
import { prepareHome } from '../../lib/postgres/open.ts'
import { shortFolder } from '../../lib/postgres/socket-folder.ts'
import type { Backup } from '../model/backup.ts'
import { openSecret, secretName } from '../model/passphrase.ts'
import { type Chosen, chooseBackup } from './choose.ts'
import { fileOf, putBeside, type Restored, type RestoreOptions, safely } from './finish.ts'

export async function restore(options: RestoreOptions): Promise<Restored> {
  const { source, at, clock, say } = options
  const chosen = await chooseBackup(source, { at, now: clock.now(), say })
  // Everything that can be refused is refused before any file is written.
  const secret = await secretFor(options, chosen)
  refuseSecretOfOther(chosen.backup, secret)
  const opened = { chosen, secret }
  const { kind = 'embedded' } = chosen.backup
  if (kind === 'embedded') return restoreEmbedded(options, opened)
  const { restoreDumped, restoreServerCopy } = await import('./restore-server.ts')
  return kind === 'dump' ? restoreDumped(options, opened) : restoreServerCopy(options, opened)
}

async function restoreEmbedded(
  options: RestoreOptions,
  { chosen, secret }: { chosen: Chosen; secret: string },
): Promise<Restored> {
  const { at, dataDir, databaseUrl, log, say } = options
  const { backup, backupPlace, hasArchive } = chosen
  if (databaseUrl !== undefined) {
    throw refuse(
      'conflict',
      `DATABASE_URL is set, but the backup ${backup.name} is of an embedded database, and its restore creates one. Unset DATABASE_URL.`,
    )
  }
  const { home, data, account, binaries } = await prepareHome({ dataDir, log }, backup.postgres)
  if (existsSync(data)) {
    throw new StartError(
      `${dataDir} holds a database already. Set DATA_DIR to a new folder, or move this one away.`,
    )
  }
  const room = privateFolder(partialName(home, 'restore'), account)
  const run = shortFolder(account)
  let feed: ArchiveFeed | undefined
  try {
    say(`Unpacking ${backup.name} …`)
    const unpacked = path.join(room, 'data')
    await unpackBackup(await fileOf(chosen, tarName), unpacked, account)
    if (hasArchive) {
      const { systemId } = backup
      const fetchFile = (name: string, file: string) =>
        backupPlace.fetchArchived({ systemId, name }, file)
      feed = await startFeed(path.join(room, 'wal'), account, fetchFile)
      await writeFile(path.join(unpacked, 'recovery.signal'), '')
    }
    const cluster = { binaries, account, data: unpacked, run, log: path.join(room, 'postgres.log') }
    say(feed ? 'Leading it on by the archive …' : 'Starting it …')
    const restored = await onCopy(
      () => startCopy(cluster, feed ? recoveryOf(feed, at) : {}),
      (db) => safely(db, options, { chosen, secret }),
    )
    await putBeside(options, { chosen, secret })
    await rename(unpacked, data)
    return restored
  } catch (error) {
    // What the server says of it is less than why its file could not be had.
    throw feed?.error ?? error
  } finally {
    await feed?.stop()
    await rm(room, { recursive: true, force: true, maxRetries: 3 })
    await rm(run, { recursive: true, force: true })
  }
}

async function onCopy<T>(
  start: () => Promise<RunningCopy>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const copy = await start()
  try {
    await migrate(copy.connection)
    const db = openDatabase({ connection: copy.connection, poolSize: 2 })
    try {
      return await work(db)
    } finally {
      await db.end()
    }
  } finally {
    await copy.stop()
  }
}

async function secretFor({ secret, passphrase, dataDir }: RestoreOptions, chosen: Chosen) {
  if (secret !== undefined) return secret
  const file = path.join(dataDir, 'secret')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  if (chosen.backup.hasSecret) {
    const sealed = Buffer.concat(await Array.fromAsync(await fileOf(chosen, secretName)))
    return openSecret(sealed.toString(), passphrase)
  }
  throw new StartError(
    `The secret is not in this backup, which was made without a passphrase, and nothing sealed in it opens without one. Set CRIER_SECRET to it, or put its file at ${file}.`,
  )
}

/** Otherwise a wrong secret would be found only after hours of unpacking and replaying. */
function refuseSecretOfOther({ name, rootSeals = [] }: Backup, secret: string): void {
  if (rootSeals.length === 0 || opensRootSeals(rootSeals, secret)) return
  throw new StartError(
    `The secret does not open what is sealed in the backup ${name}. Set CRIER_SECRET to the secret that the installation had, or leave it out and set BACKUP_PASSPHRASE where the backup holds the secret; nothing was unpacked.`,
  )
}

/** A shell of the server runs the command. */
function recoveryOf({ command }: ArchiveFeed, at: Date | undefined): Record<string, string> {
  return {
    restore_command: command,
    recovery_target_action: 'promote',
    // PostgreSQL accepts no abbreviation such as Z here.
    ...(at && { recovery_target_time: at.toISOString().replace('Z', '+00') }),
  }
}
