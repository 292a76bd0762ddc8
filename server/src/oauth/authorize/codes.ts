/**
 * Authorization codes. A code is created when a person agrees, and is valid for one exchange by the
 * requesting client.
 */

import { type Id, newId } from '../../core/ids.ts'
import type { Scope } from '../../core/operation.ts'
import { randomToken, sha256 } from '../../lib/crypto/vault.ts'
import type { Tx } from '../../lib/db/types.ts'
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
  userId: Id<'user'>
  now: Date
}

/**
 * Stores a code for the access that the person granted, and returns the URL that carries it to the
 * client. The connection reaches the businesses that the person is a member of now. Later
 * businesses need another authorization (contract, "Authentication" 12).
 */
export async function issueCode(
  tx: Tx,
  deps: { addresses: Addresses },
  consent: Consent,
): Promise<string> {
  const { request, userId, now } = consent
  const code = randomToken()
  await insertCode(tx, {
    hash: sha256(code),
    connectionId: newId('connection'),
    userId,
    clientId: request.clientId,
    redirectUri: request.redirectUri,
    codeChallenge: request.codeChallenge,
    scopes: grantedScopes(request.scopes, consent.scopes),
    transactionalPerDay: consent.transactionalPerDay ?? newTransactionalPerDay.connection,
    createdAt: now,
    expiresAt: later(now, codeLifetime),
  })
  return sendBack(deps.addresses, request, { code })
}
