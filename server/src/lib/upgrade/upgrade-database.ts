/**
 * Converts the embedded database to the major version of the newest programs at hand: a second
 * cluster gets a copy of all rows, and takes the place of the first, which is kept. Until that
 * moment the first one is untouched, so that the command may be killed at any time.
 */
import { existsSync } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startCopy } from '../backup/copy.ts'
import { lockJournal } from '../concurrency/journal-lock.ts'
import { migrate } from '../db/migrate.ts'
import { StartError } from '../db/start-error.ts'
import { makeCluster, superuser } from '../postgres/cluster.ts'
import { partialName } from '../postgres/leftovers.ts'
import { dropStaleLocks } from '../postgres/locks.ts'
import { newestBinaries, type PostgresOptions, prepareCluster } from '../postgres/open.ts'
import {
  bePresent,
  makeServiceDatabase,
  type Presence,
  serviceDatabase,
  serviceRole,
} from '../postgres/presence.ts'
import { type Child, type Cluster, spawnServer, stopServer } from '../postgres/server.ts'
import { shortFolder } from '../postgres/socket-folder.ts'
import { conversionLock, convertedName, markConverted, swapClusters } from '../postgres/swap.ts'
import { type Copied, type CopyProgress, copyDatabase } from './copy-database.ts'

/** Moments at which a test kills the process. */
export type UpgradeStep = 'copied' | 'marked' | 'stopped' | 'renamed' | 'swapped'

interface UpgradeOptions
  extends Pick<PostgresOptions, 'dataDir' | 'log' | 'sources' | 'archiveTo'> {
  onProgress?: (progress: CopyProgress) => void
  onStep?: (step: UpgradeStep) => void
}

type Upgraded =
  | { from: number; to: number; copied: undefined }
  | { from: number; to: number; copied: Copied; old: string }

export async function upgradeDatabase(options: UpgradeOptions): Promise<Upgraded> {
  const { onProgress = () => {}, onStep = () => {} } = options
  const { home, ...cluster } = await prepareCluster({ ...options, databaseUrl: undefined })
  const from = cluster.binaries.major
  const binaries = await newestBinaries(home, options.sources)
  const to = binaries.major
  if (to <= from) return { from, to, copied: undefined }
  await rm(conversionLock(home), { recursive: true, force: true })
  const lock = await lockJournal(conversionLock(home))
  try {
    const alone = await openAlone(cluster)
    const made = partialName(home, convertedName)
    try {
      await migrate(alone.connection)
      await refuseFullDisk(home, alone.superuser)
      await makeCluster(made, binaries, cluster.account, partialName(home, 'data'))
      const { archive: _, ...rest } = cluster
      const copied = await filled({ ...rest, binaries, data: made }, alone.superuser, onProgress)
      onStep('copied')
      await markConverted(made)
      onStep('marked')
      await alone.leave()
      onStep('stopped')
      const old = await swapClusters(home, { major: from, onRenamed: () => onStep('renamed') })
      onStep('swapped')
      return { from, to, copied, old }
    } finally {
      await alone.leave()
      // Where the second rename failed, the copy is the only whole database.
      if (existsSync(cluster.data)) {
        await rm(made, { recursive: true, force: true, maxRetries: 3 })
      }
    }
  } finally {
    await lock.close()
    await rm(conversionLock(home), { recursive: true, force: true })
  }
}

/** Copies all rows to a new cluster, whose server is stopped again. */
async function filled(
  made: Omit<Cluster, 'run'>,
  source: pg.ClientConfig,
  onProgress: (progress: CopyProgress) => void,
): Promise<Copied> {
  const target = { ...made, run: shortFolder(made.account) }
  const server = await startCopy(target)
  try {
    const presence = await bePresent(target.run)
    if (typeof presence !== 'object') throw new StartError('The new server does not answer.')
    await makeServiceDatabase(presence)
    await presence.close()
    const of = (connection: pg.ClientConfig) => ({ ...connection, database: serviceDatabase })
    return await copyDatabase({
      from: of(source),
      to: of(server.superuser),
      toAsOwner: server.connection,
      onProgress,
    })
  } finally {
    await server.stop()
    await rm(target.run, { recursive: true, force: true })
  }
}

async function refuseFullDisk(home: string, connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client({ ...connection, database: serviceDatabase })
  await client.connect()
  let bytes: number
  try {
    const text = 'select pg_database_size(current_database())::float8 as bytes'
    const { rows } = await client.query<{ bytes: number }>(text)
    bytes = rows[0]?.bytes ?? 0
  } finally {
    await client.end()
  }
  const { bavail, bsize } = await statfs(home)
  const [free, needed] = [bavail * bsize, 1.5 * bytes + 200_000_000]
  if (free >= needed) return
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)
  throw new StartError(
    `The conversion needs ${gigabytes(needed)} GB free in ${home} for the second database, and ${gigabytes(free)} GB are. Make room there.`,
  )
}

interface AloneServer {
  connection: pg.ClientConfig
  superuser: pg.ClientConfig
  /** Stops the server. */
  leave(): Promise<void>
}

const patienceMs = 120_000

/** Runs the server of a cluster for one process alone: every other one waits until it ends. */
async function openAlone(cluster: Cluster): Promise<AloneServer> {
  const presence = await present(cluster)
  if (!(await presence.leaveLast())) {
    await presence.close()
    throw new StartError(
      'Crier runs with this database. Stop the service and its commands first, and then upgrade.',
    )
  }
  let hasLeft = false
  const address = { host: cluster.run, application_name: 'crier upgrade' }
  return {
    connection: { ...address, user: serviceRole, database: serviceDatabase },
    superuser: { ...address, user: superuser, database: 'postgres' },
    async leave() {
      if (hasLeft) return
      hasLeft = true
      await stopServer(cluster.data)
      await presence.close().catch(() => {})
    },
  }
}

async function present(cluster: Cluster): Promise<Presence> {
  let child: Child | undefined
  for (const until = Date.now() + patienceMs; Date.now() < until; await sleep(20)) {
    const presence = await bePresent(cluster.run)
    if (typeof presence === 'object') return presence
    if (presence === 'busy' || child?.running) continue
    if (child) break
    dropStaleLocks(cluster.data, cluster.run)
    child = spawnServer(cluster)
  }
  throw new StartError(`The database does not start. See ${cluster.log}.`)
}
