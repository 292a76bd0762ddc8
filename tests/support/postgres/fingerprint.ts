/**
 * A hash of the contents of each table: two fingerprints are equal if all rows are. The counts of
 * calls are left out, because they change every second by themselves.
 */

import type { Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'

export type Fingerprint = Record<string, string>

/** The fingerprint of one business, or of all businesses and the waiting jobs. */
export async function fingerprint(db: Db, businessId?: Id<'business'>): Promise<Fingerprint> {
  const tables = await tenantTables(db)
  const all = businessId === undefined ? [...tables, 'jobs'] : tables
  const counts = all.map((table) => {
    const own = businessId === undefined ? '' : `and business_id = '${businessId}'`
    const still = table === 'usage_days' ? `and metric <> 'calls'` : ''
    return `select '${table}' as name, count(*) || ' rows, ' ||
      coalesce(sum(hashtextextended(t::text, 0)), 0) as figure from ${table} t where true ${own} ${still}`
  })
  const text = counts.join(' union all ')
  // Named, so that it is planned only once, because the walks run it tens of thousands of times.
  const name = businessId === undefined ? 'fingerprint' : ''
  const rows = await db.all<{ name: string; figure: string }>({ name, text, values: [] })
  return Object.fromEntries(rows.map(({ name, figure }) => [name, figure]))
}

const tablesOf = new WeakMap<Db, Promise<string[]>>()

function tenantTables(db: Db): Promise<string[]> {
  const tables = tablesOf.get(db) ?? findTables(db)
  tablesOf.set(db, tables)
  return tables
}

async function findTables(db: Db): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and not c.relispartition
    order by c.relname
  `)
  return rows.map(({ name }) => name)
}
