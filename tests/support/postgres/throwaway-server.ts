/**
 * A PostgreSQL server for tests and generators: in its own folder within the system's temporary
 * folder, without fsync, and removed at the end.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseAccount } from 'crier-server/lib/postgres/account.ts'
import { chooseBinaries, defaultSources, type Sources } from 'crier-server/lib/postgres/binaries.ts'
import { makeCluster, superuser } from 'crier-server/lib/postgres/cluster.ts'
import { privateFolder } from 'crier-server/lib/postgres/home.ts'
import { isAlive, partialName } from 'crier-server/lib/postgres/leftovers.ts'
import { spawnServer, stopServer } from 'crier-server/lib/postgres/server.ts'
import pg from 'pg'

export interface ThrowawayServer {
  /** As the superuser, in the maintenance database. */
  connection: { host: string; user: string; database: string }
  /** Removed with the server, and with what else was put into it. */
  folder: string
  stop: () => Promise<void>
}

const prefix = 'crier-test-'

/** @param sources Where its programs are looked for; by default, as the service does. */
export async function throwawayServer(sources?: Sources): Promise<ThrowawayServer> {
  await removeAbandoned()
  const folder = mkdtempSync(path.join(tmpdir(), `${prefix}${process.pid}-`))
  // The database's user must be able to enter this folder.
  chmodSync(folder, 0o711)
  const data = path.join(folder, 'data')
  const account = await databaseAccount(data)
  const partial = (name: string) => partialName(folder, name)
  const binaries = await chooseBinaries(
    folder,
    undefined,
    sources ?? (await defaultSources()),
    partial,
  )
  await makeCluster(data, binaries, account, partial('data'), ['--no-sync'])
  const run = privateFolder(path.join(folder, 'run'), account)
  const log = path.join(folder, 'postgres.log')
  const child = spawnServer({ binaries, account, data, run, log }, carefree)
  const connection = { host: run, user: superuser, database: 'postgres' }
  const stop = async () => {
    await stopServer(data, 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  while (!(await answers(connection))) {
    if (!child.running) throw new Error(`the test server ended at once: see ${log}`)
    await sleep(10)
  }
  return { connection, folder, stop }
}

const carefree = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

async function answers(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** Removes the servers of test runs that were killed. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    if (!pid || isAlive(Number(pid))) continue
    const folder = path.join(tmpdir(), name)
    await stopServer(path.join(folder, 'data'), 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
