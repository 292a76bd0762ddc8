/**
 * People with a connection, made without a sign-in, and their access tokens, signed with the
 * service's own key: for tests that need many, or rights of every kind.
 */

import type { Config } from 'crier-server/config.ts'
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import { type Role, type Scope, scopes } from 'crier-server/core/operation.ts'
import type { Vault } from 'crier-server/lib/crypto/vault.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import { createKeyRing } from 'crier-server/oauth/keys/key-ring.ts'
import { addressesOf } from 'crier-server/oauth/model/addresses.ts'
import { createAccessTokens } from 'crier-server/oauth/token/access-tokens.ts'

export interface MemberOptions {
  businesses: readonly Id<'business'>[]
  /** Default: owner. */
  role?: Role
}

/** A new person who is a member of these businesses. */
export async function newMember(
  db: Db,
  { businesses, role = 'owner' }: MemberOptions,
): Promise<Id<'user'>> {
  const userId = newId('user')
  const now = new Date()
  await db.run(sql`
    insert into users (id, email, created_at)
    values (${userId}, ${`${userId}@example.com`}, ${now})
  `)
  await db.run(sql`
    insert into memberships (business_id, user_id, role, created_at)
    select id, ${userId}, ${role}, ${now} from unnest(${[...businesses]}::uuid[]) as id
  `)
  return userId
}

export interface GrantOptions extends MemberOptions {
  /** The businesses that the connection was granted. */
  businesses: readonly Id<'business'>[]
  /** The businesses of which the person is a member now; default: all that were granted. */
  memberOf?: readonly Id<'business'>[]
  /** Default: all. */
  scopes?: readonly Scope[]
  /** A member who has it; default: a new person. */
  userId?: Id<'user'>
  clientName?: string
  /** The limit of transactional messages, which a connection gets when it is made; default: none. */
  transactionalPerDay?: number
  /** Whether it sees addresses masked; default: it sees them whole. */
  seesMasked?: boolean
  /** Whether it may take data out; default: it may. */
  takesDataOut?: boolean
}

export interface Grant {
  connectionId: Id<'connection'>
  userId: Id<'user'>
  clientId: string
  scopes: Scope[]
}

const redirectUri = 'http://localhost:41870/callback'

/** A new person, a new client, a new connection. */
export async function newGrant(db: Db, options: GrantOptions): Promise<Grant> {
  const { businesses, memberOf = businesses, clientName = 'A client', ...more } = options
  const grant: Grant = {
    connectionId: newId('connection'),
    userId: options.userId ?? (await newMember(db, { ...more, businesses: memberOf })),
    clientId: formatId('client', newId('client')),
    scopes: [...(options.scopes ?? scopes)],
  }
  const { connectionId, userId, clientId } = grant
  const now = new Date()
  await db.run(sql`
    insert into oauth_clients (id, kind, name, redirect_uris, grant_types, created_at)
    values (${clientId}, 'dynamic', ${clientName}, array[${redirectUri}],
      '{authorization_code,refresh_token}', ${now})
  `)
  await db.run(sql`
    insert into connections (id, user_id, client_id, redirect_uri, scopes, business_ids,
      transactional_per_day, sees_masked, takes_data_out, created_at)
    values (${connectionId}, ${userId}, ${clientId}, ${redirectUri}, ${grant.scopes},
      ${[...businesses]}::uuid[], ${options.transactionalPerDay ?? null},
      ${options.seesMasked ?? false}, ${options.takesDataOut ?? true}, ${now})
  `)
  return grant
}

/** Makes access tokens; each has its own rate limit. */
export function tokenMint(parts: {
  db: Db
  vault: Vault
  config: Config
}): (grant: Grant) => Promise<string> {
  const ring = createKeyRing(parts.db, parts.vault)
  const tokens = createAccessTokens({ ring, addresses: addressesOf(parts.config) })
  return async (grant) => (await tokens.minter(new Date()))(grant)
}
