import type { Id } from '../../core/ids.ts'
import { type Principal, type Scope, scopes } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { reachableBusinessesOf } from '../businesses/memberships.ts'

const every: ReadonlySet<Scope> = new Set(scopes)

/**
 * The principal of a person signed in to the app, with all rights of their role in each of their
 * businesses.
 */
export async function personPrincipal(
  db: Db,
  userId: Id<'user'>,
  session: Pick<
    Principal,
    | 'signedInAt'
    | 'provenAt'
    | 'provenBy'
    | 'provenWith'
    | 'factorWaitsUntil'
    | 'sessionId'
    | 'isFromThisMachine'
  > = {},
): Promise<Principal> {
  const reach = await reachableBusinessesOf(db, [userId])
  const businesses = reach.get(userId) ?? []
  return { connectionId: null, userId, scopes: every, businesses, ...session }
}
