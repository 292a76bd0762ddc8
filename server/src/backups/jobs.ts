/** The job that makes a backup every night, if BACKUP_TO names a folder for backups. */
import type { Db } from '../lib/db/types.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import type { OwnServer } from '../lib/postgres/open.ts'
import type { Log } from '../lib/process/log.ts'
import { type Clock, hours } from '../lib/time/clock.ts'
import { type Backup, listBackups } from './model/backup.ts'

export interface BackupJobDeps {
  db: Db
  own: OwnServer
  clock: Clock
  log: Log
  folder: string
  secret: string
  passphrase: string | undefined
  uploads: string | undefined
}

export const nightlyJob = 'backup.nightly'

/** The UTC hours in which a backup is preferably made. */
const night = { from: 2, to: 5 }

/** Whether a backup is due: at night, or at once if the last night's backup is missing. */
export function isDue(newest: Pick<Backup, 'startedAt'> | undefined, now: Date): boolean {
  if (!newest) return true
  const age = now.getTime() - Date.parse(newest.startedAt)
  const hour = now.getUTCHours()
  return age > hours(26) || (age > hours(18) && hour >= night.from && hour < night.to)
}

export function backupJobs(deps: BackupJobDeps): JobKinds {
  const { clock, log, folder } = deps
  return {
    [nightlyJob]: {
      everyMs: hours(1),
      timeoutMs: hours(8),
      async run() {
        const [newest] = await listBackups(folder)
        if (!isDue(newest, clock.now())) return
        const { takeBackup } = await import('./making/take.ts')
        const { pruneBackups } = await import('./making/prune.ts')
        const { name, bytes, hasSecret } = await takeBackup(deps)
        const { removed, archiveFiles } = await pruneBackups(folder)
        log.info(
          { backup: name, bytes, hasSecret, removed: removed.length, archiveFiles },
          'backup.made',
        )
      },
    },
  }
}
