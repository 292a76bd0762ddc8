/**
 * Authorization codes. A code is created when a person agrees, and is valid for one exchange by the
 * requesting client.
 */

import { type Id, newId } from '../../core/ids.ts'
import { type Scope, scopes } from '../../core/operation.ts'
import { randomToken, sha256 } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { newTransactionalPerDay } from '../../usage/connection-limit.ts'
import type { Addresses } from '../model/addresses.ts'
import { grantedScopes } from '../model/scopes.ts'
import { type AuthorizationRequest, sendBack } from './authorize.ts'
import { insertCode } from './code-queries.ts'

/**
 * The contract does not define the lifetime. RFC 6749 section 4.1.2 allows ten minutes. Five are
 * enough to switch back to a client that waits in another window.
 */
export const codeLifetime = minutes(5)

export interface Consent {
  request: AuthorizationRequest
  /** The scopes that the person left ticked. */
  scopes: readonly Scope[]
  /** To how many the connection may send transactional messages a day; the default if absent. */
  transactionalPerDay?: number | undefined
  /** Whether it sees addresses and numbers masked; so unless the person chose otherwise. */
  seesMasked?: boolean | undefined
  /** Whether it may take data out; not unless the person chose it. */
  takesDataOut?: boolean | undefined
  userId: Id<'user'>
  now: Date
}

/**
 * Stores a code for the access that the person granted, and returns the URL that carries it to the
 * client. The connection reaches the businesses that the person is a member of now. Later
 * businesses need another authorization (contract 5.5).
 */
export async function issueCode(
  tx: Tx,
  deps: { addresses: Addresses },
  consent: Consent,
): Promise<string> {
  const { request, userId, now } = consent
  const decided = grantedScopes(request.scopes, consent.scopes)
  const earlier = await earlierScopes(tx, { userId, clientId: request.clientId, now })
  const code = randomToken()
  await insertCode(tx, {
    hash: sha256(code),
    connectionId: newId('connection'),
    userId,
    clientId: request.clientId,
    redirectUri: request.redirectUri,
    codeChallenge: request.codeChallenge,
    transactionalPerDay: consent.transactionalPerDay ?? newTransactionalPerDay.connection,
    seesMasked: consent.seesMasked ?? true,
    takesDataOut: consent.takesDataOut ?? false,
    // What this request names, the person has just decided; the rest stays as it was.
    scopes: scopes.filter(
      (scope) =>
        decided.includes(scope) || (earlier.includes(scope) && !request.scopes.includes(scope)),
    ),
    createdAt: now,
    expiresAt: later(now, codeLifetime),
  })
  return sendBack(deps.addresses, request, { code })
}

/**
 * The scopes that the person has granted to this client in a live connection. Scopes are additive
 * (contract 5.2): a client that asks for one more does not lose the others.
 */
export async function earlierScopes(
  db: Db,
  { userId, clientId, now }: { userId: Id<'user'>; clientId: string; now: Date },
): Promise<Scope[]> {
  const rows = await db.all<{ scope: string }>(sql`
    select distinct unnest(c.scopes) as scope
    from connections c
    where c.user_id = ${userId} and c.client_id = ${clientId} and c.revoked_at is null
      and exists (
        select 1 from refresh_tokens t
        where t.connection_id = c.id and t.rotated_at is null and t.expires_at > ${now}
      )
  `)
  const granted = new Set(rows.map(({ scope }) => scope))
  return scopes.filter((scope) => granted.has(scope))
}
