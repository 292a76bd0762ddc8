/** A person with a business, a client, and codes that the person has approved. */

import { formatId, type Id, newId } from '../../../server/src/core/ids.ts'
import { sha256 } from '../../../server/src/lib/crypto/vault.ts'
import { sql } from '../../../server/src/lib/db/db.ts'
import type { Database } from '../../../server/src/lib/db/types.ts'
import { type Code, challengeOf, newCode, redirectUri } from './oauth-client.ts'

export interface Grantor {
  userId: Id<'user'>
  businessId: Id<'business'>
  clientId: string
}

export async function seedGrantor(db: Database, now: Date): Promise<Grantor> {
  const userId = newId('user')
  const businessId = newId('business')
  const clientId = formatId('client', newId('client'))
  await db.run(sql`
    with person as (
      insert into users (id, email, created_at) values (${userId}, 'crash@example.com', ${now})
      returning id
    ), business as (
      insert into businesses (id, name, tier, created_at, updated_at)
      values (${businessId}, 'Crash', 'scale', ${now}, ${now})
    ), client as (
      insert into oauth_clients (id, kind, name, redirect_uris, grant_types, created_at)
      values (${clientId}, 'dynamic', 'Crash', array[${redirectUri}],
        '{authorization_code,refresh_token}', ${now})
    )
    insert into memberships (business_id, user_id, role, created_at)
    select ${businessId}, id, 'owner', ${now} from person
  `)
  return { userId, businessId, clientId }
}

/** Codes as the sign-in leaves them: only their hashes are stored. */
export async function seedCodes(
  db: Database,
  grantor: Grantor,
  count: number,
  now: Date,
): Promise<Code[]> {
  const codes = Array.from({ length: count }, newCode)
  const expiresAt = new Date(now.getTime() + 3_600_000)
  await db.run(sql`
    insert into authorization_codes (hash, connection_id, user_id, client_id, redirect_uri,
      code_challenge, scopes, business_ids, created_at, expires_at)
    select hash, connection_id, ${grantor.userId}, ${grantor.clientId}, ${redirectUri}, challenge,
      '{meta:read}', array[${grantor.businessId}::uuid], ${now}, ${expiresAt}
    from unnest(
      ${codes.map(({ code }) => sha256(code))}::bytea[],
      ${codes.map(() => newId('connection'))}::uuid[],
      ${codes.map(challengeOf)}::text[]
    ) as code (hash, connection_id, challenge)
  `)
  return codes
}
