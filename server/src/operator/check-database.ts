/** Checks the database: reachable, supported version, durable, migrated. */

import { existsSync } from 'node:fs'
import { durabilityFinding, queueFinding } from '../checks/check-data.ts'
import { volumeFinding } from '../checks/check-domains.ts'
import {
  addressesFinding,
  clockFinding,
  clockJumpFinding,
  hearingFinding,
  sealFinding,
} from '../checks/check-nodes.ts'
import { ownersFinding, refusalsFinding } from '../checks/check-owners.ts'
import { type Finding, fail, ok, warn } from '../checks/finding.ts'
import { listensOn } from '../config/operating.ts'
import type { Config } from '../config.ts'
import { openDatabase, sql } from '../lib/db/db.ts'
import { pendingMigrations, readMigrations } from '../lib/db/migrate.ts'
import { isOutage } from '../lib/db/outage.ts'
import type { Database } from '../lib/db/types.ts'
import { homeName } from '../lib/postgres/home.ts'
import { openPostgres, type Postgres } from '../lib/postgres/open.ts'
import { createLog } from '../lib/process/log.ts'
import { clusterFindings } from './check-cluster.ts'
import { companiesFinding } from './check-company.ts'
import { marketingFindings } from './check-reports.ts'

const oldestMajor = 15

export async function* databaseFindings(config: Config): AsyncGenerator<Finding> {
  if (config.databaseUrl === undefined && !existsSync(homeName(config.dataDir))) {
    yield ok('database', 'embedded, made on the first start')
    return
  }
  let postgres: Postgres
  try {
    postgres = await openPostgres({
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      log: createLog('silent'),
    })
  } catch (error) {
    yield unreachable(config, error)
    return
  }
  const db = openDatabase({ connection: postgres.connection, poolSize: 1 })
  try {
    yield* examined(db, postgres, config)
  } catch (error) {
    yield db.isDistributed() && isOutage(error) ? unexamined : unreachable(config, error)
  } finally {
    await db.end()
    await postgres.stop()
  }
}

/** After the coordinator answered and its nodes were looked at. */
const unexamined = fail(
  'database',
  'the checks that read all nodes were left out, since a node does not answer',
  'Start it, and run crier doctor again.',
)

async function* examined(
  db: Database,
  { kind, connection }: Postgres,
  config: Config,
): AsyncGenerator<Finding> {
  const { version } = await db.one<{ version: string }>(
    sql`select current_setting('server_version') as version`,
  )
  const source = { url: 'from DATABASE_URL', embedded: 'embedded', system: "the machine's own" }
  yield Number.parseInt(version, 10) >= oldestMajor
    ? ok('database', `PostgreSQL ${version}, ${source[kind]}`)
    : fail('database', `PostgreSQL ${version} is too old`, `Use ${oldestMajor} or newer.`)
  yield await durabilityFinding(db)
  if (kind === 'url') {
    yield await roleFinding(db)
    // Backups that Crier makes itself have a finding of their own.
    if (config.backupTo === undefined) yield await ownBackupFinding(db)
  }
  yield await clockFinding(db)
  const pending = await pendingMigrations(db)
  yield pending.length === 0
    ? ok('migrations', 'all applied')
    : warn('migrations', `not applied: ${pending.join(', ')}`, 'crier migrate')
  const foreign = await foreignFinding(db)
  if (foreign) yield foreign
  if (pending.length > 0) return
  const jump = await clockJumpFinding(db, new Date())
  if (jump) yield jump
  yield* clusterFindings(db)
  yield await sealFinding(db, config)
  yield await addressesFinding(db, config)
  yield await queueFinding(db)
  yield* marketingFindings(db, config)
  const now = new Date()
  const waiting = [
    await volumeFinding(db),
    await ownersFinding(db),
    await refusalsFinding(db, { issuer: config.companySignIn?.issuer, now }),
    await companiesFinding(db, config),
  ]
  for (const finding of waiting) if (finding) yield finding
  const makesBackups = config.backupTo !== undefined
  yield await hearingFinding(db, listensOn(config, connection), { makesBackups })
}

/** A driver's message may contain the address with its password, so only the code is shown. */
function unreachable({ databaseUrl }: Config, error: unknown): Finding {
  const { code, message, name } = error as NodeJS.ErrnoException
  const ours = name === 'StartError'
  const reason = ours ? message : `no connection${code ? ` (${code})` : ''}`
  const mend = databaseUrl
    ? 'Check that the server is running, and that DATABASE_URL has the right host, user and password.'
    : 'See the message, and postgres.log in the data folder.'
  return fail('database', reason, mend)
}

/** A service that may do everything on the server loses all of it with one mistake. */
async function roleFinding(db: Database): Promise<Finding> {
  const { role, isSuperuser } = await db.one<{ role: string; isSuperuser: boolean }>(sql`
    select rolname as role, rolsuper as "isSuperuser" from pg_roles where rolname = current_user
  `)
  if (!isSuperuser) return ok('database role', `${role} is no superuser`)
  const mend = 'Give Crier a role of its own that owns its database, and name it in DATABASE_URL.'
  return warn('database role', `${role} is a superuser of the whole server`, mend)
}

/** Only the operator's database server can tell whether something copies it. */
async function ownBackupFinding(db: Database): Promise<Finding> {
  const { archived, followers } = await db.one<{ archived: Date | null; followers: number }>(sql`
    select (select last_archived_time from pg_stat_archiver) as archived,
      (select count(*)::int from pg_replication_slots) as followers
  `)
  const name = 'server backup'
  if (archived) return ok(name, `the server last archived its log at ${archived.toISOString()}`)
  if (followers > 0) return ok(name, `${followers} replication slots follow the server`)
  return warn(
    name,
    'nothing on the server says that it is backed up: it archives no log, and nothing follows it',
    'Set up pgBackRest or the backups of your provider, as docs/operate/backup.md describes. Dumps alone lose what came after them.',
  )
}

/** Tables that no migration makes, such as those of a program with the same database. */
async function foreignFinding(db: Database): Promise<Finding | undefined> {
  const made = new Set(readMigrations().flatMap(({ text }) => tablesMadeBy(text)))
  const rows = await db.all<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by 1
  `)
  const foreign = rows.map(({ name }) => name).filter((name) => !made.has(name) && name !== ours)
  if (foreign.length === 0) return undefined
  const names = foreign.slice(0, 5).join(', ')
  return warn(
    'tables',
    `${foreign.length} that Crier did not make: ${names}`,
    'Give Crier a database of its own: a backup, a restore and an upgrade of one would touch the other.',
  )
}

/** What a migration names after `create table`, `create unlogged table` and `rename to`. */
function tablesMadeBy(text: string): string[] {
  const words = text
    .toLowerCase()
    .replaceAll('\n', ' ')
    .replaceAll('(', ' ')
    .split(' ')
    .filter(Boolean)
  return words.flatMap((word, index) => {
    const before = words[index - 1] ?? ''
    const isMade = word === 'table' && (before === 'create' || before === 'unlogged')
    const isRenamed = word === 'to' && before === 'rename'
    if (!isMade && !isRenamed) return []
    const after = words.slice(index + 1, index + 5)
    const name = after[0] === 'if' ? after[3] : after[0]
    return [(name ?? '').replaceAll('"', '').replaceAll(';', '')]
  })
}

const ours = 'schema_migrations'
