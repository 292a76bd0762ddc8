/**
 * Schema migrations: files that only go forward, each applied once in its own transaction and
 * never changed afterwards.
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
}

/**
 * Applies the missing migrations and returns their names. Any number of nodes may call it at once:
 * one of them applies each file while the others wait. It throws, with nothing of that file
 * applied, when a file fails or when an applied file has changed. Files that only the database
 * knows belong to a newer version that runs beside this one, and stay applied.
 */
export async function migrate(
  connection: pg.ClientConfig,
  { migrations = readMigrations(), clock = systemClock }: MigrateOptions = {},
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
      if (await applyOnce(client, migration, { clock, isFirst })) applied.push(migration.name)
    }
    return applied
  } finally {
    await client.end()
  }
}

/**
 * The migrations that this version of Crier has and the database does not; `[]` when it is ready
 * to serve.
 */
/** The name of the newest migration that the database has. */
export async function lastMigration(db: Db): Promise<string> {
  const row = await db.maybe<{ name: string }>(
    sql`select name from schema_migrations where name <> ${lockRow} order by name desc limit 1`,
  )
  return row?.name ?? 'none'
}

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

async function applyOnce(
  client: pg.Client,
  migration: Migration,
  { clock, isFirst }: { clock: Clock; isFirst: boolean },
): Promise<boolean> {
  await client.query('begin')
  try {
    await client.query('select 1 from schema_migrations where name = $1 for update', [lockRow])
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
    if (before === undefined) {
      await client.query(migration.text).catch((error: Error) => {
        const explained = isFirst ? inWords(error, client) : error
        if (explained !== error) throw explained
        throw new StartError(`Migration ${migration.name} failed: ${error.message}`, {
          cause: error,
        })
      })
      await client.query(
        'insert into schema_migrations (name, sha256, applied_at) values ($1, $2, $3)',
        [migration.name, migration.sha256, clock.now()],
      )
    }
    await client.query('commit')
    return before === undefined
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
