/**
 * Schema migrations: files that only go forward, each applied once and never changed afterwards. Most
 * run in one transaction. Those outside of a transaction may take long on a large
 * table; the service of the version before goes on meanwhile. No lock is waited for longer than a
 * second, since every statement of the service would queue behind it.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { type Clock, systemClock } from '../time/clock.ts'
import { sql } from './db.ts'
import { StartError } from './start-error.ts'
import type { Db } from './types.ts'

export interface Migration {
  /** The file's name, such as `0001_foundation.sql`; names sort in the order of application. */
  name: string
  text: string
  sha256: string
  /** Hashes of earlier texts of the file, which a database may have applied. */
  earlierSha256?: readonly string[]
}

/**
 * Two files were edited after they had landed, before a test held every hash: a comment of 0012, and
 * in 0032 the statistics that `activity_owners` creates where they are missing.
 */
const earlierHashes: Readonly<Record<string, readonly string[]>> = {
  '0012_campaign_runs.sql': ['013eff8adff77b2cb21d3b6e4d04b4bb0cb36b6b3ebd674286a518ddee63ea21'],
  '0032_engagement.sql': ['cfffe3b132144c007a42825c7b1aae5cdc13a722f8e5e0f3f2f665ba23282095'],
}

const folder = path.join(import.meta.dirname, '../../../migrations')

export function readMigrations(from: string = folder): Migration[] {
  const names = readdirSync(from).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
  return names.toSorted().map((name) => {
    const text = readFileSync(path.join(from, name), 'utf8')
    const earlierSha256 = earlierHashes[name] ?? []
    return { name, text, sha256: createHash('sha256').update(text).digest('hex'), earlierSha256 }
  })
}

export interface MigrateOptions {
  migrations?: Migration[]
  clock?: Clock
  /** How long a lock is waited for, and how often it is tried, two seconds apart. */
  locks?: { waitMs: number; tries: number; pauseMs: number }
}

/** Less than two seconds, so that waiting and the change itself are not felt by a caller. */
const patience = { waitMs: 1_000, tries: 60, pauseMs: 2_000 }

/**
 * Applies the missing migrations and returns their names. Any number of nodes may call it at once:
 * one of them applies each file while the others wait. It throws, with nothing of that file
 * applied, when a file fails or when an applied file has changed. Files that only the database
 * knows belong to a newer version that runs beside this one, and stay applied.
 */
export async function migrate(
  connection: pg.ClientConfig,
  { migrations = readMigrations(), clock = systemClock, locks = patience }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ ...connection, application_name: 'crier migrate' })
  // The error is reported by the statement under way.
  client.on('error', () => {})
  await client.connect()
  try {
    await makeLedger(client)
    const applied: string[] = []
    for (const migration of migrations) {
      const isFirst = migration === migrations[0]
      if (await applyOnce(client, migration, { connection, clock, locks, isFirst })) {
        applied.push(migration.name)
      }
    }
    return applied
  } finally {
    await client.end()
  }
}

/** The name of the newest migration that the database has. */
export async function lastMigration(db: Db): Promise<string> {
  const row = await db.maybe<{ name: string }>(
    sql`select name from schema_migrations where name <> ${lockRow} order by name desc limit 1`,
  )
  return row?.name ?? 'none'
}

/**
 * The migrations that this version of Crier has and the database does not; `[]` when it is ready
 * to serve.
 */
