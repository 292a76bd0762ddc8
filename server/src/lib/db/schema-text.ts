/**
 * The schema as SQL, printed from the catalogue, because the embedded server comes without
 * pg_dump, and an older pg_dump refuses a newer server. Reviewers read the result beside a
 * migration: it shows what the database became, not what a file intended.
 */

import { sql } from './db.ts'
import type { Db } from './types.ts'

interface Table {
  name: string
  unlogged: boolean
  partitionedBy: string | null
  partitionOf: string | null
  bounds: string | null
}

interface Part {
  table: string
  line: string
}

/** Prints every table of the schema `public` by name, columns in their order, the rest by name. */
export async function schemaText(db: Db): Promise<string> {
  const [tables, columns, constraints, indexes] = await Promise.all([
    listTables(db),
    listColumns(db),
    listConstraints(db),
    listIndexes(db),
  ])
  const linesOf = (parts: Part[], table: Table) =>
    parts.filter((part) => part.table === table.name).map((part) => part.line)
  return tables
    .map((table) => {
      const inside = [...linesOf(columns, table), ...linesOf(constraints, table)]
      const after = linesOf(indexes, table).map((line) => `${line};\n`)
      return `${createTable(table, inside)}${after.join('')}`
    })
    .join('\n')
}

function createTable(table: Table, inside: string[]): string {
  const create = `create ${table.unlogged ? 'unlogged ' : ''}table ${table.name}`
  const by = table.partitionedBy === null ? '' : ` partition by ${table.partitionedBy}`
  if (table.partitionOf !== null) {
    return `${create} partition of ${table.partitionOf} ${table.bounds}${by};\n`
  }
  return `${create} (\n${inside.map((line) => `  ${line}`).join(',\n')}\n)${by};\n`
}

function listTables(db: Db): Promise<Table[]> {
  return db.all<Table>(sql`
    select c.relname as name, c.relpersistence = 'u' as unlogged,
      pg_get_partkeydef(c.oid) as "partitionedBy",
      (select inhparent::regclass::text from pg_inherits where inhrelid = c.oid) as "partitionOf",
      pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname
  `)
}

function listColumns(db: Db): Promise<Part[]> {
  return db.all<Part>(sql`
    select c.relname as table,
      concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
        case when a.attgenerated <> ''
          then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
          else 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
        case when a.attidentity <> '' then 'generated as identity' end,
        case when a.attnotnull then 'not null' end) as line
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    order by c.relname, a.attnum
  `)
}

/**
 * Lists keys first, then checks. The column shows its not-null constraint, which PostgreSQL 18
 * lists as a constraint too.
 */
function listConstraints(db: Db): Promise<Part[]> {
  return db.all<Part>(sql`
    select c.relname as table,
      'constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid) as line
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'f', 'c', 'x')
    order by c.relname, array_position(array['p', 'u', 'f', 'c', 'x'], k.contype::text), k.conname
  `)
}

/** Indexes that do not belong to a constraint. */
function listIndexes(db: Db): Promise<Part[]> {
  return db.all<Part>(sql`
    select c.relname as table, pg_get_indexdef(i.indexrelid) as line
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_class x on x.oid = i.indexrelid
    where c.relnamespace = 'public'::regnamespace
      and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid
        and k.contype in ('p', 'u', 'x'))
    order by c.relname, x.relname
  `)
}
