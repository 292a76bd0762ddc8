/** An operator's installation with an archive, to be lost and restored. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readConfig } from 'crier-server/config.ts'
import { openVault } from 'crier-server/core/installation/root-key.ts'
import { installationSecret } from 'crier-server/lib/crypto/vault.ts'
import { openDatabase } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { superuser } from 'crier-server/lib/postgres/cluster.ts'
import { homeName } from 'crier-server/lib/postgres/home.ts'
import pg from 'pg'
import { type DataDir, migratedDataDir } from '../../crash/support/data-dir.ts'
import { strike } from '../../crash/support/kill.ts'
import { seededRandom } from '../../crash/support/random.ts'
import { type ServiceProcess, startService } from '../../crash/support/service-process.ts'
import { type Testbed, testbedAt } from '../../operations/support/testbed.ts'
import { freePort } from '../../support/network/port.ts'

const root = path.join(import.meta.dirname, '../../..')

export const passphrase = 'correct horse battery staple'

/** The most milliseconds that an operator's command or the archive of a test takes. */
const patienceMs = 120_000

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface Installation {
  dataDir: DataDir
  service: ServiceProcess
  db: Database
  testbed: Testbed
  /** Runs an operator's command beside the service. */
  crier(args: readonly string[], env?: Record<string, string>): Promise<Ran>
  archived(): Promise<void>
  /** kill -9 of the service and of every process of the database. */
  killAll(): Promise<void>
  close(): Promise<void>
}

export async function newBackupFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-backups-'))
  await chmod(folder, 0o755)
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

interface Patience {
  /** What the database did, for the error. */
  waits?: () => Promise<string>
  /** The most milliseconds that the command takes. */
  withinMs?: number
}

/**
 * Runs an operator's command. One that does not end is killed, and the error says what it printed
 * and, from `waits`, what the database did meanwhile.
 */
export async function runCrier(
  args: readonly string[],
  env: Record<string, string>,
  { waits = async () => '', withinMs = patienceMs }: Patience = {},
): Promise<Ran> {
  const kept = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' }
  const child = spawn(process.execPath, ['cli/bin.mjs', ...args], {
    cwd: root,
    env: { ...kept, ...env },
  })
  let waited = ''
  const giveUp = async () => {
    waited = await waits().catch(String)
    child.kill('SIGKILL')
  }
  const timer = setTimeout(() => void giveUp(), withinMs)
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  clearTimeout(timer)
  if (signal === 'SIGKILL') {
    const printed = [stdout, stderr, waited].join('\n')
    throw new Error(`crier ${args[0]} did not end within ${withinMs / 1000} s:\n${printed}`)
  }
  return { code, stdout, stderr }
}

/** Starts a service in this folder, or in a new one. */
export async function openInstallation(
  env: Record<string, string>,
  dataDir?: DataDir,
): Promise<Installation> {
  const folder = dataDir ?? (await migratedDataDir())
  const port = await freePort()
  const service = await startService({ dataDir: folder.path, port, env })
  const db = await folder.open()
  const config = readConfig({ PORT: String(port), DATA_DIR: folder.path })
  const vault = await openVault(db, installationSecret(folder.path), new Date())
  const endpoint = `http://localhost:${port}/api/functions/svc-mcp`
  return {
    dataDir: folder,
    service,
    db,
    testbed: testbedAt({ db, vault, config, endpoint }),
    crier: (args, more) =>
      runCrier(
        args,
        { ...env, ...more, DATA_DIR: folder.path },
        { waits: () => backendsAt(folder) },
      ),
    archived: () => archived(folder),
    async killAll() {
      await db.end()
      await strike('both', { service, dataDir: folder, random: seededRandom(1) })
    },
    async close() {
      await db.end().catch(() => {})
      await service.stop()
      await folder.remove()
    },
  }
}

function superuserAt(dataDir: DataDir) {
  const host = realpathSync(path.join(homeName(dataDir.path), 'run'))
  return { host, user: superuser, database: 'postgres' }
}

/** What each of the server's processes does or waits for. */
async function backendsAt(dataDir: DataDir): Promise<string> {
  const bounds = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 }
  const client = new pg.Client({ ...superuserAt(dataDir), ...bounds })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(
      `select backend_type, state, wait_event_type, wait_event, left(query, 200) as query
       from pg_stat_activity`,
    )
    return rows.map((row) => JSON.stringify(row)).join('\n')
  } finally {
    await client.end()
  }
}

interface Archiver {
  last: string | null
  failed: string | null
}

/** Copies everything committed so far to the archive, as a minute's wait would. */
export async function archived(dataDir: DataDir): Promise<void> {
  const own = superuserAt(dataDir)
  const client = new pg.Client(own)
  await client.connect()
  const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as file')
  const { file } = rows[0] as { file: string }
  await client.end()
  const db = openDatabase({ connection: own, poolSize: 1 })
  try {
    let archiver: Archiver | undefined
    for (const until = performance.now() + patienceMs; performance.now() < until; ) {
      archiver = await db.one<Archiver>({
        name: '',
        text: 'select last_archived_wal as last, last_failed_wal as failed from pg_stat_archiver',
        values: [],
      })
      if (archiver.last !== null && archiver.last >= file) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`${file} is not in the archive: ${JSON.stringify(archiver)}`)
  } finally {
    await db.end()
  }
}
