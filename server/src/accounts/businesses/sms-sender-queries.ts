import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { SmsProfile } from './business.ts'

export function findSmsProfile(db: Db, id: Id<'business'>): Promise<SmsProfile | undefined> {
  return db.maybe(
    sql`select name, sms_help as help, sender, language from businesses where id = ${id}`,
  )
}

/**
 * Which businesses send from a number, to route the texts that arrive for it; this crosses
 * businesses.
 */
export function findBySmsSender(
  db: Db,
  spellings: readonly string[],
): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`
    select id from businesses where sms_sender = any(${spellings}::text[]) order by id limit 1000
  `)
}

/** Two of the installation's businesses, enough to tell whether it has just one. */
export function findFirstTwo(db: Db): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`select id from businesses order by id limit 2`)
}
