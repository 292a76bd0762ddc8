import { sql } from '../../../server/src/lib/db/db.ts'
import type { Database } from '../../../server/src/lib/db/types.ts'

/**
 * A table of the same shape beside the service's own, in a schema `rival`: columns, defaults, keys,
 * indexes and storage settings. Nothing else is written along with it.
 */
export async function rivalTable(db: Database, table: string): Promise<void> {
  await db.run(plain('create schema if not exists rival'))
  await db.run(plain(`create table rival.${table} (like public.${table} including all)`))
  const { options } = await db.one<{ options: string[] | null }>(sql`
    select reloptions as options from pg_class where oid = ${`public.${table}`}::regclass
  `)
  if (options) await db.run(plain(`alter table rival.${table} set (${options.join(', ')})`))
}

/** A statement without values, whose text is composed here. */
export function plain(text: string) {
  return sql(Object.assign([text], { raw: [text] }))
}
