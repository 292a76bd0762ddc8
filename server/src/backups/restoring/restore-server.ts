/**
 * Restores what `crier backup` made of a server at DATABASE_URL: a dump into an empty database, or the copy
 * of a data folder into a new one, which that server is then started with.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { type RunningCopy, startCopy, unpackBackup } from '../../lib/backup/copy.ts'
import { tarName } from '../../lib/backup/copy-files.ts'
import {
  type DumpPrograms,
  dumpName,
  findDumpPrograms,
  restoreDump,
} from '../../lib/backup/dump.ts'
import { detachedSettings } from '../../lib/backup/server-copy.ts'
import { openDatabase, sql } from '../../lib/db/db.ts'
import { migrate } from '../../lib/db/migrate.ts'
import { StartError } from '../../lib/db/start-error.ts'
import type { Database } from '../../lib/db/types.ts'
import { type Account, databaseAccount, ownerOf } from '../../lib/postgres/account.ts'
import { chooseBinaries, defaultSources } from '../../lib/postgres/binaries.ts'
import { privateFolder } from '../../lib/postgres/home.ts'
import { partialName } from '../../lib/postgres/leftovers.ts'
import { refusePooledUrl } from '../../lib/postgres/pooler.ts'
import { shortFolder } from '../../lib/postgres/socket-folder.ts'
import { connectionOf } from '../../lib/postgres/url.ts'
import type { Backup } from '../model/backup.ts'
import type { Chosen } from './choose.ts'
import { fileOf, putBeside, type Restored, type RestoreOptions, safely } from './finish.ts'

interface Opened {
  chosen: Chosen
  secret: string
}

export async function restoreDumped(options: RestoreOptions, opened: Opened): Promise<Restored> {
  const { databaseUrl, log, say } = options
  const { backup } = opened.chosen
  if (databaseUrl === undefined) {
    throw new StartError(
      `The backup ${backup.name} is a dump. Set DATABASE_URL to an empty database of PostgreSQL ${backup.postgres} or newer (createdb --owner=crier crier).`,
    )
  }
  const connection = await connectionOf(databaseUrl, log)
  await refusePooledUrl(databaseUrl, 'a restore')
  const db = openDatabase({ connection, poolSize: 2 })
  try {
    const programs = await programsFor(backup, await refuseUsed(db))
    say(`Restoring ${backup.name} …`)
    await restoreDump(programs, databaseUrl, await fileOf(opened.chosen, dumpName))
    await migrate(connection)
    const restored = await safely(db, options, opened)
    // A dump has no statistics, without which the first hours would be slow.
    await db.run(sql`analyze`)
    await putBeside(options, opened)
    return restored
  } finally {
    await db.end()
  }
}

/** Older ones cannot read the dump, and to an older server newer ones say what it refuses. */
async function programsFor({ name, postgres }: Backup, server: number): Promise<DumpPrograms> {
  if (server < postgres) {
    throw new StartError(
      `The backup ${name} was made by pg_dump of PostgreSQL ${postgres}, and the server is PostgreSQL ${server}. Restore it to a database of PostgreSQL ${postgres} or newer.`,
    )
  }
  const programs = await findDumpPrograms({ oldest: postgres, newest: server })
  if (programs) return programs
  const versions = server === postgres ? `${postgres}` : `${postgres} to ${server}`
  throw new StartError(
    `This machine has no pg_restore of PostgreSQL ${versions}. Install it (on Debian: apt install postgresql-client-${server}).`,
  )
}

/** The server's major version, where the database is as empty as it has to be. */
async function refuseUsed(db: Database): Promise<number> {
  const { table, major } = await db.one<{ table: string | null; major: number }>(sql`
    select (select min(relname::text) from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')) as table,
      current_setting('server_version_num')::int / 10000 as major
  `)
  if (table === null) return major
  throw new StartError(
    `The database of DATABASE_URL (of DATABASE_DIRECT_URL, where that is set) is not empty: it has the table ${table}. Make a new one (createdb --owner=crier crier), and name it.`,
  )
}

export async function restoreServerCopy(
  options: RestoreOptions,
  opened: Opened,
): Promise<Restored> {
  const { folder: target, databaseUrl, say } = options
  const { backup } = opened.chosen
  if (target === undefined || databaseUrl === undefined) {
    throw new StartError(
      `The backup ${backup.name} is the data folder of a server of PostgreSQL ${backup.postgres}. Stop that server, and name its new folder (--to /var/lib/postgresql/${backup.postgres}/main), with DATABASE_URL set as the service has it.`,
    )
  }
  const folder = path.resolve(target)
  await refuseFull(folder)
  const parent = path.dirname(folder)
  await mkdir(parent, { recursive: true })
  const account = await accountFor(folder)
  const sources = { embedded: undefined, system: (await defaultSources()).system }
  const partial = (name: string) => partialName(parent, name)
  const binaries = await chooseBinaries(parent, backup.postgres, sources, partial)
  const room = privateFolder(partial('restore'), account)
  const run = shortFolder(account)
  try {
    say(`Unpacking ${backup.name} …`)
    const data = path.join(room, 'data')
    await unpackBackup(await fileOf(opened.chosen, tarName), data, account)
    const { user = '', database = '' } = new pg.Client({ connectionString: databaseUrl })
    const access = { user, database }
    const cluster = { binaries, account, data, run, log: path.join(room, 'postgres.log') }
    say('Starting it …')
    const settings = await detachedSettings(room, account, backup.postgres)
    const copy = await startCopy(cluster, settings, { access, asks: access })
    const restored = await madeSafe(copy, options, opened)
    if (existsSync(folder)) await rmdir(folder)
    await rename(data, folder)
    await putBeside(options, opened)
    return restored
  } finally {
    await rm(room, { recursive: true, force: true, maxRetries: 3 })
    await rm(run, { recursive: true, force: true })
  }
}

/** Leaves it stopped, as the server finds it. */
async function madeSafe(
  { connection, stop }: RunningCopy,
  options: RestoreOptions,
  opened: Opened,
): Promise<Restored> {
  try {
    await migrate(connection)
    const db = openDatabase({ connection, poolSize: 2 })
    try {
      return await safely(db, options, opened)
    } finally {
      await db.end()
    }
  } finally {
    await stop()
  }
}

async function refuseFull(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (names.length === 0) return
  throw new StartError(`${folder} is not empty. Move what is in it away, with the server stopped.`)
}

/**
 * Whoever owns the folder, or the one above, as `postgres` does on Debian, so that the server may read its own.
 */
async function accountFor(folder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const owners = [ownerOf(folder), ownerOf(path.dirname(folder))]
  const owner = owners.find((account) => account !== undefined && account.uid !== 0)
  return owner ?? databaseAccount(path.join(folder, 'none'))
}
