/** Which campaigns stand on a segment. */
import type { User } from '../../contacts/segments/users.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { findNaming } from '../model/queries.ts'

/** Those that are ordered, whose audience is not written down yet. */
export async function campaignsNaming(
  db: Db,
  businessId: Id<'business'>,
  segmentId: string,
): Promise<User[]> {
  const found = await findNaming(db, businessId, segmentId)
  return found.map(({ id, name }) => ({
    what: `the campaign “${name}”`,
    id: formatId('campaign', id),
  }))
}
