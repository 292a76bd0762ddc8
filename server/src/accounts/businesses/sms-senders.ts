/** Which businesses send texts from a number, and what their texts say about them. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { SmsProfile } from './business.ts'
import { findBySmsSender, findFirstTwo, findSmsProfile } from './sms-sender-queries.ts'

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
