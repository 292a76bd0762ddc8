/** The job that makes a backup every night, if BACKUP_TO names a place for backups. */
import type { BackupSettings } from '../config/backup-place.ts'
import type { Db } from '../lib/db/types.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import type { OwnServer } from '../lib/postgres/open.ts'
import { systemIdOf } from '../lib/postgres/system-id.ts'
import type { Log } from '../lib/process/log.ts'
import { type Clock, hours } from '../lib/time/clock.ts'
import type { LedgerStore } from './ledger/store.ts'
import type { BackupSource } from './making/source.ts'
import { type Backup, newestGood } from './model/backup.ts'
import { openPlace } from './places/open.ts'

export interface BackupJobDeps {
  db: Db
  /** The embedded database; undefined where the backups are of a server at DATABASE_URL. */
  own: OwnServer | undefined
  /** How what is backed up is read; loaded with the first backup. */
  openSource: () => Promise<BackupSource>
  clock: Clock
  log: Log
  backupTo: BackupSettings
  ledger: LedgerStore | undefined
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
  const { db, clock, log, own, openSource, backupTo, secret, passphrase, ledger, uploads } = deps
  return {
    [nightlyJob]: {
      everyMs: hours(1),
      timeoutMs: hours(8),
      async run() {
        const backupPlace = await openPlace(backupTo)
        // One that failed its verification does not count, nor one from a clock that was ahead.
        const newest = newestGood(await backupPlace.list(), clock.now())
        const systemId = own && systemIdOf(own.cluster.data)
        // After a conversion to another version no older backup leads on to what is written now.
        const isOfOther = own !== undefined && newest?.systemId !== systemId
        if (!isOfOther && !isDue(newest, clock.now())) return
        const { takeBackup } = await import('./making/take.ts')
        const { pruneBackups } = await import('./making/prune.ts')
        const { backup, unverified } = await takeBackup({
          db,
          source: await openSource(),
          clock,
          backupPlace,
          secret,
          passphrase,
          ledger,
          uploads,
        })
        const { removed, archiveFiles } = await pruneBackups(backupPlace, systemId)
        const { name, bytes, hasSecret, kind } = backup
        log.info(
          {
            backup: name,
            kind,
            bytes,
            hasSecret,
            removed: removed.length,
            archiveFiles,
            unverified,
          },
          'backup.made',
        )
      },
    },
  }
}
