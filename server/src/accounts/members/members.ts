import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { User } from './user-queries.ts'
import { selectMembers } from './user-queries.ts'

/** Members of a business that are looked at for one question at most. */
const most = 1_000

/** The people of a business. */
export function membersOf(db: Db, businessId: Id<'business'>): Promise<User[]> {
  return selectMembers(db, businessId, { before: null, limit: most })
}
