/** The database of this installation, from whichever source is configured. */
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { StartError } from '../db/start-error.ts'
import type { Log } from '../process/log.ts'
import { type Account, databaseAccount, ownerOf } from './account.ts'
import { archiveFolder } from './archive.ts'
import { type Binaries, chooseBinaries, defaultSources, type Sources } from './binaries.ts'
import { clusterMajor, makeCluster, superuser } from './cluster.ts'
import { openDataDir, tighten } from './data-dir.ts'
import { homeName, openHome, privateFolder } from './home.ts'
import { partialName, removeLeftovers } from './leftovers.ts'
import { serviceDatabase, serviceRole } from './presence.ts'
import type { Cluster } from './server.ts'
import { socketFolder } from './socket-folder.ts'
import { supervise } from './supervisor.ts'
import { completeSwap, refuseWhileConverted } from './swap.ts'
import { systemIdOf } from './system-id.ts'
import { connectionOf } from './url.ts'

export interface PostgresOptions {
  dataDir: string
  databaseUrl: string | undefined
  log: Log
  /** Where to find programs; only tests set it. */
  sources?: Sources
  /** Ends the wait for our own server while it starts or recovers. */
  signal?: AbortSignal
  /** A folder to which our own server copies each file of its log within a minute. */
  archiveTo?: string | undefined
}

export interface Postgres {
  kind: 'url' | 'embedded' | 'system'
  connection: pg.ClientConfig
  /** How the server is run, if it is our own. */
  own?: OwnServer
  /** Call it after the pools have ended. Stops our own server if no other process uses it. */
  stop: () => Promise<void>
  /** For a process that ends at once: signals such a server to stop without waiting for it. */
  stopNow: () => Promise<void>
}

export interface OwnServer {
  cluster: Cluster
  /** The folder that contains the cluster. A copy made in it can be entered by the same user. */
  home: string
  /** The superuser's connection, which may make backups; the service's own role may not. */
  superuser: pg.ClientConfig
}

/**
 * Opens DATABASE_URL if it is set, otherwise our own server in DATA_DIR, from the packaged programs
 * or the machine's. Any number of processes may call it at once, also beside a running service.
 * Throws a StartError that says what to do.
 */
export async function openPostgres(options: PostgresOptions): Promise<Postgres> {
  if (options.databaseUrl !== undefined) {
    const { dataDir, log } = options
    if (existsSync(dataDir) && !existsSync(homeName(dataDir))) tighten(dataDir, undefined, log)
    const connection = await connectionOf(options.databaseUrl, options.log)
    return { kind: 'url', connection, stop: async () => {}, stopNow: async () => {} }
  }
  const begun = performance.now()
  const { home, ...cluster } = await prepareCluster(options)
  const supervisor = await supervise(cluster, options.log, options.signal)
  const { kind } = cluster.binaries
  options.log.debug({ kind, ms: Math.round(performance.now() - begun) }, 'database.ready')
  return {
    kind,
    connection: {
      host: cluster.run,
      user: serviceRole,
      database: serviceDatabase,
      application_name: 'crier',
    },
    own: {
      cluster,
      home,
      superuser: { host: cluster.run, user: superuser, database: 'postgres' },
    },
    stop: () => supervisor.stop(),
    stopNow: () => supervisor.stopNow(),
  }
}

export async function prepareCluster(
  options: PostgresOptions,
): Promise<Cluster & { home: string }> {
  const { dataDir, archiveTo } = options
  const { home, data, binaries, partial } = await prepareHome(options)
  if (clusterMajor(data) === undefined) {
    await makeCluster(data, binaries, await databaseAccount(data), partial('data'))
  }
  // Determined again: of several simultaneous first starts, one made the cluster and owns it.
  const account = await databaseAccount(data)
  // A copy or a chmod -R leaves the permissions wider than PostgreSQL allows.
  privateFolder(data, account)
  const logFile = path.join(realpathSync(dataDir), 'postgres.log')
  // Clusters name the files of their logs alike, so that each has an archive of its own.
  const archive = archiveTo === undefined ? undefined : archiveOf(archiveTo, data, account)
  return { binaries, account, data, run: socketFolder(home, account), log: logFile, archive, home }
}

function archiveOf(folder: string, data: string, account: Account | undefined): string {
  return archiveFolder(path.join(archiveFolder(folder, account), systemIdOf(data) ?? ''), account)
}

export interface Home {
  home: string
  /** The folder of the cluster, which may not exist yet. */
  data: string
  account: Account | undefined
  binaries: Binaries
  partial: (name: string) => string
}

/** @param major of the cluster that will be put there; by default that of the existing one. */
export async function prepareHome(
  { dataDir, sources, log }: Pick<PostgresOptions, 'dataDir' | 'sources' | 'log'>,
  major?: number,
): Promise<Home> {
  if (process.platform === 'win32') {
    throw new StartError('On Windows Crier needs a PostgreSQL server: set DATABASE_URL.')
  }
  const account = await databaseAccount(path.join(homeName(dataDir), 'data'))
  openDataDir(dataDir, account, log)
  const home = openHome(dataDir, account)
  const data = path.join(home, 'data')
  refuseForeign(data)
  await refuseWhileConverted(home)
  completeSwap(home)
  removeLeftovers(home)
  const partial = (name: string) => partialName(home, name)
  const wanted = clusterMajor(data) ?? major
  const binaries = await chooseBinaries(home, wanted, sources ?? (await defaultSources()), partial)
  return { home, data, account, binaries, partial }
}

/** The newest programs at hand, whichever version made the cluster. */
export async function newestBinaries(home: string, sources?: Sources): Promise<Binaries> {
  const partial = (name: string) => partialName(home, name)
  return chooseBinaries(home, undefined, sources ?? (await defaultSources()), partial)
}

function refuseForeign(data: string): void {
  const me = process.getuid?.()
  const owner = ownerOf(data)?.uid
  if (me === 0 || owner === undefined || owner === me) return
  throw new StartError(
    `The database in ${data} belongs to uid ${owner}. Start Crier as that user or as root.`,
  )
}
