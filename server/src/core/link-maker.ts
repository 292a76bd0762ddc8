/**
 * Who made a link to a file, and with which rights. The holder of the link needs nothing else, so
 * the link is worth no more than its maker's access is at the moment: it ends with their connection,
 * key, membership or role, and rests while these are held.
 */
import type { Id } from './ids.ts'
import { allows, type Operation, type Principal, type Role, type Scope } from './operation.ts'

export interface LinkMaker {
  /** Null for a person who made it in the app. */
  connection_id: Id<'connection'> | null
  user_id: Id<'user'>
  scope: Scope
  role: Role
}

/** `rights`: those of the operation that makes the link. */
export function linkMaker(
  { connectionId, userId }: Principal,
  { scope, role }: Pick<Operation, 'scope' | 'role'>,
): LinkMaker {
  return { connection_id: connectionId, user_id: userId, scope, role }
}

/** `principal`: the maker as they are now; undefined where their connection has ended. */
export function mayStillRead(
  principal: Principal | undefined,
  businessId: Id<'business'>,
  { scope, role }: LinkMaker,
): boolean {
  if (!principal?.scopes.has(scope)) return false
  const business = principal.businesses.find(({ id }) => id === businessId)
  return business !== undefined && !business.isHeld && allows(business.role, { role })
}
