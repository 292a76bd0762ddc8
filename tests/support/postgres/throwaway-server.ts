/**
 * A PostgreSQL server for tests and generators: in a folder of its own, in memory where there is
 * enough of it and otherwise in the system's temporary folder, without fsync, and removed at the end.
 */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
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
  const folder = mkdtempSync(
    path.join(isMemoryUsable() ? memory : tmpdir(), `${prefix}${process.pid}-`),
  )
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

/**
 * The files of a test's database are made in 50 ms of a processor here, and in 600 ms on the disk of a
 * virtual machine.
 */
const memory = '/dev/shm'
/** Bytes. The files of a whole run of the tests take a quarter of it. */
const enoughMemory = 6 * 1024 ** 3

/** Containers give a small one, or one from which no program may be run. */
function isMemoryUsable(): boolean {
  if (process.platform !== 'linux') return false
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const [, , kind, options = ''] =
    mounts.find((line) => line.includes(` ${memory} `))?.split(' ') ?? []
  if (kind !== 'tmpfs' || options.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(memory)
  return Math.min(bavail * bsize, process.availableMemory()) >= enoughMemory
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
  const parents = [tmpdir(), ...(existsSync(memory) ? [memory] : [])]
  const folders = parents.flatMap((parent) =>
    readdirSync(parent).map((name) => path.join(parent, name)),
  )
  for (const folder of folders) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(path.basename(folder))?.[1]
    if (!pid || isAlive(Number(pid))) continue
    await stopServer(path.join(folder, 'data'), 'SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
