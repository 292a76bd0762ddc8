/**
 * Runs the migrations that fill a large table, one after the other and a batch at a time, in the order of the
 * primary key. A batch and how far it got commit together, so that a worker that is killed loses nothing. The
 * size of a batch follows how long the last one took, and as long as it took is waited after it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../process/log.ts'
import type { Clock } from '../time/clock.ts'
import { sql } from './db.ts'
import { type Batches, batchesOf, type Migration, readMigrations } from './migrate.ts'
import type { Database, Db, Tx } from './types.ts'

export interface BackfillDeps {
  db: Database
  clock: Clock
  log: Log
  /** By default those of this version; tests name others. */
  migrations?: readonly Migration[]
}

/** Short enough that whoever wants a row of the batch does not feel that it waits. */
const batchMs = 100
const sizes = { first: 200, least: 20, most: 5_000 }
/** Another transaction holds a row of the batch: its callers go first. */
const lockTimeoutMs = 500
const pauseAfterLockMs = 1_000

/** A run that is cut short goes on where it was. */
export async function runBackfills(deps: BackfillDeps, signal: AbortSignal): Promise<void> {
  const { db, log, migrations = readMigrations() } = deps
  const open = await db.all<{ name: string }>(
    sql`select name from backfills where ended_at is null order by name`,
  )
  for (const { name } of open) {
    const migration = migrations.find((entry) => entry.name === name)
    const batches = migration && batchesOf(migration)
    // A newer version runs beside this one, and will do it.
    if (!batches) return
    const isDone = await fill(deps, { name, ...batches }, signal)
    if (!isDone) return
    log.info({ migration: name }, 'migrations.filled')
  }
}

type Filling = Batches & { name: string }

async function fill(deps: BackfillDeps, filling: Filling, signal: AbortSignal): Promise<boolean> {
  const { db } = deps
  const types = await typesOf(db, filling)
  let size = sizes.first
  while (!signal.aborted) {
    const began = performance.now()
    const rows = await fillBatch(deps, { ...filling, types, size })
    if (rows === 'locked') {
      size = Math.max(sizes.least, Math.floor(size / 2))
      await sleep(pauseAfterLockMs, undefined, { signal }).catch(() => {})
      continue
    }
    if (rows < size) return true
    const ms = performance.now() - began
    size = Math.round(Math.min(sizes.most, Math.max(sizes.least, (size * batchMs) / ms)))
    await sleep(ms, undefined, { signal }).catch(() => {})
  }
  return false
}

/** How each column of the key is written in SQL, since the keys are kept as text. */
async function typesOf(db: Db, { table, key }: Filling): Promise<string[]> {
  const rows = await db.all<{ column: string; type: string }>(sql`
    select attname as column, format_type(atttypid, atttypmod) as type
    from pg_attribute where attrelid = to_regclass(${table}) and attname = any (${[...key]}::text[])
  `)
  return key.map((column) => {
    const type = rows.find((row) => row.column === column)?.type
    if (type === undefined) throw new Error(`${table} has no column ${column}`)
    return type
  })
}

interface Batch extends Filling {
  types: readonly string[]
  size: number
}

/** How many rows it looked at; fewer than `size` are the last ones. */
async function fillBatch({ db, clock }: BackfillDeps, batch: Batch): Promise<number | 'locked'> {
  try {
    return await db.tx(async (tx) => {
      await tx.run({ name: '', text: `set local lock_timeout = ${lockTimeoutMs}`, values: [] })
      // Whoever else runs it waits here, and then sees where this batch ended.
      const open = await tx.maybe<{ lastKey: string[] | null }>(sql`
        select last_key as "lastKey" from backfills
        where name = ${batch.name} and ended_at is null for update
      `)
      if (!open) return 0
      const { rows, changed, last } = await changeRows(tx, batch, open.lastKey)
      const now = clock.now()
      const isLast = rows < batch.size
      await tx.run(sql`
        update backfills set rows_done = rows_done + ${rows}, rows_changed = rows_changed + ${changed},
          last_key = coalesce(${last && JSON.stringify(last)}::jsonb, last_key), updated_at = ${now},
          ended_at = ${isLast ? now : null}
        where name = ${batch.name}
      `)
      return rows
    })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === '55P03' || code === '40P01') return 'locked'
    throw error
  }
}

/** Table, columns and statement are of a file of this version, never of a caller. */
function changeRows(
  tx: Tx,
  { table, key, types, statement, size }: Batch,
  lastKey: readonly string[] | null,
): Promise<{ rows: number; changed: number; last: string[] | null }> {
  const columns = key.join(', ')
  const bounds = types.map((type, i) => `$${i + 2}::${type}`).join(', ')
  const after = lastKey === null ? '' : `where (${columns}) > (${bounds})`
  const reversed = key.map((column) => `${column} desc`).join(', ')
  const text = `
    with batch as materialized (
      select ${columns} from ${table} ${after} order by ${columns} limit $1
    ), changed as (${statement} returning 1)
    select (select count(*)::int from batch) as rows, (select count(*)::int from changed) as changed,
      (select jsonb_build_array(${key.map((column) => `${column}::text`).join(', ')})
       from batch order by ${reversed} limit 1) as last`
  return tx.one({ name: '', text, values: [size, ...(lastKey ?? [])] })
}

export interface BackfillProgress {
  migration: string
  table: string
  /** Rows that were looked at. */
  rows: number
  /** Rows that the table had when it began, as the planner counted them. */
  ofRows: number
  startedAt: Date
}

/** How far the migrations under way are that a job runs in batches, in the order in which they run. */
export function backfillsUnderWay(db: Db): Promise<BackfillProgress[]> {
  return db.all(sql`
    select name as migration, table_name as table, rows_done::float8 as rows,
      rows_expected::float8 as "ofRows", started_at as "startedAt"
    from backfills where ended_at is null order by name
  `)
}

export async function hasBackfills(db: Db): Promise<boolean> {
  return (await db.maybe(sql`select from backfills where ended_at is null limit 1`)) !== undefined
}
