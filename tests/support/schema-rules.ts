/**
 * The rules that keep the schema fit for a distributed database, each with a query that
 * finds violations.
 */

import { sql } from 'crier-server/lib/db/db.ts'
import type { Db, Sql } from 'crier-server/lib/db/types.ts'

interface Rule {
  name: string
  /** Rows with the column `at`, which names each violation. */
  broken: Sql
}

const rules: Rule[] = [
  {
    name: 'every table has a primary key',
    broken: sql`
      select c.relname as at from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not exists (
          select 1 from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`,
  },
  {
    // The queue's keys begin with the shard as long as nodes of version 1.1 may write to it: `crier
    // distribute` puts the business before it (decision 0061).
    name: 'business_id leads the primary key and unique keys of its table',
    broken: sql`
      select x.relname as at from pg_index i
      join pg_class x on x.oid = i.indexrelid and x.relnamespace = 'public'::regnamespace
      join pg_attribute b on b.attrelid = i.indrelid and b.attname = 'business_id'
      where i.indisunique and i.indkey[0] <> b.attnum
        and x.relname not in ('jobs_pkey', 'lanes_pkey')`,
  },
  {
    name: 'business_id leads foreign keys between tables of a business',
    broken: sql`
      select k.conname as at from pg_constraint k
      join pg_attribute mine on mine.attrelid = k.conrelid and mine.attname = 'business_id'
      join pg_attribute theirs on theirs.attrelid = k.confrelid and theirs.attname = 'business_id'
      where k.contype = 'f'
        and (k.conkey[1] <> mine.attnum or k.confkey[1] <> theirs.attnum)`,
  },
  {
    name: 'shard leads the primary key and unique keys of a queue',
    broken: sql`
      select x.relname as at from pg_index i
      join pg_class x on x.oid = i.indexrelid and x.relnamespace = 'public'::regnamespace
      join pg_attribute s on s.attrelid = i.indrelid and s.attname = 'shard'
      where i.indisunique and i.indkey[0] <> s.attnum`,
  },
  {
    // A client's id may be the URL of its metadata document, and external_id is the business's own.
    name: 'ids are uuids',
    broken: sql`
      select table_name || '.' || column_name as at from information_schema.columns
      where table_schema = 'public' and column_name ~ '(^|_)id$' and data_type <> 'uuid'
        and column_name not in ('client_id', 'external_id')
        and table_name || '.' || column_name <> 'oauth_clients.id'`,
  },
  {
    name: 'moments have a time zone',
    broken: sql`
      select table_name || '.' || column_name as at from information_schema.columns
      where table_schema = 'public' and data_type = 'timestamp without time zone'`,
  },
  {
    name: 'defaults are constants: ids and moments come from the service',
    broken: sql`
      select c.relname || '.' || a.attname as at from pg_attrdef d
      join pg_class c on c.oid = d.adrelid and c.relnamespace = 'public'::regnamespace
      join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      where a.attgenerated = ''
        and pg_get_expr(d.adbin, d.adrelid) ~* '[(]|current_|localtime'`,
  },
  {
    name: 'there are no sequences and no identity columns',
    broken: sql`
      select relname as at from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'S'`,
  },
  {
    name: 'there are no triggers',
    broken: sql`select tgname as at from pg_trigger where not tgisinternal`,
  },
  {
    name: 'there are no functions or procedures',
    broken: sql`
      select proname as at from pg_proc p where pronamespace = 'public'::regnamespace
        and not exists (select 1 from pg_depend where objid = p.oid and deptype = 'e')`,
  },
  {
    // The two index any part of a text, with the business leading.
    name: 'there are no extensions but pg_trgm and btree_gin',
    broken: sql`
      select extname as at from pg_extension
      where extname not in ('plpgsql', 'pg_trgm', 'btree_gin')`,
  },
]

/** One `rule: violation` for each; empty if the schema follows every rule. */
export async function brokenRules(db: Db): Promise<string[]> {
  const found = await Promise.all(
    rules.map(async ({ name, broken }) => {
      const rows = await db.all<{ at: string }>(broken)
      return rows.map(({ at }) => `${name}: ${at}`)
    }),
  )
  return found.flat().toSorted()
}
