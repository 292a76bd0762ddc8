/**
 * Who holds the rights of something that outlives a call, such as a webhook: an API key, a
 * connection or a person of the business. `composition/` gives this to the domains that need it.
 */

import { reachableBusinessesOf } from '../../accounts/businesses/memberships.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { type Role, type Scope, scopes } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { principalsOf } from './principals.ts'

type HolderId = Id<'connection'> | Id<'user'>

export interface HolderName {
  id: HolderId
  kind: 'key' | 'connection' | 'person'
  /** The name of the key, or of the connection's client. */
  name: string | null
  /** Set for a person. */
  email: string | null
}

/** Ended keys and connections have their names too; whoever is no longer stored is left out. */
export async function namesOfHolders(
  db: Db,
  businessId: Id<'business'>,
  ids: readonly HolderId[],
): Promise<ReadonlyMap<HolderId, HolderName>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all<HolderName>(sql`
    select k.id, 'key' as kind, k.name, null as email from api_keys k
    where k.business_id = ${businessId} and k.id = any (${ids}::uuid[])
    union all
    select c.id, 'connection', client.name, null
    from connections c join oauth_clients client on client.id = c.client_id
    where c.id = any (${ids}::uuid[])
    union all
    select u.id, 'person', null, u.email from users u where u.id = any (${ids}::uuid[])
  `)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface Candidate {
  id: HolderId
  role: Role
  scopes: ReadonlySet<Scope>
}

/** A live key of the business, or a member of it. Undefined for everybody else. */
export async function candidateOf(
  db: Db,
  businessId: Id<'business'>,
  text: string,
): Promise<Candidate | undefined> {
  const keyId = parseId('connection', text)
  const userId = parseId('user', text)
  if (keyId) {
    const key = (await principalsOf(db, [keyId])).get(keyId)
    const reach = key?.isApiKey && key.businesses.find(({ id }) => id === businessId)
    return reach && !reach.isHeld ? { id: keyId, role: reach.role, scopes: key.scopes } : undefined
  }
  if (!userId) return undefined
  const businesses = (await reachableBusinessesOf(db, [userId])).get(userId)
  const reach = businesses?.find(({ id }) => id === businessId)
  // What a held person has waits, so it goes on with nobody by being theirs.
  if (!reach || reach.isHeld) return undefined
  return { id: userId, role: reach.role, scopes: new Set(scopes) }
}
