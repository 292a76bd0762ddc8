/** What the pending migrations will do, and about how long they take on this database. */

import { sql } from './db.ts'
import { type Migration, pendingMigrations, readMigrations } from './migrate.ts'
import { batchesOf, type Effect, effectOf, isOutside, statementsOf } from './migration-text.ts'
import type { Db } from './types.ts'

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

/** Changes nothing. */
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
