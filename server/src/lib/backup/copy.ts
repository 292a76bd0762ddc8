/** Restores a backup beside everything else: unpacks it and starts it on a socket of its own. */
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

/** Unpacks the data folder from the tar file of a backup, and gives it to the user that the database runs as. */
export async function unpackBackup(
  packed: AsyncIterable<Uint8Array>,
  data: string,
  account: Account | undefined,
): Promise<void> {
  // Imported here so that a service that makes no backup does not load it.
  const { extract } = await import('tar')
  await mkdir(data, { recursive: true, mode: 0o700 })
  await pipeline(
    packed,
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
  /** The connection of the service's own role. */
  connection: pg.ClientConfig
  /** The connection of the superuser, for statements that only that role may run. */
  superuser: pg.ClientConfig
  stop(): Promise<void>
}

interface CopyAccess {
  access?: Access
  /** By whom it is asked whether it is up; by default the superuser of an embedded database. */
  asks?: Access
}

const ownSuperuser: Access = { user: superuser, database: 'postgres' }

/** The time limit for replaying the archive. */
const recoveryLimitMs = 24 * 3600_000

/** Who asks the copy, and for which database. */
export interface Access {
  user: string
  database: string
}

/**
 * Starts the server and waits until it has replayed its log and accepts writes. `recovery` holds
 * settings such as the location of the archive and the point at which to stop.
 */
export async function startCopy(
  cluster: Cluster,
  recovery: Settings = {},
  {
    access = { user: serviceRole, database: serviceDatabase },
    asks = ownSuperuser,
  }: CopyAccess = {},
): Promise<RunningCopy> {
  const child = spawnServer(cluster, { ...durability, ...recovery })
  const address = { host: cluster.run, application_name: 'crier backup' }
  const asSuperuser = { ...address, ...asks }
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
    const isReady = await isOpen(asSuperuser).catch(async (error: Error) => {
      await stop()
      throw error
    })
    if (isReady) return { connection: { ...address, ...access }, superuser: asSuperuser, stop }
  }
  await stop()
  throw new StartError('The copy of the database did not come up within a day.')
}

/** The end of the server's log, which is in a folder that is removed with the copy. */
async function lastLines(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => 'nothing')
  return text.trim().split('\n').slice(-5).join('\n')
}

/** Refused by the copy itself: no such role or database, a locale that this machine lacks. */
const lasting = /^(?:22|28|3D|42)/

/** Whether the server answers and is no longer in recovery. */
async function isOpen(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select pg_is_in_recovery() as recovering')
    return (rows[0] as { recovering: boolean }).recovering === false
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string }
    if (lasting.test(code)) throw new StartError(`The copy of the database refuses: ${message}`)
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