export async function pendingMigrations(
  db: Db,
  migrations: Migration[] = readMigrations(),
): Promise<string[]> {
  const ledger = await db.one<{ there: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as there`,
  )
  const rows = ledger.there
    ? await db.all<{ name: string }>(sql`select name from schema_migrations`)
    : []
  const applied = new Set(rows.map((row) => row.name))
  return migrations.map((migration) => migration.name).filter((name) => !applied.has(name))
}

// The row that nodes lock to queue. Advisory locks are not available everywhere.
const lockRow = 'lock'

async function makeLedger(client: pg.Client): Promise<void> {
  const table = `create table if not exists schema_migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null
  )`
  await client.query(table).catch(async (error: unknown) => {
    // Several nodes in `if not exists` fail in different ways. Only the existence of the table
    // matters.
    const { rows } = await client.query("select to_regclass('schema_migrations') as made")
    if (rows[0].made === null) throw inWords(error, client)
  })
  const lock = `insert into schema_migrations (name, sha256, applied_at) values ($1, '', 'epoch')
     on conflict do nothing`
  await client.query(lock, [lockRow]).catch((error: unknown) => {
    throw inWords(error, client)
  })
}

/** What a database refuses that was not made for Crier, by PostgreSQL's codes. */
function inWords(error: unknown, { user, database }: pg.Client): unknown {
  const { code, message } = error as { code?: string; message: string }
  if (code === '42501') {
    return new StartError(
      `The user ${user} may not create tables in the database ${database}. Make it the owner: alter database ${database} owner to ${user}.`,
    )
  }
  // A table, or a column of a table of the same name.
  if (code === '42P07' || code === '42703') {
    return new StartError(
      `The database ${database} has tables of another program (${message}). Give Crier a database of its own.`,
    )
  }
  return error
}

interface Applying {
  connection: pg.ClientConfig
  clock: Clock
  locks: NonNullable<MigrateOptions['locks']>
  isFirst: boolean
}

async function applyOnce(
  client: pg.Client,
  migration: Migration,
  applying: Applying,
): Promise<boolean> {
  const { locks } = applying
  for (let attempt = 1; ; ) {
    try {
      const outcome = await tryOnce(client, migration, applying)
      if (outcome === 'begun elsewhere') await pause(leasePauseMs)
      else return outcome === 'applied'
    } catch (error) {
      if (!isLockFault(error)) throw error
      if (attempt >= locks.tries) throw noLock(migration, locks)
      attempt += 1
      await pause(locks.pauseMs)
    }
  }
}

/** A lock was not to be had in time (55P03), or another transaction waited for ours (40P01). */
function isLockFault(error: unknown): boolean {
  const { code } = (error instanceof Error && error.cause ? error.cause : error) as {
    code?: string
  }
  return code === '55P03' || code === '40P01'
}

function noLock({ name }: Migration, { tries }: Applying['locks']): StartError {
  return new StartError(
    `Migration ${name} did not get its locks in ${tries} tries: a transaction that does not end holds them. Find it (select pid, xact_start, query from pg_stat_activity where xact_start < now() - interval '1 minute'), end it (select pg_terminate_backend(pid)), and run crier migrate again.`,
  )
}

async function tryOnce(
  client: pg.Client,
  migration: Migration,
  { connection, clock, locks, isFirst }: Applying,
): Promise<'applied' | 'applied before' | 'begun elsewhere'> {
  await client.query('begin')
  try {
    // By the clock of the database, since those of the nodes differ.
    const { rows: leases } = await client.query<{ leased: boolean }>(
      `select sha256 <> '' and applied_at > clock_timestamp() as leased
       from schema_migrations where name = $1 for update`,
      [lockRow],
    )
    const { rows } = await client.query<{ sha256: string }>(
      'select sha256 from schema_migrations where name = $1',
      [migration.name],
    )
    const before = rows[0]?.sha256
    const hashes = [migration.sha256, ...(migration.earlierSha256 ?? [])]
    if (before !== undefined && !hashes.includes(before)) {
      throw new StartError(
        `Migration ${migration.name} was changed after it was applied. Put the file back as it was, and change the schema in a new one.`,
      )
    }
    if (before !== undefined) {
      await client.query('commit')
      return 'applied before'
    }
    if (leases[0]?.leased) {
      await client.query('rollback')
      return 'begun elsewhere'
    }
    const batches = batchesOf(migration)
    if (batches) {
      await queueBackfill(client, migration, { table: batches.table, now: clock.now() })
    } else if (isOutside(migration)) {
      await setLease(client, migration.name)
      await client.query('commit')
      await applyOutside(client, migration, { connection, locks })
      await client.query('begin')
      await setLease(client, '')
    } else {
      await client.query(`set local lock_timeout = ${locks.waitMs}`)
      await client.query(migration.text).catch((error: Error) => {
        const explained = isFirst ? inWords(error, client) : error
        if (explained !== error) throw explained
        throw failed(migration, error)
      })
    }
    await client.query(
      `insert into schema_migrations (name, sha256, applied_at) values ($1, $2, $3)
       on conflict (name) do nothing`,
      [migration.name, migration.sha256, clock.now()],
    )
    await client.query('commit')
    return 'applied'
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** A job does the work (backfills.ts). In a new installation there is none. */
async function queueBackfill(
  client: pg.Client,
  { name }: Migration,
  { table, now }: { table: string; now: Date },
): Promise<void> {
  await client.query(
    `insert into backfills (name, table_name, rows_expected, rows_done, rows_changed, started_at,
       updated_at, ended_at)
     select $1::text, $2::text, greatest(reltuples, 0), 0, 0, $3::timestamptz, $3::timestamptz,
       case when exists (select from ${table}) then null else $3::timestamptz end
     from pg_class where oid = to_regclass($2::text)`,
    [name, table, now],
  )
}

function failed({ name }: Migration, error: Error): StartError {
  return new StartError(`Migration ${name} failed: ${error.message}`, { cause: error })
}

const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))

/** How long the node that applies a migration outside of a transaction holds the others off. */
const leaseSeconds = 60
const leaseRenewedMs = 15_000
const leasePauseMs = 500

/** Also on the row that nodes lock, which no transaction may hold while an index is built. */
function setLease(client: pg.Client, name: string): Promise<unknown> {
  return client.query(
    `update schema_migrations set sha256 = $2, applied_at = case when $2 = '' then 'epoch'
       else clock_timestamp() + make_interval(secs => $3) end
     where name = $1`,
    [lockRow, name, leaseSeconds],
  )
}

/** Each statement can be run again: a process that is killed leaves the rest to the next one. */
async function applyOutside(
  client: pg.Client,
  migration: Migration,
  { connection, locks }: Pick<Applying, 'connection' | 'locks'>,
): Promise<void> {
  const statements = statementsOf(migration)
  const unclearStatement = statements.find((statement) => !isWhole(statement))
  if (unclearStatement !== undefined) {
    throw new StartError(
      `Migration ${migration.name} runs outside of a transaction, and has ;, --, /* or $$ within a statement: ${unclearStatement}`,
    )
  }
  const keeper = new pg.Client({ ...connection, application_name: 'crier migrate' })
  keeper.on('error', () => {})
  await keeper.connect()
  let lastRenewal: Promise<unknown> = Promise.resolve()
  const renewal = setInterval(() => {
    lastRenewal = setLease(keeper, migration.name).catch(() => {})
  }, leaseRenewedMs)
  try {
    for (const statement of statements) {
      await runOutside(client, statement, locks).catch((error: Error) => {
        throw failed(migration, error)
      })
    }
  } catch (error) {
    await setLease(keeper, '')
    throw error
  } finally {
    clearInterval(renewal)
    // Otherwise it could set the lease after it was cleared.
    await lastRenewal
    await keeper.end()
  }
}

const indexMade = /^create (?:unique )?index concurrently if not exists (\w+) /i

async function runOutside(
  client: pg.Client,
  statement: string,
  locks: Applying['locks'],
): Promise<void> {
  // It waits for older transactions, which nothing waits behind; one that was cut short leaves an index that is of no use.
  const index = indexMade.exec(statement)?.[1]
  if (index !== undefined) {
    const { rows } = await client.query(
      'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [index],
    )
    if (rows.length > 0) await client.query(`drop index concurrently ${index}`)
  }
  if (/\bconcurrently\b/i.test(statement)) {
    await client.query(statement)
    return
  }
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${locks.waitMs}`)
    await client.query(statement)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Seconds for each million rows, by `npm run bench -- migrations` (docs/benchmarks.md). A faster disk
 * and narrower rows take less; ten times as many rows a little more than ten times as long.
 */
export const secondsPerMillion: Readonly<Record<Effect['cost'] | 'batches', number>> = {
  index: 10,
  reading: 3,
  writing: 60,
  batches: 120,
  none: 0,
}

export interface PlannedMigration {
  migration: string
  runs: 'in one transaction' | 'outside of a transaction' | 'in batches, by a job of the service'
  statements: number
  /** The tables that have rows, in the order of the statements. */
  tables: { table: string; rows: number; work: Effect['cost'] | 'batches'; seconds: number }[]
  /** The sum of the seconds of the tables. */
  seconds: number
}

/**
 * What the pending migrations will do, and about how long they take on this database. Changes
 * nothing.
 */
export async function planMigrations(
  db: Db,
  migrations: Migration[] = readMigrations(),
): Promise<PlannedMigration[]> {
  const pending = new Set(await pendingMigrations(db, migrations))
  const sizes = await db.all<{ name: string; rows: number }>(sql`
    select c.relname as name, sum(greatest(coalesce(p.reltuples, c.reltuples), 0))::float8 as rows
    from pg_class c
    left join pg_inherits i on i.inhparent = c.oid
    left join pg_class p on p.oid = i.inhrelid
    where c.relkind in ('r', 'p') and pg_table_is_visible(c.oid)
    group by c.relname
  `)
  const rowsOf = new Map(sizes.map(({ name, rows }) => [name, rows]))
  return migrations
    .filter(({ name }) => pending.has(name))
    .map((migration) => {
      const statements = statementsOf(migration)
      const batches = batchesOf(migration)
      const tables = statements.flatMap((statement) => {
        const effect = batches
          ? { table: batches.table, cost: 'batches' as const }
          : effectOf(statement)
        const rows = effect && rowsOf.get(effect.table)
        if (!effect || !rows) return []
        const seconds = tenths((rows / 1e6) * secondsPerMillion[effect.cost])
        return [{ table: effect.table, rows, work: effect.cost, seconds }]
      })
      return {
        migration: migration.name,
        runs: runsOf(migration),
        statements: statements.length,
        tables,
        seconds: tenths(tables.reduce((sum, { seconds }) => sum + seconds, 0)),
      }
    })
}

function runsOf(migration: Migration): PlannedMigration['runs'] {
  if (batchesOf(migration)) return 'in batches, by a job of the service'
  return isOutside(migration) ? 'outside of a transaction' : 'in one transaction'
}

const tenths = (seconds: number) => Math.round(seconds * 10) / 10

/**
 * A migration's file as text, which says how it runs. Most run in one transaction. One that begins
 * with the line `-- outside of a transaction` runs statement by statement, for what may last minutes
 * on a large table while the service works: it reads `create index concurrently`, `drop index
 * concurrently`, and constraints that are added NOT VALID and then validated. One that begins with
 * `-- in batches of TABLE by KEY` is the one statement that a job runs for a few rows at a time.
 */
interface MigrationText {
  text: string
}

export const outsideLine = '-- outside of a transaction'

export const isOutside = ({ text }: MigrationText): boolean => text.startsWith(outsideLine)

const batchesLine = /^-- in batches of (\w+) by (\w+(?:, \w+)*)\n/

export interface Batches {
  table: string
  /** The columns of its primary key, in their order. */
  key: readonly string[]
  /** Changes the rows of `batch`, which has the keys of some. It may run twice for the same row. */
  statement: string
}

/** What a file of batches says; undefined for every other. */
export function batchesOf(migration: MigrationText): Batches | undefined {
  const [line, table = '', key = ''] = batchesLine.exec(migration.text) ?? []
  if (line === undefined) return undefined
  const [statement = '', ...more] = statementsOf(migration)
  if (more.length > 0 || !isWhole(statement) || !/ from batch where /.test(statement)) {
    throw new Error('A migration in batches is one statement: update … from batch where …')
  }
  return { table, key: key.split(', '), statement }
}

/** The statements without lines of comment. A file outside of a transaction has none that `isWhole` refuses. */
export function statementsOf({ text }: MigrationText): string[] {
  return withoutComments(text)
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')
}

/**
 * Whether it is one statement for certain: text after a comment or a semicolon within it would not
 * run, or not as it stands in the file.
 */
export const isWhole = (statement: string): boolean => !/;|--|\/\*|\$\w*\$/.test(statement)

const withoutComments = (text: string) => text.replace(/^\s*--.*$/gm, '')

export interface Effect {
  table: string
  /** What it costs for each row; `none` of it reads or writes rows. */
  cost: 'index' | 'reading' | 'writing' | 'none'
}

const name = String.raw`(?:only )?(?:public\.)?"?(\w+)"?`
const costs: readonly [pattern: RegExp, cost: Effect['cost']][] = [
  [new RegExp(`^create (?:unique )?index (?:concurrently )?.*? on ${name}`), 'index'],
  [new RegExp(`^alter table ${name} .*validate constraint`), 'reading'],
  [new RegExp(`^alter table ${name} .*set not null`), 'reading'],
  [
    new RegExp(
      `^alter table ${name} .*add (?:constraint \\w+ )?(?:check|foreign key)(?!.*not valid)`,
    ),
    'reading',
  ],
  [new RegExp(`^alter table ${name} .*add (?:constraint \\w+ )?(?:primary key|unique)`), 'index'],
  [new RegExp(`^alter table ${name} .*(?:alter (?:column )?\\w+ (?:set data )?type)`), 'writing'],
  [new RegExp(`^alter table ${name}`), 'none'],
  [new RegExp(`^update ${name}`), 'writing'],
  [new RegExp(`^delete from ${name}`), 'writing'],
]

/** What a statement does to a table that may have rows; undefined if to none. */
export function effectOf(statement: string): Effect | undefined {
  const text = statement.toLowerCase()
  for (const [pattern, cost] of costs) {
    const table = pattern.exec(text)?.[1]
    if (table !== undefined) return { table, cost }
  }
  return undefined
}
