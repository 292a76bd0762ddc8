/** The revocation endpoint, RFC 7009. It ends the client's whole connection at once. */

import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { unknownClient } from '../clients/client.ts'
import { findClient } from '../clients/client-queries.ts'
import { revokeConnection } from '../connections/connections.ts'
import { type Parameters, requireParameters } from '../model/parameters.ts'
import type { AccessTokens } from './access-tokens.ts'
import { findRefreshToken } from './refresh-queries.ts'

/**
 * Either token ends the connection. `client_id` may be left out, because holding the token is all
 * the proof that a public client has. An invalid token is not an error (section 2.2). A rotated-out
 * token counts as invalid, or clients that clean up after a refresh would end the connection that
 * they have just renewed.
 */
export async function revokeToken(
  deps: { db: Db; accessTokens: AccessTokens },
  parameters: Parameters,
  now: Date,
): Promise<Refusal | undefined> {
  const sent = requireParameters(parameters, ['token'])
  const clientId = parameters.values['client_id']
  if (clientId !== undefined && !(await findClient(deps.db, clientId))) return unknownClient()

  const owner = sent.token.startsWith('rt_')
    ? await byRefreshToken(deps.db, sent.token)
    : await deps.accessTokens.verify(sent.token, now)
  if (!owner) return undefined
  if (clientId !== undefined && owner.clientId !== clientId) {
    return refuse('invalid_grant', 'The token was issued to another client.', { field: 'token' })
  }
  await revokeConnection(deps.db, { connectionId: owner.connectionId, by: 'client', now })
  return undefined
}

async function byRefreshToken(
  db: Db,
  token: string,
): Promise<{ connectionId: Id<'connection'>; clientId: string } | undefined> {
  const found = await findRefreshToken(db, sha256(token))
  return found?.rotatedAt ? undefined : found
}
