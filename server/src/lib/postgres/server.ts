/** The `postgres` process itself: starting, finding and stopping it. */
import { spawn } from 'node:child_process'
import { closeSync, fchownSync, openSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from './account.ts'
import { archiveSettings } from './archive.ts'
import type { Binaries } from './binaries.ts'
import { programEnv } from './cluster.ts'
import { isAlive } from './leftovers.ts'
import { dataLock, isServerOf, lockHolder } from './locks.ts'

export interface Cluster {
  binaries: Binaries
  account: Account | undefined
  data: string
  /** The folder of the socket. */
  run: string
  log: string
  /** The folder to which each file of its log is copied. */
  archive?: string | undefined
  /** Bytes for its buffers; by default what PostgreSQL takes, 128 MB. */
  memory?: number | undefined
}

export type Settings = Record<string, string>

/** The settings that every acknowledged write depends on; checked on each start. */
export const durability: Settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
}

/**
 * Buffers of this size, the rest in proportion. The kernel caches the same files once more, so the
 * planner may count on two times as much; an index is built and a table vacuumed with an eighth.
 */
export function memorySettings(memory: number | undefined): Settings {
  if (memory === undefined) return {}
  const megabytes = Math.floor(memory / 2 ** 20)
  return {
    shared_buffers: `${megabytes}MB`,
    effective_cache_size: `${2 * megabytes}MB`,
    maintenance_work_mem: `${Math.min(1024, Math.max(64, Math.floor(megabytes / 8)))}MB`,
    max_wal_size: `${Math.min(4096, Math.max(1024, megabytes))}MB`,
  }
}

const always: Settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: '5432',
  timezone: 'UTC',
  log_timezone: 'UTC',
  max_logical_replication_workers: '0',
  // The maximum of DATABASE_POOL, and room for the operator's commands.
  max_connections: '520',
  // Errors of statements quote people's data; the service reports them without it.
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

export interface Child {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>
  readonly running: boolean
  /** Signals it to stop with its committed data on disk. */
  interrupt(): void
}

/**
 * Detached, so that a Ctrl-C in the terminal reaches only the service, which still needs the
 * database to finish its work.
 */
export function spawnServer(cluster: Cluster, settings: Settings = durability): Child {
  rollLog(cluster.log)
  const output = openSync(cluster.log, 'a', 0o600)
  if (cluster.account) fchownSync(output, cluster.account.uid, cluster.account.gid)
  // The setting is a list; quotes keep a comma or a space in the path from splitting it.
  const folders = `"${cluster.run.replaceAll('"', '""')}"`
  const all = {
    ...always,
    unix_socket_directories: folders,
    ...archiveSettings(cluster.archive),
    ...memorySettings(cluster.memory),
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(
    path.join(cluster.binaries.folder, 'postgres'),
    ['-D', cluster.data, ...flags],
    {
      ...cluster.account,
      cwd: cluster.run,
      env: programEnv,
      detached: true,
      stdio: ['ignore', output, output],
    },
  )
  closeSync(output)
  child.unref()
  let running = true
  const ended = new Promise<void>((resolve) => {
    const done = () => {
      running = false
      resolve()
    }
    child.once('exit', done)
    child.once('error', done)
  })
  return {
    ended,
    get running() {
      return running
    },
    interrupt: () => void child.kill('SIGINT'),
  }
}

/** Signals the server to stop without waiting for it. */
export function tellServerToStop(data: string): void {
  const pid = lockHolder(dataLock(data))
  if (pid !== undefined && isServerOf(data, pid) && isAlive(pid)) process.kill(pid, 'SIGINT')
}

const logLimit = 10_000_000

function rollLog(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > logLimit) renameSync(log, `${log}.1`)
}

/** Ends the server with its committed data on disk; false when it has not ended in time. */
export async function stopServer(data: string, signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT') {
  const pid = lockHolder(dataLock(data))
  if (pid === undefined) return true
  try {
    process.kill(pid, signal)
  } catch {
    return true
  }
  for (const limit = Date.now() + 60_000; Date.now() < limit; await sleep(10)) {
    if (!isAlive(pid)) return true
  }
  return false
}
