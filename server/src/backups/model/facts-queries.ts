/** What a copy of the database is compared by with the one it was made of. */
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
      (select count(*) from businesses)::int as businesses,
      (select count(*) from contacts)::int as contacts,
      (select count(*) from campaigns)::int as campaigns
  `)
}

/** When the last thing happened that it knows of. */
export async function readNewest(db: Db): Promise<Date | null> {
  const { newest } = await db.one<{ newest: Date | null }>(
    sql`select max(created_at) as newest from events`,
  )
  return newest
}

/** The last commit that came out of the archive; null of a copy without one. */
export async function readReplayedTo(db: Db): Promise<Date | null> {
  const { at } = await db.one<{ at: Date | null }>(
    sql`select pg_last_xact_replay_timestamp() as at`,
  )
  return at
}
