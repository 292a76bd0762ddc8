/**
 * All that a business has, in every table: for the demo's businesses, test data and businesses
 * that were closed.
 */

import type { Id } from '../core/ids.ts'
import { fanOutJob } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { placeOf, serviceBusiness } from '../lib/jobs/job.ts'

const sharedLane = placeOf({ kind: fanOutJob, businessId: null, lane: 'several' }).laneId

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

/** Their rows are not deleted like others: some jobs outlive what they delete, and run in a lane. */
const ofQueue = ['jobs', 'lanes']

/** The tables whose rows of a business are deleted, except those of the queue (`deleteJobs`). */
export async function tablesToEmpty(db: Db): Promise<string[]> {
  const names = await tablesWith(db, 'business_id')
  return names.filter((name) => !ofQueue.includes(name))
}

export interface KeyedTable {
  name: string
  /** The columns of its primary key after `business_id`, quoted, with their types. */
  key: { column: string; type: string }[]
}

/** The same tables of businesses with their keys, by name. */
export async function keyedTables(db: Db): Promise<KeyedTable[]> {
  const names = await tablesToEmpty(db)
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
 * Deletes a business's jobs, except those of these kinds. What nodes of version 1.1 queued, or what
 * concerns several, names it in its payload alone; the lane of the events of several businesses
 * keeps its jobs.
 */
export async function deleteJobs(
  tx: Tx,
  businessId: Id<'business'>,
  exceptKinds: readonly string[] = [],
): Promise<number> {
  const own = await tx.run(sql`
    delete from jobs
    where business_id = ${businessId} and kind <> all (${[...exceptKinds]}::text[])
  `)
  const unnamed = await tx.run(sql`
    delete from jobs
    where business_id = ${serviceBusiness} and position(${businessId}::text in payload::text) > 0
      and lane <> ${sharedLane} and kind <> all (${[...exceptKinds]}::text[])
  `)
  return own + unnamed
}

/** Deletes a business's lanes, paused ones too, once it is gone. Those with a job stay. */
export function deleteLanes(tx: Tx, businessId: Id<'business'>): Promise<number> {
  return tx.run(sql`
    delete from lanes
    where business_id = ${businessId} and not exists (
      select from jobs
      where (jobs.business_id = ${businessId} or true) and jobs.shard = lanes.shard
        and jobs.lane = lanes.id
    )
  `)
}
