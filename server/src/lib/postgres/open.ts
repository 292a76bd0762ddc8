/** The database of this installation, from whichever source is configured. */

import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { outageWords } from '../db/outage.ts'
import { StartError } from '../db/start-error.ts'
import type { Log } from '../process/log.ts'
import { type Account, databaseAccount, ownerOf } from './account.ts'
import { archiveFolder } from './archive.ts'
import { type Binaries, chooseBinaries, defaultSources, type Sources } from './binaries.ts'
import { clusterMajor, makeCluster, superuser } from './cluster.ts'
import { openDataDir, tighten } from './data-dir.ts'
import { isDiskFull } from './disk.ts'
import { homeName, openHome, privateFolder } from './home.ts'
import { partialName, removeLeftovers } from './leftovers.ts'
import { dropStaleLocks } from './locks.ts'
import {
  assertDurable,
  bePresent,
  makeServiceDatabase,
  type Presence,
  serviceDatabase,
  serviceRole,
} from './presence.ts'
import { type Child, type Cluster, spawnServer, stopServer, tellServerToStop } from './server.ts'
import { socketFolder } from './socket-folder.ts'
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
  /** Bytes for the buffers of our own server. */
  memory?: number | undefined
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
  const { dataDir, archiveTo, memory } = options
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
  const run = socketFolder(home, account)
  return { binaries, account, data, run, log: logFile, archive, memory, home }
}

function archiveOf(folder: string, data: string, account: Account | undefined): string {
  return archiveFolder(path.join(archiveFolder(folder, account), systemIdOf(data) ?? ''), account)
}

interface Home {
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
  const version = clusterMajor(data) ?? major
  const binaries = await chooseBinaries(home, version, sources ?? (await defaultSources()), partial)
  return { home, data, account, binaries, partial }
}

/** The newest programs at hand, whichever version made the cluster. */
export async function newestBinaries(home: string, sources?: Sources): Promise<Binaries> {
  const partial = (name: string) => partialName(home, name)
  return chooseBinaries(home, undefined, sources ?? (await defaultSources()), partial)
}

function refuseForeign(data: string): void {
  const ownUid = process.getuid?.()
  const owner = ownerOf(data)?.uid
  if (ownUid === 0 || owner === undefined || owner === ownUid) return
  throw new StartError(
    `The database in ${data} belongs to uid ${owner}. Start Crier as that user or as root.`,
  )
}

interface Supervisor {
  /** Leaves, and stops the server when no other process of ours uses it. */
  stop: () => Promise<void>
  /** The same for a process that ends at once: signals the server without waiting for it. */
  stopNow: () => Promise<void>
}

/**
 * Keeps an embedded server up for as long as the service runs: uses a running server or starts one,
 * starts it again when it dies, and stops it with the last of our processes. If `signal` is aborted
 * before the server answers, that server is stopped again.
 */
async function supervise(cluster: Cluster, log: Log, signal?: AbortSignal): Promise<Supervisor> {
  const stopping = new AbortController()
  const watching = watch(await attach(cluster, signal), cluster, log, stopping.signal)
  return {
    async stop() {
      stopping.abort()
      const presence = await watching
      if (!presence) return
      const last = await presence.leaveLast().catch(() => false)
      if (last && !(await stopServer(cluster.data))) log.error('database.stop_failed')
      await presence.close().catch(() => {})
    },
    async stopNow() {
      stopping.abort()
      const presence = await watching
      if (!presence) return
      // A server too busy to report other users is stopped; those users start it again.
      const leaving = presence.leaveLast().catch(() => false)
      if (await Promise.race([leaving, sleep(answerMs, true)])) tellServerToStop(cluster.data)
    },
  }
}

/** Milliseconds within which the server must report whether other processes use it. */
const answerMs = 500

