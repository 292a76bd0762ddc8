/**
 * The operator's commands. The command line loads this module, and no other part of the server,
 * when such a command is called. Each command works both beside a running service and without one.
 */
import { constants } from 'node:os'
import { archiveOf } from './backups/archiving/archive.ts'
import { secretOf } from './config/installation-secret.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { isRefusal } from './core/errors.ts'
import { openVault } from './core/installation/root-key.ts'
import { distributeNew } from './lib/citus/distribute.ts'
import { openDatabase } from './lib/db/db.ts'
import { migrate, type PlannedMigration, planMigrations } from './lib/db/migrate.ts'
import { StartError } from './lib/db/start-error.ts'
import type { Database } from './lib/db/types.ts'
import { mayHoldDatabase } from './lib/postgres/home.ts'
import { type OwnServer, openPostgres, type Postgres } from './lib/postgres/open.ts'
import { tryListening } from './lib/process/listening.ts'
import { createLog } from './lib/process/log.ts'
import { listenForStop } from './lib/process/stop-signals.ts'
import { systemClock } from './lib/time/clock.ts'
import type { CopyProgress } from './lib/upgrade/copy-database.ts'
import { serve } from './main.ts'
import { listBackups, restoreInto } from './operator/backups.ts'
import { distributeCommands } from './operator/distribute.ts'
import { type Finding, findings } from './operator/doctor.ts'
import { type Env, readEnvironment } from './operator/environment.ts'
import { type Operator, operatorOver, type Row } from './operator/operator.ts'
import type { MailTest } from './operator/test-relay.ts'
import { upgradeHere } from './operator/upgrade.ts'

// Results go to stdout, where a program may read them, so no log line may appear there.
const silence = createLog('silent')

/** Runs the service in this process until it is stopped. */
export async function serveHere(
  overrides: { role?: string },
  say: (line: string) => void,
): Promise<void> {
  const env = readEnvironment()
  const { role } = overrides
  const running = await serve(role === undefined ? env : { ...env, ROLE: role }, say)
  await running.stopped
}

/**
 * Creates the demo data if there is none, starts the service if it is not running, and prints where
 * to sign in.
 */
export async function demoHere(
  say: (line: string) => void,
  env: Env = readEnvironment(),
): Promise<void> {
  say('Demo data: 10,000 contacts in two businesses; this takes some seconds ...')
  const demo = await operate(({ demo }) => demo.make(), env, { creates: true })
  const running = (await isListening(readConfig(env))) ? undefined : await serve(env, say)
  say(demo.made ? 'The demo data is made.' : 'The demo data was there already.')
  say(`Sign in       ->  ${demo.url}   (as ${demo.email}, for 10 minutes)`)
  say('crier demo --wipe removes all of it. Nothing of it leaves this machine.')
  await running?.stopped
}

/** Whether a program listens at the service's port, which is normally Crier itself. */
async function isListening(config: Config): Promise<boolean> {
  try {
    await tryListening(config)
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return true
    throw error
  }
}

/** Applies the pending migrations. Returns their names. */
export function applyMigrations(env: Env = readEnvironment()): Promise<string[]> {
  return onPostgres(readConfig(env), async ({ connection }) => {
    const applied = await migrate(connection)
    const db = openDatabase({ connection, poolSize: 1 })
    try {
      if (await db.findNodes()) await distributeNew(db)
    } finally {
      await db.end()
    }
    return applied
  })
}

/** What `crier migrate` would do here, and about how long it takes. Nothing is changed. */
export function planOfMigrations(env: Env = readEnvironment()): Promise<PlannedMigration[]> {
  const config = readConfig(env)
  refuseMissingDatabase(config)
  return onPostgres(config, async ({ connection }) => {
    const db = openDatabase({ connection, poolSize: 1 })
    try {
      return await planMigrations(db)
    } finally {
      await db.end()
    }
  })
}

/** What `crier distribute` would do here, and what it lacks. Nothing is changed, no migration applied. */
export function planOfDistribution(env: Env = readEnvironment()): Promise<Row> {
  const config = readConfig(env)
  refuseMissingDatabase(config)
  return onPostgres(config, async ({ connection }) => {
    const db = openDatabase({ connection, poolSize: 1 })
    try {
      const connections = config.databasePool
      return await distributeCommands({ db, clock: systemClock, connections }).plan()
    } finally {
      await db.end()
    }
  })
}

/**
 * Runs one command against the database, which is migrated first if needed. Without `creates` a database
 * that is not there is not created: a command that lacks the settings of the service, such as one of
 * cron, would list nothing, or back up nothing, and report success.
 */
export async function operate<T>(
  work: (operator: Operator) => Promise<T>,
  env: Env = readEnvironment(),
  { creates = false }: { creates?: boolean } = {},
): Promise<T> {
  const config = readConfig(env)
  if (!creates) refuseMissingDatabase(config)
  return onDatabase(config, (db, own) =>
    work(operatorOver({ db, config, clock: systemClock, own })),
  )
}

function refuseMissingDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || mayHoldDatabase(dataDir)) return
  throw new StartError(
    `There is no database in ${dataDir}. Run the command with the settings of the service (docs/operate/server.md); if it has not been started yet, crier serve makes its database.`,
  )
}

/** The backups of a place, also where no database is. */
export function listBackupsHere(location?: string, env: Env = readEnvironment()): Promise<Row[]> {
  return listBackups(readConfig(env), location)
}

function onDatabase<T>(
  config: Config,
  work: (db: Database, own: OwnServer | undefined) => Promise<T>,
): Promise<T> {
  return onPostgres(config, async ({ connection, own }) => {
    await migrate(connection)
    const db = openDatabase({ connection, poolSize: 2 })
    try {
      await db.findNodes()
      return await work(db, own)
    } finally {
      await db.end()
    }
  })
}

/** Converts the embedded database to the newest version of PostgreSQL at hand. */
export function upgradeDatabaseHere(
  onProgress: (progress: CopyProgress) => void,
  env: Env = readEnvironment(),
): Promise<Row> {
  return upgradeHere(readConfig(env), { log: silence, onProgress })
}

/** Restores a backup: into DATA_DIR, an empty database of DATABASE_URL, or a server's new folder. */
export function restoreHere(
  wanted: {
    source: string
    at?: string | undefined
    to?: string | undefined
    passphrase?: string | undefined
  },
  say: (line: string) => void,
  env: Env = readEnvironment(),
): Promise<Row> {
  return restoreInto(readConfig(env), wanted, { clock: systemClock, log: silence, say })
}

/** Ctrl-C ends a command at once, and also a database that no other process uses. */
async function onPostgres<T>(config: Config, work: (postgres: Postgres) => Promise<T>): Promise<T> {
  const signals = listenForStop()
  const { stopSignal } = signals
  try {
    const postgres = await openPostgres({
      dataDir: config.dataDir,
      databaseUrl: config.databaseUrl,
      log: silence,
      signal: stopSignal,
      archiveTo: archiveOf(config),
      memory: config.databaseMemory,
    })
    try {
      return await Promise.race([work(postgres), abortOf(stopSignal)])
    } finally {
      await postgres.stop()
    }
  } catch (error) {
    if (!stopSignal.aborted) throw error
    process.exit(128 + constants.signals[stopSignal.reason as NodeJS.Signals])
  } finally {
    signals.stopListening()
  }
}

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** Examines this installation and yields one finding after the other. */
export function examine(env: Env = readEnvironment()): AsyncIterable<Finding> {
  return findings(env)
}

/** Sends a mail that bounces over each relay, and tells what came of each. */
export async function examineMail(
  wanted: MailTest,
  { say, found }: { say: (line: string) => void; found: (finding: Finding) => void },
  env: Env = readEnvironment(),
): Promise<void> {
  const { testRelays } = await import('./operator/test-relay.ts')
  const config = readConfig(env)
  await onDatabase(config, async (db) => {
    const vault = await openVault(db, secretOf(config), systemClock.now())
    const parts = { db, config, clock: systemClock, vault }
    for await (const finding of testRelays(parts, wanted, say)) found(finding)
  })
}

/** Turns an expected error into words and a code for a person. Undefined for a bug. */
export function explained(error: unknown): Record<string, unknown> | undefined {
  // What ended the start, not what then failed while everything was closed.
  if (error instanceof SuppressedError) return explained(error.suppressed)
  if (isRefusal(error)) {
    const { field, fix, data } = error.details
    return { code: error.code, message: error.message, field, fix, ...data }
  }
  if (error instanceof ConfigError) return { code: 'invalid_setting', message: error.message }
  if (error instanceof StartError) return { code: 'cannot_start', message: error.message }
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    return { code: 'cannot_start', message: portTaken(error as PortError) ?? message }
  }
  return undefined
}

type PortError = NodeJS.ErrnoException & { port?: number; address?: string }

const portSettings = 'PORT, STATUS_PORT, BOUNCE_PORT, SUBMISSION_PORT or SUBMISSION_TLS_PORT'

/** Names the settings of which one is at fault if a port could not be opened. */
function portTaken({ code, port, address }: PortError): string | undefined {
  if (port === undefined) return undefined
  const portName = `Port ${port}${address ? ` of ${address}` : ''}`
  if (code === 'EACCES') {
    return `${portName} needs more rights than this user has. Give the service the right to bind it, as the systemd unit does, or set ${portSettings} to one above 1023.`
  }
  return `${portName} is taken by another program. Stop that one, or set ${portSettings} to a free port, or the HOST beside it to another address.`
}
