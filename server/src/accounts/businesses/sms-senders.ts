/** Which businesses text from a number, and what their texts say of them. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Texting } from './business.ts'
import { findBySmsSender, findSome, findTexting } from './sms-sender-queries.ts'

export function textingOf(db: Db, id: Id<'business'>): Promise<Texting | undefined> {
  return findTexting(db, id)
}

/** The business of an installation that has one alone. */
export async function onlyBusiness(db: Db): Promise<Id<'business'> | undefined> {
  const [first, second] = await findSome(db)
  return second ? undefined : first?.id
}

/** Those whose sender is one of these spellings, the oldest first; 1000 at most. */
export async function businessesTextingFrom(
  db: Db,
  spellings: readonly string[],
): Promise<Id<'business'>[]> {
  return (await findBySmsSender(db, spellings)).map(({ id }) => id)
}
