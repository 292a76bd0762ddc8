/**
 * All that a business has, in every table: for the demo's businesses, test data and businesses
 * that were closed.
 */

import type { Id } from '../core/ids.ts'
import { fanOutJob } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { placeOf } from '../lib/jobs/job.ts'

const sharedLane = placeOf({ kind: fanOutJob, lane: 'several' }).laneId

/** Every table with a column of this name, except partitions of other tables. */
export async function tablesWith(db: Db, column: 'business_id' | 'user_id'): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select c.oid::regclass::text as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = ${column} and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and pg_table_is_visible(c.oid)
      and c.relnamespace <> 'pg_catalog'::regnamespace
    order by 1
  `)
  return rows.map(({ name }) => name)
}

export interface KeyedTable {
  name: string
  /** The columns of its primary key after `business_id`, quoted, with their types. */
  key: { column: string; type: string }[]
}

/** The same tables of businesses with their keys, by name. */
export async function keyedTables(db: Db): Promise<KeyedTable[]> {
  const names = await tablesWith(db, 'business_id')
  const columns = await db.all<{ name: string; column: string; type: string }>(sql`
    select i.indrelid::regclass::text as name, quote_ident(a.attname) as column,
      format_type(a.atttypid, a.atttypmod) as type
    from pg_index i
    cross join lateral unnest(i.indkey) with ordinality as k (attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indisprimary and i.indrelid::regclass::text = any (${names}::text[])
      and a.attname <> 'business_id'
    order by 1, k.place
  `)
  const keys = Map.groupBy(columns, ({ name }) => name)
  return names.toSorted().map((name) => ({ name, key: keys.get(name) ?? [] }))
}

/** Table names come from the database's own catalogue, never from a caller. */
export function deleteRows(
  tx: Tx,
  table: string,
  { column, ids }: { column: 'business_id' | 'user_id'; ids: readonly string[] },
): Promise<number> {
  const text = `delete from ${table} where ${column} = any($1::uuid[])`
  return tx.run({ name: '', text, values: [ids] })
}

/** Deletes the built-in inbox's copies of messages that the businesses sent. */
export function deleteInbox(tx: Tx, ids: readonly Id<'business'>[]): Promise<number> {
  return tx.run(sql`
    delete from inbox_messages where message_id in (
      select id from messages where business_id = any(${ids}::uuid[])
    )
  `)
}

/**
 * Deletes a business's jobs, except those in the lane that events of several businesses share, and
 * those of these kinds.
 */
export function deleteJobs(
  tx: Tx,
  businessId: Id<'business'>,
  exceptKinds: readonly string[] = [],
): Promise<number> {
  return tx.run(sql`
    delete from jobs
    where position(${businessId}::text in payload::text) > 0 and lane <> ${sharedLane}
      and kind <> all (${[...exceptKinds]}::text[])
  `)
}
