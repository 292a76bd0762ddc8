/**
 * The OAuth calls of the contract, one by one. Most programs use `signIn` of a client. A hosted
 * app, whose callback is a page of its own, uses these.
 */

import { CrierError } from '../errors/error.ts'
import { asFields, errorFrom } from '../errors/problem.ts'
import type { Tokens } from '../tokens/connection.ts'
import { Secret } from '../tokens/secret.ts'
import { createDiscovery, type Discovery } from '../transport/discovery.ts'
import { sendForm, sendJson, type World, worldFrom } from '../transport/http.ts'
import { parseAddress, type ServerMetadata } from '../transport/server-metadata.ts'
import {
  type Authorization,
  type AuthorizationRequest,
  authorize,
  codeFrom,
} from './authorization.ts'

/** A client to register: RFC 7591, as far as the contract goes. */
export interface Registration {
  /** The name that the consent page shows to the person. */
  clientName: string
  redirectUris: string[]
}

/** See {@link createOAuth}. */
export interface OAuth {
  /** The server's endpoints, cached for an hour. */
  server(): Promise<ServerMetadata>
  /** Avoids a request if an earlier process has stored the endpoints. */
  remember(server: ServerMetadata): void
  /** Registers a public client and returns its `client_id`. */
  register(registration: Registration, signal?: AbortSignal): Promise<string>
  /**
   * Starts a sign-in. Send the person to `url`, and store the rest in the server-side session,
   * never in the browser.
   */
  begin(request: AuthorizationRequest): Promise<Authorization>
  /**
   * Ends a sign-in with the query of the callback. `state` and issuer are compared
   * before the code is exchanged. Remove the attempt from the session first, because
   * it can be used only once.
   */
  finish(attempt: Authorization, query: URLSearchParams, signal?: AbortSignal): Promise<Tokens>
  /** Exchanges a refresh token for new tokens; the old one is invalid afterwards. */
  refresh(clientId: string, refreshToken: Secret, signal?: AbortSignal): Promise<Tokens>
  /** Ends the connection at the server. False where the server has no revocation endpoint. */
  revoke(clientId: string, token: Secret, signal?: AbortSignal): Promise<boolean>
}

/** OAuth calls to the server at `url`. */
export function createOAuth(options: { url: string } & Partial<World>): OAuth {
  const world = worldFrom(options)
  return oauthOver(createDiscovery(parseAddress(options.url), world), world)
}

/** The same over a discovery that a client shares with its tool calls. */
export function oauthOver(discovery: Discovery, world: World): OAuth {
  const used = new WeakSet<Authorization>()

  const tokens = async (form: Record<string, string>, signal?: AbortSignal): Promise<Tokens> => {
    const answer = await discovery.call((server) =>
      sendForm(world, server.tokenEndpoint, form, signal),
    )
    if (answer.status !== 200) throw errorFrom(answer, world.now())
    return readTokens(answer.body)
  }

  return {
    server: () => discovery.get(),
    remember: (server) => discovery.seed(server),

    async register({ clientName, redirectUris }, signal) {
      const body = {
        client_name: clientName,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      }
      const answer = await discovery.call((server) =>
        sendJson(world, server.registrationEndpoint, body, { signal }),
      )
      if (answer.status !== 201 && answer.status !== 200) throw errorFrom(answer, world.now())
      const id = asFields(answer.body)['client_id']
      if (typeof id !== 'string' || id === '') throw unlikeContract('registered without client_id')
      return id
    },

    begin: async (request) => authorize(await discovery.get(), request),

    async finish(attempt, query, signal) {
      if (used.has(attempt)) {
        throw new CrierError({
          code: 'attempt_used',
          message: 'This sign-in was answered before. Start a new one.',
        })
      }
      used.add(attempt)
      const code = codeFrom(attempt, query)
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: attempt.redirectUri,
        client_id: attempt.clientId,
        code_verifier: attempt.verifier,
      }
      return tokens(form, signal)
    },

    refresh: (clientId, refreshToken, signal) =>
      tokens(
        {
          grant_type: 'refresh_token',
          refresh_token: refreshToken.reveal(),
          client_id: clientId,
        },
        signal,
      ),

    async revoke(clientId, token, signal) {
      if ((await discovery.get()).revocationEndpoint === undefined) return false
      const form = { token: token.reveal(), client_id: clientId }
      const answer = await discovery.call(({ revocationEndpoint = '' }) =>
        sendForm(world, revocationEndpoint, form, signal),
      )
      if (answer.status !== 200) throw errorFrom(answer, world.now())
      return true
    },
  }
}

/** RFC 6749 section 5.1. If the response has no lifetime, it is the contract's hour. */
function readTokens(body: unknown): Tokens {
  const fields = asFields(body)
  const { access_token: access, refresh_token: refresh, expires_in: life, scope } = fields
  if (typeof access !== 'string' || access === '' || !isBearer(fields['token_type'])) {
    throw unlikeContract('answered without a bearer token')
  }
  return {
    accessToken: new Secret(access),
    ...(typeof refresh === 'string' && refresh !== '' && { refreshToken: new Secret(refresh) }),
    expiresIn: typeof life === 'number' && life > 0 ? life : 3600,
    ...(typeof scope === 'string' && { scopes: scope.split(' ').filter(Boolean) }),
  }
}

function isBearer(type: unknown): boolean {
  return type === undefined || (typeof type === 'string' && /^bearer$/i.test(type))
}

function unlikeContract(what: string): CrierError {
  return new CrierError({
    code: 'bad_response',
    message: `The server ${what}. It may not be a Crier server, or a proxy may have changed its answer.`,
  })
}
