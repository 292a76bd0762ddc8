/** A DATA_DIR for one test, with access to its embedded database from outside the service. */

import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '../../../server/src/lib/db/db.ts'
import type { Database } from '../../../server/src/lib/db/types.ts'
import { homeName } from '../../../server/src/lib/postgres/home.ts'
import { serviceDatabase, serviceRole } from '../../../server/src/lib/postgres/presence.ts'

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

export async function newDataDir(): Promise<DataDir> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-crash-'))
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
