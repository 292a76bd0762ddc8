/** A DATA_DIR for one test, which can be removed with the database in it. */
import { chmodSync, existsSync, lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { homeName } from 'crier-server/lib/postgres/home.ts'
import { stopServer } from 'crier-server/lib/postgres/server.ts'

export interface DataDir {
  path: string
  /** Kills the server that runs there, if one does, and removes every file. */
  remove: () => Promise<void>
}

/** `mode` 0o700 is what mkdtemp gives: as root, the database's user cannot enter that. */
export function temporaryDataDir({ mode = 0o711, below = 'data' } = {}): DataDir {
  const folder = mkdtempSync(path.join(tmpdir(), 'crier-data-'))
  chmodSync(folder, mode)
  const dataDir = path.join(folder, below)
  return {
    path: dataDir,
    async remove() {
      const home = homeName(dataDir)
      if (existsSync(home)) {
        await stopServer(path.join(home, 'data'), 'SIGQUIT')
        const run = path.join(home, 'run')
        if (isLink(run)) rmSync(realpathSync(run), { recursive: true, force: true })
        rmSync(realpathSync(home), { recursive: true, force: true })
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}
