import type { Id } from '../../core/ids.ts'
import { type Principal, type Reach, type Scope, scopes } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
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
  const reach = (await reachableBusinessesOf(db, [userId])).get(userId) ?? []
  const { provenWith } = session
  const businesses = provenWith ? await withoutOutages(db, reach, provenWith) : reach
  return { connectionId: null, userId, scopes: every, businesses, ...session }
}

/** A business is not held for the passkey that its owner keeps for when the company's provider is down. */
async function withoutOutages(
  db: Db,
  businesses: readonly Reach[],
  passkeyId: Id<'passkey'>,
): Promise<readonly Reach[]> {
  if (!businesses.some(({ isHeld }) => isHeld)) return businesses
  const rows = await db.all<{ id: Id<'business'> }>(sql`
    select business_id as id from identity_providers
    where is_only and break_glass_passkey = ${passkeyId}
  `)
  const businessIds = new Set(rows.map(({ id }) => id))
  return businesses.map(({ isHeld, ...reach }) =>
    isHeld && !businessIds.has(reach.id) ? { ...reach, isHeld } : reach,
  )
}
