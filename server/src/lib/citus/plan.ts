/**
 * Which tables lie where on a distributed database, and what is still to do for that. The rows of a
 * business are together on one node, by `business_id`. All of it is read from the catalogue, so that a
 * run that was cut short goes on where it was, and a new table of a later version is found.
 */
import { sql } from '../db/db.ts'
import { localTables, referenceTables } from '../db/routed-insert.ts'
import type { Db } from '../db/types.ts'

export type Step =
  | { step: 'copy to all nodes' | 'distribute' | 'remove the old copy'; table: string; size: Size }
  | { step: 'key by business'; table: string }
  | { step: 'drop foreign key'; table: string; key: string; to: string }

/** As the planner counted the rows; bytes with indexes and partitions. */
export interface Size {
  rows: number
  bytes: number
}

/** What is left to do, in its order. */
export async function readPlan(db: Db): Promise<Step[]> {
  const [tables, keys, leftovers] = await Promise.all([
    readTables(db),
    readKeys(db),
    readLeftovers(db),
  ])
  const open = tables.filter(({ isPlaced }) => !isPlaced)
  const references = open.filter(({ table }) => referenceTables.includes(table))
  const distributed = tables.filter(isOfBusinesses)
  const names = new Set(distributed.map(({ table }) => table))
  const pointing = new Set(keys.filter(({ to }) => names.has(to)).map(({ table }) => table))
  // Citus refuses a key to a table that is not placed yet.
  const sorted = distributed
    .filter(({ isPlaced }) => !isPlaced)
    .toSorted((a, b) => Number(pointing.has(a.table)) - Number(pointing.has(b.table)))
  return [
    ...distributed
      .filter(({ isKeyedByBusiness }) => !isKeyedByBusiness)
      .map(({ table }) => ({ step: 'key by business' as const, table })),
    ...references.map(({ table, size }) => ({ step: 'copy to all nodes' as const, table, size })),
    ...keys
      .filter((key) => !mayStay(key, names))
      .map(({ table, key, to }) => ({ step: 'drop foreign key' as const, table, key, to })),
    ...sorted.map(({ table, size }) => ({ step: 'distribute' as const, table, size })),
    ...leftovers.map(({ table, bytes }) => {
      return { step: 'remove the old copy' as const, table, size: { rows: 0, bytes } }
    }),
  ]
}

interface Table {
  table: string
  hasBusiness: boolean
  /** The primary key has `business_id`, as of all but the queue on one PostgreSQL. */
  isKeyedByBusiness: boolean
  /** Distributed, or copied to all nodes. */
  isPlaced: boolean
  size: Size
}

export const isOfBusinesses = ({ table, hasBusiness }: Table): boolean =>
  hasBusiness && !localTables.has(table) && !referenceTables.includes(table)

/** Tables in the order of their names, without partitions. */
export async function readTables(db: Db): Promise<Table[]> {
  const rows = await db.all<Omit<Table, 'size'> & Size>(sql`
    select c.relname as "table",
      exists (
        select from pg_attribute where attrelid = c.oid and attname = 'business_id'
      ) as "hasBusiness",
      exists (
        select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
        where i.indrelid = c.oid and i.indisprimary and a.attname = 'business_id'
      ) as "isKeyedByBusiness",
      coalesce(d.partmethod = 'h' or d.repmodel = 't', false) as "isPlaced",
      (
        select coalesce(sum(greatest(part.reltuples, 0)), 0)::float8
        from pg_partition_tree(c.oid) tree join pg_class part on part.oid = tree.relid
      ) as rows,
      (
        select coalesce(sum(pg_total_relation_size(tree.relid)), 0)::float8
        from pg_partition_tree(c.oid) tree
      ) as bytes
    from pg_class c left join pg_dist_partition d on d.logicalrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
    order by c.relname
  `)
  return rows.map(({ rows, bytes, ...table }) => ({ ...table, size: { rows, bytes } }))
}

interface ForeignKey {
  table: string
  key: string
  to: string
  /** The columns are in pairs, and one pair is `business_id` with `business_id`. */
  isWithin: boolean
}

function readKeys(db: Db): Promise<ForeignKey[]> {
  return db.all(sql`
    select source.relname as "table", conname as key, target.relname as "to", exists (
        select from unnest(conkey, confkey) as pair (own, other)
        join pg_attribute own on own.attrelid = conrelid and own.attnum = pair.own
        join pg_attribute other on other.attrelid = confrelid and other.attnum = pair.other
        where own.attname = 'business_id' and other.attname = 'business_id'
      ) as "isWithin"
    from pg_constraint
    join pg_class source on source.oid = conrelid
    join pg_class target on target.oid = confrelid
    where contype = 'f' and source.relnamespace = 'public'::regnamespace
      and not source.relispartition
    order by source.relname, conname
  `)
}

/** A key stays where both rows are on one node. */
function mayStay({ table, to, isWithin }: ForeignKey, distributed: ReadonlySet<string>): boolean {
  if (referenceTables.includes(to)) return true
  if (distributed.has(table)) return distributed.has(to) && isWithin
  return !distributed.has(to)
}

/** Tables whose rows are on the nodes, and still on the coordinator's disk, where nobody sees them. */
function readLeftovers(db: Db): Promise<{ table: string; bytes: number }[]> {
  return db.all(sql`
    select c.relname as "table", sum(pg_relation_size(tree.relid))::float8 as bytes
    from pg_dist_partition d join pg_class c on c.oid = d.logicalrelid
    cross join lateral pg_partition_tree(c.oid) tree
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and (d.partmethod = 'h' or d.repmodel = 't')
    group by c.relname having sum(pg_relation_size(tree.relid)) > 0
    order by c.relname
  `)
}
