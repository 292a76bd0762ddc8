/**
 * Keeps an embedded server up for as long as the service runs: uses a running server or starts one,
 * starts it again when it dies, and stops it with the last of our processes.
 */
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { outageWords } from '../db/outage.ts'
import { StartError } from '../db/start-error.ts'
import type { Log } from '../process/log.ts'
import { isDiskFull } from './disk.ts'
import { dropStaleLocks } from './locks.ts'
import { assertDurable, bePresent, makeServiceDatabase, type Presence } from './presence.ts'
import { type Child, type Cluster, spawnServer, stopServer, tellServerToStop } from './server.ts'
import { refuseWhileConverted } from './swap.ts'

export interface Supervisor {
  /** Leaves, and stops the server when no other process of ours uses it. */
  stop: () => Promise<void>
  /** The same for a process that ends at once: signals the server without waiting for it. */
  stopNow: () => Promise<void>
}

/** If `signal` is aborted before the server answers, that server is stopped again. */
export async function supervise(
  cluster: Cluster,
  log: Log,
  signal?: AbortSignal,
): Promise<Supervisor> {
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
  let said = ''
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
      said = textFrom(cluster.log, logSize)
      if (!passing.test(said)) ends++
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
  throw new StartError(`The database does not start.${full} ${cluster.log} says:\n${said.trim()}`)
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
