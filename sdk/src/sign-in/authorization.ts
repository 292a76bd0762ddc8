/** One sign-in attempt: the URL for the person, and the check of the callback. */
import { CrierError } from '../errors/error.ts'
import type { ServerMetadata } from '../transport/server-metadata.ts'
import { newPkce, randomText, sameText } from './pkce.ts'

export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  /** Scopes to request; the person may leave some out. `meta:read` is always granted. */
  scopes?: readonly string[]
}

/** Plain data, so that a hosted app can keep it in its session. Never send it to a browser. */
export interface Authorization {
  /** The URL for the person. */
  url: string
  clientId: string
  redirectUri: string
  state: string
  verifier: string
  issuer: string
  sendsIssuer: boolean
}

export async function authorize(
  server: ServerMetadata,
  { clientId, redirectUri, scopes = [] }: AuthorizationRequest,
): Promise<Authorization> {
  const { verifier, challenge } = await newPkce()
  const state = randomText()
  const url = new URL(server.authorizationEndpoint)
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    scope: scopes.join(' '),
  }
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value)
  const { issuer, sendsIssuer } = server
  return { url: url.href, clientId, redirectUri, state, verifier, issuer, sendsIssuer }
}

/**
 * The code of a callback. `state` is compared first, even before an error is read, because a
 * response to a request that was never made means nothing (contract 14.2). `iss` prevents a
 * mix-up of servers (RFC 9207 section 2.4).
 */
export function codeFrom(attempt: Authorization, query: URLSearchParams): string {
  if (!sameText(query.get('state') ?? '', attempt.state)) {
    throw new CrierError({
      code: 'state_mismatch',
      message: 'The answer belongs to another sign-in, so it was thrown away. Start again.',
    })
  }
  const issuer = query.get('iss')
  if (issuer === null ? attempt.sendsIssuer : issuer !== attempt.issuer) {
    throw new CrierError({
      code: 'issuer_mismatch',
      message: `The answer does not come from ${attempt.issuer}, so it was thrown away. Start again.`,
    })
  }
  const error = query.get('error')
  const code = query.get('code')
  if (error !== null) {
    const message = query.get('error_description') ?? 'The sign-in was refused.'
    throw new CrierError({ code: error, message })
  }
  if (!code) {
    throw new CrierError({
      code: 'bad_response',
      message: 'The answer holds no code. Start again.',
    })
  }
  return code
}
