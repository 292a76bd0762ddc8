/** A backup brought to life beside everything else: unpacked, started on a socket of its own. */
import { createReadStream } from 'node:fs'
import { chown, mkdir, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createZstdDecompress } from 'node:zlib'
import pg from 'pg'
import { StartError } from '../db/start-error.ts'
import type { Account } from '../postgres/account.ts'
import { superuser } from '../postgres/cluster.ts'
import { privateFolder } from '../postgres/home.ts'
import { serviceDatabase, serviceRole } from '../postgres/presence.ts'
import {
  type Cluster,
  durability,
  type Settings,
  spawnServer,
  stopServer,
} from '../postgres/server.ts'
import { tarName } from './base-backup.ts'

/** Unpacks the data folder of a backup, as its database's user may have it. */
export async function unpackBackup(
  backup: string,
  data: string,
  account: Account | undefined,
): Promise<void> {
  // At its use: a service that makes no backup does not load it.
  const { extract } = await import('tar')
  await mkdir(data, { recursive: true, mode: 0o700 })
  await pipeline(
    createReadStream(path.join(backup, tarName)),
    createZstdDecompress(),
    extract({ cwd: data, preserveOwner: false, strict: true }),
  )
  if (account) await giveTo(data, account)
  privateFolder(data, account)
}

async function giveTo(folder: string, { uid, gid }: Account): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) await chown(path.join(entry.parentPath, entry.name), uid, gid)
}

export interface RunningCopy {
  /** As the service connects. */
  connection: pg.ClientConfig
  /** As the superuser, for what only that one may ask. */
  superuser: pg.ClientConfig
  stop(): Promise<void>
}

/** How long the archive may take. */
const recoveryLimitMs = 24 * 3600_000

/**
 * Starts it and waits until it has taken in its log and may be written to. `recovery` are
 * settings such as where the archive is and when to stop.
 */
export async function startCopy(
  cluster: Cluster,
  recovery: Settings = {},
  onWait: () => void = () => {},
): Promise<RunningCopy> {
  const child = spawnServer(cluster, { ...durability, ...recovery })
  const place = { host: cluster.run, application_name: 'crier backup' }
  const asSuperuser = { ...place, user: superuser, database: 'postgres' }
  const stop = async () => {
    child.interrupt()
    await Promise.race([child.ended, stopServer(cluster.data)])
    await child.ended
  }
  for (const began = Date.now(); Date.now() - began < recoveryLimitMs; await sleep(50)) {
    if (!child.running) {
      throw new StartError(
        `The copy of the database does not start. Its log ends with:\n${await lastLines(cluster.log)}`,
      )
    }
    if (await isOpen(asSuperuser)) {
      const connection = { ...place, user: serviceRole, database: serviceDatabase }
      return { connection, superuser: asSuperuser, stop }
    }
    onWait()
  }
  await stop()
  throw new StartError('The copy of the database did not come up within a day.')
}

/** The log lies in a folder that is removed with the copy. */
async function lastLines(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => 'nothing')
  return text.trim().split('\n').slice(-5).join('\n')
}

/** Answers, and is not in recovery any more. */
async function isOpen(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select pg_is_in_recovery() as recovering')
    return (rows[0] as { recovering: boolean }).recovering === false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
