/** Which businesses send texts from a number, and what their texts say about them. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { SmsProfile } from './business.ts'

export function readSmsProfile(db: Db, id: Id<'business'>): Promise<SmsProfile | undefined> {
  return findSmsProfile(db, id)
}

/** The business of an installation that has only one; undefined if there are more. */
export async function onlyBusiness(db: Db): Promise<Id<'business'> | undefined> {
  const [first, second] = await findFirstTwo(db)
  return second ? undefined : first?.id
}

/** The businesses whose SMS sender is one of these spellings, oldest first, at most 1000. */
export async function businessesTextingFrom(
  db: Db,
  spellings: readonly string[],
): Promise<Id<'business'>[]> {
  return (await findBySmsSender(db, spellings)).map(({ id }) => id)
}

function findSmsProfile(db: Db, id: Id<'business'>): Promise<SmsProfile | undefined> {
  return db.maybe(
    sql`select name, sms_help as help, sender, language from businesses where id = ${id}`,
  )
}

/**
 * Which businesses send from a number, to route the texts that arrive for it; this crosses
 * businesses.
 */
function findBySmsSender(db: Db, spellings: readonly string[]): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`
    select id from businesses
    where sms_sender = any(${spellings}::text[]) and test_of is null
    order by id limit 1000
  `)
}

/** Two of the installation's businesses, enough to tell whether it has just one. */
function findFirstTwo(db: Db): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`select id from businesses where test_of is null order by id limit 2`)
}
