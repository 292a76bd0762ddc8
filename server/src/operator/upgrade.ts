/** `crier upgrade-database`. */
import { archiveOf } from '../backups/archiving/archive.ts'
import type { Config } from '../config.ts'
import { refuse } from '../core/errors.ts'
import type { Log } from '../lib/process/log.ts'
import type { CopyProgress } from '../lib/upgrade/copy-database.ts'
import { upgradeDatabase } from '../lib/upgrade/upgrade-database.ts'

interface Parts {
  log: Log
  onProgress: (progress: CopyProgress) => void
}

export async function upgradeHere(
  config: Config,
  { log, onProgress }: Parts,
): Promise<Record<string, unknown>> {
  if (config.databaseUrl !== undefined) {
    throw refuse(
      'conflict',
      'The database is the one at DATABASE_URL. Upgrade it with its own tools, as docs/operate/upgrade.md describes.',
    )
  }
  const { dataDir } = config
  const began = performance.now()
  const done = await upgradeDatabase({ dataDir, log, archiveTo: archiveOf(config), onProgress })
  if (done.copied === undefined) {
    return {
      version: done.from,
      next: `Nothing was changed: the programs at hand are PostgreSQL ${done.to}. Install newer ones to convert to them.`,
    }
  }
  return {
    from: done.from,
    to: done.to,
    ...done.copied,
    seconds: Math.round((performance.now() - began) / 1000),
    old_database: done.old,
    next: 'Start the service, which makes a backup, and look around. Then remove the old database.',
  }
}
