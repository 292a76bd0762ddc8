/** What statements read, whatever plan they got. */

import { sql } from 'crier-server/lib/db/db.ts'
import type { Database, Tx } from 'crier-server/lib/db/types.ts'

/** Rows of a table, its partitions included, that `work` fetches, by whichever way. */
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

/** Has tables be counted when a test says so, and by nobody else. */
export async function leaveUncounted(db: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await db.run(ddl(`alter table ${table} set (autovacuum_enabled = off)`))
  }
}

export async function count(db: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) await db.run(ddl(`analyze ${table}`))
}

const ddl = (text: string) => ({ name: '', text, values: [] })
