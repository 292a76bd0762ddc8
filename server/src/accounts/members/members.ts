import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { User } from './user-queries.ts'
import { selectMembers } from './user-queries.ts'

/** The most members that are read at once. */
const maxMembers = 1_000

/** The people who are members of a business. */
export function membersOf(db: Db, businessId: Id<'business'>): Promise<User[]> {
  return selectMembers(db, businessId, { before: null, limit: maxMembers })
}
