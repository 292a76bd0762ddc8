/**
 * What was written to each table: two fingerprints are equal if nothing was committed in between.
 * Triggers count the rows, since reading all of them after each of ten thousand calls takes longer
 * than the calls. The counts of calls are left out, because they change every second by themselves, and
 * lanes, which a job opens only where an earlier one has not.
 */

import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'

export type Fingerprint = Record<string, string>

/** The fingerprint of one business, or of all businesses and the waiting jobs. */
export async function fingerprint(db: Db, businessId?: Id<'business'>): Promise<Fingerprint> {
  const counting = counted.get(db) ?? countWrites(db)
  counted.set(db, counting)
  await counting
  const rows = await db.all<{ name: string; writes: number }>(
    businessId === undefined
      ? sql`select name, count(*) as writes from test_writes group by name order by name`
      : sql`
          select name, count(*) as writes from test_writes
          where business_id = ${businessId} group by name order by name
        `,
  )
  return Object.fromEntries(rows.map(({ name, writes }) => [name, `${writes} rows written`]))
}

const counted = new WeakMap<Db, Promise<void>>()

/** A row for each row that a transaction writes; what is rolled back takes its rows with it. */
async function countWrites(db: Db): Promise<void> {
  await db.run(sql`
    create unlogged table if not exists test_writes (business_id uuid, name text not null)
  `)
  await db.run(sql`
    create or replace function test_count_write() returns trigger language plpgsql as $$
    declare written jsonb := to_jsonb(coalesce(new, old));
    begin
      if tg_op = 'UPDATE' and new::text = old::text then return null; end if;
      if tg_argv[0] = 'usage_days' and written ->> 'metric' = 'calls' then return null; end if;
      insert into test_writes (business_id, name)
      values ((written ->> 'business_id')::uuid, tg_argv[0]);
      return null;
    end $$
  `)
  await db.run(sql`
    do $$
    declare t text;
    begin
      for t in
        select c.relname from pg_class c
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
          and not c.relispartition and c.relname not in ('test_writes', 'lanes') and (c.relname = 'jobs' or exists (
            select from pg_attribute a where a.attrelid = c.oid and a.attname = 'business_id'
          ))
      loop
        execute format('create or replace trigger test_count_write
          after insert or update or delete on %I for each row
          execute function test_count_write(%L)', t, t);
      end loop;
    end $$
  `)
}