/** Returns the presence that is left when the service stops, if there is one. */
async function watch(
  first: Presence,
  cluster: Cluster,
  log: Log,
  signal: AbortSignal,
): Promise<Presence | undefined> {
  const stopped = signal.aborted ? Promise.resolve() : once(signal, 'abort')
  let presence = first
  for (let failures = 0; ; ) {
    await Promise.race([presence.ended, stopped])
    if (signal.aborted) return presence
    if (failures === 0) log.warn('database.lost')
    try {
      presence = await attach(cluster, signal)
      failures = 0
      log.info('database.back')
    } catch (err) {
      if (signal.aborted) return undefined
      if (failures === 0) {
        log.error({ err, diskFull: isDiskFull(cluster.data) }, 'database.start_failed')
      }
      await pause(Math.min(30_000, 500 * 2 ** failures++), cluster, stopped)
      if (signal.aborted) return undefined
    }
  }
}

const lookEveryMs = 500

/** Waits before the next start: no longer than until a disk that was full has room again. */
async function pause(ms: number, { data }: Cluster, stopped: Promise<unknown>): Promise<void> {
  const wasFull = isDiskFull(data)
  let isOver = false
  void stopped.then(() => {
    isOver = true
  })
  for (let waited = 0; waited < ms && !isOver; waited += lookEveryMs) {
    await Promise.race([sleep(lookEveryMs, undefined, { ref: false }), stopped])
    if (wasFull && !isDiskFull(data)) return
  }
}

/** Exits that a retry resolves: another start was faster, or a killed server is still ending. */
const passing = /lock file ".*" already exists|pre-existing shared memory block/

const passingLimit = 120_000
const otherEnds = 3

/** This includes recovery after a crash, however long it takes. */
async function attach(cluster: Cluster, signal?: AbortSignal): Promise<Presence> {
  const started = Date.now()
  let child: Child | undefined
  let logged = ''
  let logSize = 0
  for (let ends = 0; ends < otherEnds && Date.now() - started < passingLimit; ) {
    const presence = await bePresent(cluster.run)
    if (typeof presence === 'object') {
      if (await isFit(presence, cluster)) return settled(presence)
      continue
    }
    if (signal?.aborted) await stopStarting(child, signal)
    if (child?.running || presence === 'busy') {
      await Promise.race([child?.ended, sleep(10)])
    } else if (child) {
      logged = textFrom(cluster.log, logSize)
      if (!passing.test(logged)) ends++
      child = undefined
      await sleep(100)
    } else {
      await refuseWhileConverted(path.dirname(cluster.data))
      dropStaleLocks(cluster.data, cluster.run)
      logSize = statSync(cluster.log, { throwIfNoEntry: false })?.size ?? 0
      child = spawnServer(cluster)
    }
  }
  const full = isDiskFull(cluster.data) ? ` It ${outageWords.disk_full.is}: make room.` : ''
  throw new StartError(`The database does not start.${full} ${cluster.log} says:\n${logged.trim()}`)
}

/**
 * A server that outlived a killed service runs with old settings. If it should archive its log and
 * does not, or to another folder, it is stopped and started again, unless another process uses it.
 */
async function isFit(presence: Presence, cluster: Cluster): Promise<boolean> {
  if (cluster.archive === undefined) return true
  const [row] = await presence.query(
    `select current_setting('archive_mode') as mode, current_setting('basic_archive.archive_directory', true) as folder`,
  )
  if (row?.['mode'] === 'on' && row['folder'] === cluster.archive) return true
  if (!(await presence.leaveLast())) {
    await presence.stay()
    return true
  }
  await stopServer(cluster.data)
  await presence.close().catch(() => {})
  return false
}

/** Recovery can be long, and a process that has to stop does not wait for it. */
async function stopStarting(child: Child | undefined, signal: AbortSignal): Promise<never> {
  child?.interrupt()
  // Polls by a timer, since the child alone does not keep this process alive.
  while (child?.running) await sleep(10)
  throw signal.reason
}

async function settled(presence: Presence): Promise<Presence> {
  try {
    await assertDurable(presence)
    await makeServiceDatabase(presence)
    return presence
  } catch (error) {
    await presence.close().catch(() => {})
    throw error
  }
}

/** The text that was added to the log; all of it where a new log was begun. */
function textFrom(log: string, size: number): string {
  const text = readFileSync(log)
  return text.subarray(text.length < size ? 0 : size).toString()
}
