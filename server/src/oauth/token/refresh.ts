/** The refresh grant (contract 4.3): each use rotates the token. */

import { type Refusal, refuse } from '../../core/errors.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { hours, later, seconds } from '../../lib/time/clock.ts'
import { unknownClient } from '../clients/client.ts'
import { findClient } from '../clients/client-queries.ts'
import { newRefreshToken, type TokenAnswer } from '../model/grant.ts'
import { type Parameters, requireParameters } from '../model/parameters.ts'
import { checkResource } from '../model/resource.ts'
import { tokenAnswer } from './access-tokens.ts'
import type { GrantDeps } from './exchange.ts'
import {
  findRefreshToken,
  type RefreshLimit,
  recordLateReuse,
  refreshedAt,
  rotateRefreshToken,
} from './refresh-queries.ts'

export interface RefreshDeps extends GrantDeps {
  /** Whether late use of a rotated-out token ends its connection. */
  endOnReuse: boolean
  /** The most refreshes of one connection in any hour. */
  refreshesPerHour: number
}

/**
 * Clients race their own refreshes and repeat requests that the network lost. A request this long
 * after the rotation may come from a thief's copy.
 */
const lateAfter = seconds(60)
const refreshWindow = hours(1)

/**
 * `scope` is not read. Every refresh carries the whole grant, and the response says so, as RFC 6749
 * section 3.3 allows.
 */
export async function refreshGrant(
  deps: RefreshDeps,
  parameters: Parameters,
  now: Date,
): Promise<TokenAnswer> {
  const sent = requireParameters(parameters, ['client_id', 'refresh_token'])
  const misdirected = checkResource(deps.addresses, parameters.values['resource'])
  // Created before the rotation, because a failure here must leave the chain for a second try.
  const mint = await deps.accessTokens.minter(now)

  const successor = newRefreshToken(now)
  const hash = sha256(sent.refresh_token)
  const limit = { refreshes: deps.refreshesPerHour, since: later(now, -refreshWindow) }
  const rotation = { hash, clientId: sent.client_id, successor, limit, now }
  const grant = misdirected ? undefined : await rotateRefreshToken(deps.db, rotation)
  if (grant) return tokenAnswer(await mint(grant), grant, successor)
  if (!(await findClient(deps.db, sent.client_id))) throw unknownClient()
  throw misdirected ?? (await whyNot(deps, rotation))
}

interface RefusedToken {
  hash: Buffer
  clientId: string
  limit: RefreshLimit
  now: Date
}

/** Finds the reason of the refusal, and records a late reuse on the token's connection. */
async function whyNot(
  deps: { db: Db; endOnReuse: boolean },
  refused: RefusedToken,
): Promise<Refusal> {
  const { hash, clientId, limit, now } = refused
  const token = await findRefreshToken(deps.db, hash)
  if (!token || token.clientId !== clientId) {
    return noGrant('The refresh token is not known for this client. Authorize again.')
  }
  if (token.revoked) {
    return noGrant('The connection of this refresh token was ended. Authorize again.')
  }
  if (token.rotatedAt) {
    if (later(token.rotatedAt, lateAfter) < now) {
      await recordLateReuse(deps.db, token.connectionId, { end: deps.endOnReuse, now })
    }
    return noGrant(
      'The refresh token was used before. Use the one that came with its last answer, or authorize again.',
    )
  }
  if (token.expiresAt <= now) {
    return noGrant('The refresh token expired: 30 days passed without use. Authorize again.')
  }
  // The token is valid and unused, so only the limit can have refused it. The client keeps it.
  const oldest = await refreshedAt(
    deps.db,
    token.connectionId,
    token.generation + 1 - limit.refreshes,
  )
  const wait = oldest ? oldest.getTime() - limit.since.getTime() : 0
  const retryAfter = Math.max(1, Math.ceil(wait / 1000))
  const text = `More than ${limit.refreshes} refreshes in an hour with one connection. An access token is good for an hour: keep it, and the refresh token, and try again in ${retryAfter} s.`
  return refuse('rate_limited', text, { retryAfter })
}

function noGrant(text: string): Refusal {
  return refuse('invalid_grant', text)
}
