/** The facts by which a copy of the database is compared with the original. */
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface Facts {
  migrations: number
  users: number
  businesses: number
  contacts: number
  campaigns: number
}

export function readCounts(db: Db): Promise<Facts> {
  return db.one(sql`
    select (select count(*) from schema_migrations)::int as migrations,
      (select count(*) from users)::int as users,
      (select count(*) from businesses where test_of is null)::int as businesses,
      (select count(*) from contacts)::int as contacts,
      (select count(*) from campaigns)::int as campaigns
  `)
}

/** The time of the newest event that is not dated after `now`; null if there is none. */
export async function readNewest(db: Db, now: Date): Promise<Date | null> {
  const { newest } = await db.one<{ newest: Date | null }>(
    sql`select max(created_at) as newest from events where created_at <= ${now}`,
  )
  return newest
}

/** The time of the last commit replayed from the archive; null for a copy without an archive. */
export async function readReplayedTo(db: Db): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>(
    sql`select pg_last_xact_replay_timestamp() as at`,
  )
  return at
}

/** Bytes of the database on disk. */
export async function readSize(db: Db): Promise<number> {
  const { bytes } = await db.one<{ bytes: number }>(
    sql`select pg_database_size(current_database())::float8 as bytes`,
  )
  return bytes
}
