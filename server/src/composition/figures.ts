/** The figures of `/metrics` about the installation: a few cheap queries at each scrape. */
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { waitingSince } from '../backups/archiving/archive.ts'
import { createBackupState, type ReadBackupState, stampedAt } from '../backups/newest.ts'
import { openCampaigns } from '../campaigns/states.ts'
import { countWaitingVolumes } from '../checks/check-domains.ts'
import { sendingPause } from '../core/installation/sending.ts'
import { sql } from '../lib/db/db.ts'
import { partitionsAhead } from '../lib/db/partitions.ts'
import type { Db } from '../lib/db/types.ts'
import { queueDepths, queueHealth } from '../lib/jobs/health.ts'
import type { InstallationFigures, RelayFigures } from '../lib/metrics/metrics.ts'
import type { Relays } from '../messages/relays/relays.ts'
import { openSequences } from '../sequences/sequence.ts'
import type { AppParts } from './app-parts.ts'

export function figureReader(parts: AppParts): () => Promise<InstallationFigures> {
  const backupState = createBackupState(parts.config.backupTo)
  const since = parts.clock.now()
  return () => figuresOf(parts, backupState, since)
}

async function figuresOf(
  { config, db, clock, backup }: AppParts,
  backupState: ReadBackupState,
  since: Date,
): Promise<InstallationFigures> {
  const now = clock.now()
  const { workers, waiting, dead } = await queueHealth(db, now)
  const depths = await queueDepths(db)
  const { newest, failed } = await backupState(now)
  const { backupStamp } = config
  const isStamped = backupStamp !== undefined && config.databaseUrl !== undefined
  const stamp = isStamped ? await stampedAt(backupStamp, now).catch(() => undefined) : undefined
  const backupAt = newest ? new Date(newest.startedAt) : stamp
  // A place to which no backup ever got must not pass for one that needs none.
  const makesBackups =
    config.backupTo !== undefined && (backup !== undefined || config.databaseUrl !== undefined)
  const isWithout = (makesBackups || isStamped) && backupAt === undefined
  const unsent = await waitingSince(config)
  const { bavail, bsize } = await statfs(existsSync(config.dataDir) ? config.dataDir : '/')
  return {
    workers,
    oldestSeconds: Object.fromEntries(
      waiting.map(({ kind, oldestDueAt }) => [kind, secondsSince(oldestDueAt, now)]),
    ),
    dead: Object.fromEntries(dead.map(({ kind, jobs }) => [kind, jobs])),
    ...(depths && { depths: Object.fromEntries(depths.map(({ kind, jobs }) => [kind, jobs])) }),
    isSendingPaused: (await sendingPause(db)) !== undefined,
    backupAgeSeconds: backupAt && secondsSince(backupAt, now),
    isBackupStamped: isStamped,
    withoutBackupSeconds: isWithout ? secondsSince(since, now) : undefined,
    ...(config.backupTo && { backupsFailed: failed }),
    archiveBehindSeconds: unsent && secondsSince(unsent, now),
    diskFreeBytes: bavail * bsize,
    volumesWaiting: await countWaitingVolumes(db),
    partitionsAhead: await partitionsAhead(db, now),
    campaigns: await openCampaigns(db),
    automations: await openSequences(db),
    ...(await sizesOf(db)),
  }
}

/** The figures of the relays, for this process. */
export function relayFigures({ all }: Pick<Relays, 'all'>, now: Date): RelayFigures[] {
  return all.map(({ name, results, health }) => ({ name, results, isAway: health.isAway(now) }))
}

const secondsSince = (at: Date, now: Date): number =>
  Math.max(0, (now.getTime() - at.getTime()) / 1000)

function sizesOf(db: Db): Promise<{ databaseBytes: number; queueJobs: number }> {
  return db.one(sql`
    select pg_database_size(current_database())::float8 as "databaseBytes",
      (select greatest(reltuples, 0)::float8 from pg_class where oid = 'jobs'::regclass)
        as "queueJobs"
  `)
}
