import type { Id } from '../../core/ids.ts'
import { type Principal, type Scope, scopes } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { membersReach } from '../businesses/memberships.ts'

const every: ReadonlySet<Scope> = new Set(scopes)

/** A person signed in to the app: all that their role allows, in each business they are a member of. */
export async function personPrincipal(
  db: Db,
  userId: Id<'user'>,
  signedInAt?: Date,
): Promise<Principal> {
  const reach = await membersReach(db, [userId])
  const businesses = reach.get(userId) ?? []
  return {
    connectionId: null,
    userId,
    scopes: every,
    businesses,
    ...(signedInAt && { signedInAt }),
  }
}
