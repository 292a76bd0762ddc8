/** How far the migrations are that a job runs in batches. */
import { sql } from './db.ts'
import type { Db } from './types.ts'

export interface BackfillProgress {
  migration: string
  table: string
  /** Rows that were looked at. */
  rows: number
  /** Rows that the table had when it began, as the planner counted them. */
  ofRows: number
  startedAt: Date
}

/** Those under way, in the order in which they run. */
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
