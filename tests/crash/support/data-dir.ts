/** A DATA_DIR for one test, with access to its embedded database from outside the service. */

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '../../../server/src/lib/db/db.ts'
import { migrate } from '../../../server/src/lib/db/migrate.ts'
import type { Database } from '../../../server/src/lib/db/types.ts'
import { homeName } from '../../../server/src/lib/postgres/home.ts'
import { openPostgres } from '../../../server/src/lib/postgres/open.ts'
import { serviceDatabase, serviceRole } from '../../../server/src/lib/postgres/presence.ts'
import { silentLog } from '../../support/silent-log.ts'

export interface DataDir {
  path: string
  /**
   * Opens a separate pool beside the service's. It neither starts nor repairs the database:
   * bringing that back is up to the service.
   */
  open(poolSize?: number): Promise<Database>
  /** The pid of the database's first process. */
  postmaster(): Promise<number>
  remove(): Promise<void>
}

/**
 * Names the folder of a run of the tests, which is in memory where there is enough. A killed process
 * loses nothing there either, and making a cluster takes a third of what it takes on disk.
 */
export const sharedFolderVariable = 'TEST_SHARED_FOLDER'

/**
 * A DATA_DIR whose database exists and has every migration, for tests of anything but the first
 * start, which takes four seconds of a processor. The service makes its secret and its keys itself.
 */
export async function migratedDataDir(): Promise<DataDir> {
  const dataDir = await newDataDir()
  const shared = process.env[sharedFolderVariable]
  const template = shared && (await templateDataDir(shared))
  if (template) await promisify(execFile)('cp', ['-a', homeName(template), dataDir.path])
  return dataDir
}

/** Made by the first that needs it. Two may make it at once: the first rename wins. */
async function templateDataDir(shared: string): Promise<string | undefined> {
  const template = path.join(shared, 'data-dir')
  if (!existsSync(template)) {
    const { path: partial, remove } = await newDataDir(path.join(shared, 'partial-'))
    const options = { dataDir: partial, databaseUrl: undefined, log: silentLog }
    const postgres = await openPostgres(options)
    try {
      await migrate(postgres.connection)
    } finally {
      await postgres.stop()
    }
    try {
      await rename(partial, template)
    } catch (error) {
      await remove()
      if (!existsSync(template)) throw error
    }
  }
  // A link leads to a database that all copies would share.
  return (await lstat(homeName(template))).isSymbolicLink() ? undefined : template
}

export async function newDataDir(prefix?: string): Promise<DataDir> {
  const parent = process.env[sharedFolderVariable] ?? os.tmpdir()
  const folder = await mkdtemp(prefix ?? path.join(parent, 'crier-crash-'))
  // As root the database runs as another user, who must be able to enter the folder.
  await chmod(folder, 0o755)
  const home = homeName(folder)
  return {
    path: folder,
    async open(poolSize = 4) {
      const host = await realpath(path.join(home, 'run'))
      const connection = { host, user: serviceRole, database: serviceDatabase }
      return openDatabase({ connection, poolSize, onIdleError: () => {} })
    },
    async postmaster() {
      const lock = await readFile(path.join(home, 'data', 'postmaster.pid'), 'utf8')
      return Number.parseInt(lock, 10)
    },
    async remove() {
      const target = await realpath(home).catch(() => home)
      await rm(target, { recursive: true, force: true, maxRetries: 3 })
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
