/** The authorization code grant at the token endpoint, RFC 6749 section 4.1.3. */

import { isRefusal, refuse } from '../../core/errors.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { later, seconds } from '../../lib/time/clock.ts'
import { newTransactionalPerDay } from '../../usage/connection-limit.ts'
import {
  type CodeExchange,
  exchangeCodeRow,
  findCode,
  recordCodeReuse,
} from '../authorize/code-queries.ts'
import { unknownClient } from '../clients/client.ts'
import { findClient } from '../clients/client-queries.ts'
import { redirectFault } from '../clients/redirect-uri.ts'
import type { Redirects } from '../clients/redirects.ts'
import type { Addresses } from '../model/addresses.ts'
import { newRefreshToken, type TokenAnswer } from '../model/grant.ts'
import { type Parameters, requireParameters } from '../model/parameters.ts'
import { challengeOf } from '../model/pkce.ts'
import { checkResource } from '../model/resource.ts'
import { type AccessTokens, tokenAnswer } from './access-tokens.ts'

export interface GrantDeps {
  db: Db
  addresses: Addresses
  accessTokens: AccessTokens
}

export interface ExchangeDeps extends GrantDeps {
  /** Whether late use of a spent code ends its connection. */
  endOnReuse: boolean
  redirects: Redirects
}

/** A request this long after the first use is not a repetition by the network. */
const lateAfter = seconds(60)

export async function exchangeCode(
  deps: ExchangeDeps,
  parameters: Parameters,
  now: Date,
): Promise<TokenAnswer> {
  const names = ['client_id', 'code', 'redirect_uri', 'code_verifier'] as const
  const sent = requireParameters(parameters, names)
  const challenge = challengeOf(sent.code_verifier)
  const fault =
    malformed(sent) ??
    (isRefusal(challenge)
      ? challenge
      : checkResource(deps.addresses, parameters.values['resource']))
  // Created before the code is spent, because a failure here must leave the code for a second try.
  const mint = await deps.accessTokens.minter(now)

  const refresh = newRefreshToken(now)
  const exchange: CodeExchange = {
    hash: sha256(sent.code),
    clientId: sent.client_id,
    redirectUri: sent.redirect_uri,
    codeChallenge: String(challenge),
    refreshHash: refresh.hash,
    refreshExpiresAt: refresh.expiresAt,
    transactionalPerDay: newTransactionalPerDay.connection,
    now,
  }
  // The operator may have disabled it while the person was signing in.
  const isAllowed = fault || (await deps.redirects.allow(sent.redirect_uri))
  const grant = fault || !isAllowed ? undefined : await exchangeCodeRow(deps.db, exchange)
  if (grant) return tokenAnswer(await mint(grant), grant, refresh)
  // An unknown client gets this refusal first, whatever else is wrong.
  if (!(await findClient(deps.db, sent.client_id))) throw unknownClient()
  if (!isAllowed) throw refuse('invalid_grant', 'redirect_uri is no longer allowed here.')
  throw fault ?? refuse('invalid_grant', await whyNot(deps, exchange))
}

/** The characters of a code (RFC 6749 appendix A.11), and more of them than any code has. */
const codeShape = /^[\x20-\x7e]{1,512}$/

/** What no authorize request can have led to is malformed (contract 11.2), not spent. */
function malformed({ code, redirect_uri }: Record<'code' | 'redirect_uri', string>) {
  if (!codeShape.test(code)) {
    const text = 'code must be 1 to 512 printable ASCII characters: send it as you received it.'
    return refuse('invalid_request', text, { field: 'code' })
  }
  const fault = redirectFault(redirect_uri)
  if (!fault) return undefined
  return refuse('invalid_request', `redirect_uri ${fault}.`, { field: 'redirect_uri' })
}

/**
 * Tells a developer how to fix the request. A holder of the code learns nothing else. A repeated
 * code is recorded however soon it comes, because a thief who saw it on its way uses it at once.
 */
async function whyNot({ db, endOnReuse }: ExchangeDeps, exchange: CodeExchange): Promise<string> {
  const again = 'Send the person through the authorize page again.'
  const code = await findCode(db, exchange.hash)
  if (!code || code.clientId !== exchange.clientId) {
    return `The authorization code is not known for this client. ${again}`
  }
  if (code.usedAt) {
    const end = endOnReuse && later(code.usedAt, lateAfter) < exchange.now
    await recordCodeReuse(db, code.connectionId, { end, now: exchange.now })
    return `The authorization code was already used. ${again}`
  }
  if (code.expiresAt <= exchange.now) return `The authorization code expired. ${again}`
  if (code.redirectUri !== exchange.redirectUri) {
    return 'redirect_uri differs from the one of the authorize request: send the same, port and all.'
  }
  return 'code_verifier does not belong to the code_challenge of the authorize request.'
}
