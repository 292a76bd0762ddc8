/** Counts the rows that statements read, whatever their plan. */

import { sql } from 'crier-server/lib/db/db.ts'
import type { Database, Tx } from 'crier-server/lib/db/types.ts'

/** The number of rows of a table and its partitions that `work` reads, by any access method. */
export async function lookedAt(
  tx: Tx,
  table: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await looks(tx, table)
  await work()
  return (await looks(tx, table)) - before
}

async function looks(tx: Tx, table: string): Promise<number> {
  const { n } = await tx.one<{ n: number }>(sql`
    select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::bigint as n
    from pg_stat_xact_user_tables
    where relid = ${table}::text::regclass
      or relid in (select relid from pg_partition_tree(${table}::text::regclass))
  `)
  return n
}

/** Disables autovacuum, so that statistics are updated only when a test does it. */
export async function leaveUncounted(db: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await db.run(ddl(`alter table ${table} set (autovacuum_enabled = off)`))
  }
}

export async function count(db: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) await db.run(ddl(`analyze ${table}`))
}

const ddl = (text: string) => ({ name: '', text, values: [] })
