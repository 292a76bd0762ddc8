import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Texting } from './business.ts'

export function findTexting(db: Db, id: Id<'business'>): Promise<Texting | undefined> {
  return db.maybe(
    sql`select name, sms_help as help, sender, language from businesses where id = ${id}`,
  )
}

/** Whoever texts from a number hears what is texted to it: this crosses businesses. */
export function findBySmsSender(
  db: Db,
  spellings: readonly string[],
): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`
    select id from businesses where sms_sender = any(${spellings}::text[]) order by id limit 1000
  `)
}

/** Two of the installation's, which tells one from many. */
export function findSome(db: Db): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`select id from businesses order by id limit 2`)
}
