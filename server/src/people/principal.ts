import { membersReach } from '../businesses/members.ts'
import type { Db } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import { type Principal, type Scope, scopes } from '../platform/operation.ts'

const every: ReadonlySet<Scope> = new Set(scopes)

/** A person who acts by himself: all that his role allows, in each business he is a member of. */
export async function personPrincipal(db: Db, userId: Id<'user'>): Promise<Principal> {
  const reach = await membersReach(db, [userId])
  return { connectionId: null, userId, scopes: every, businesses: reach.get(userId) ?? [] }
}
