/**
 * The authorization request, RFC 6749 section 4.1.1 with PKCE. Nothing is redirected before the
 * redirect URI is known to belong to the client. Otherwise this server would send people wherever a
 * stranger likes (section 4.1.2.1).
 */

import { isRefusal, orRefusal, orThrow, type Refusal, refuse } from '../../core/errors.ts'
import type { Scope } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Client, unknownClient } from '../clients/client.ts'
import type { ClientDocuments, DocumentReader } from '../clients/client-documents.ts'
import { findClient } from '../clients/client-queries.ts'
import { redirectHost, sameRedirect, withParameters } from '../clients/redirect-uri.ts'
import type { Redirects } from '../clients/redirects.ts'
import type { Addresses } from '../model/addresses.ts'
import { type Parameters, parameterFault, readParameters } from '../model/parameters.ts'
import { isChallenge } from '../model/pkce.ts'
import { checkResource } from '../model/resource.ts'
import { requestedScopes } from '../model/scopes.ts'

/**
 * The request that a client makes to a person. It is plain JSON, because a magic link's row stores
 * it.
 */
export interface AuthorizationRequest {
  clientId: string
  /** A stranger's text: escape it, and say that nobody verified it. */
  clientName: string
  redirectUri: string
  codeChallenge: string
  state?: string
  /** Known scopes only, always including `meta:read`. */
  scopes: Scope[]
  resource?: string
}

export type AuthorizationReading =
  | { kind: 'request'; request: AuthorizationRequest }
  /** Shown on a page of the service, with the refusal's status. */
  | { kind: 'page'; refusal: Refusal }
  /** The client is informed by way of the browser. */
  | { kind: 'redirect'; to: string }

export interface AuthorizeDeps {
  db: Db
  addresses: Addresses
  redirects: Redirects
  /** Absent if clients must register. */
  documents: ClientDocuments | undefined
}

const stateLimit = 4096

export async function readAuthorizationRequest(
  deps: AuthorizeDeps,
  query: Readonly<Record<string, unknown>>,
  asking: DocumentReader,
): Promise<AuthorizationReading> {
  const parameters = readParameters(query)
  const client = await orRefusal(() => askingClient(deps, parameters, asking))
  if (isRefusal(client)) return { kind: 'page', refusal: client }
  const redirectUri = await orRefusal(() => askedRedirect(deps.redirects, client, parameters))
  if (isRefusal(redirectUri)) return { kind: 'page', refusal: redirectUri }

  const { values } = parameters
  const state = values['state']
  const fault = requestFault(deps.addresses, parameters)
  if (fault) {
    const answer = { error: fault.code, error_description: fault.message }
    return { kind: 'redirect', to: sendBack(deps.addresses, { redirectUri, state }, answer) }
  }
  const resource = values['resource']
  return {
    kind: 'request',
    request: {
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      codeChallenge: values['code_challenge'] as string,
      ...(state !== undefined && { state }),
      scopes: requestedScopes(values['scope']),
      ...(resource !== undefined && { resource }),
    },
  }
}

/**
 * The client's redirect URI with the response added: `state` as it was sent, and `iss` on errors
 * too, so that a client of several servers knows which server responds (RFC 9207).
 */
export function sendBack(
  addresses: Addresses,
  request: { redirectUri: string; state?: string | undefined },
  answer: Record<string, string>,
): string {
  return withParameters(request.redirectUri, {
    ...answer,
    ...(request.state !== undefined && { state: request.state }),
    iss: addresses.issuer,
  })
}

/** Where the browser is sent if the person refuses. */
export function denied(deps: { addresses: Addresses }, request: AuthorizationRequest): string {
  return sendBack(deps.addresses, request, {
    error: 'access_denied',
    error_description: 'The person did not agree.',
  })
}

async function askingClient(
  deps: AuthorizeDeps,
  parameters: Parameters,
  asking: DocumentReader,
): Promise<Client> {
  const id = single(parameters, 'client_id')
  const document = deps.documents?.isDocumentId(id) ? deps.documents : undefined
  if (document) return orThrow(await document.read(id, asking))
  const client = await findClient(deps.db, id)
  if (!client) throw unknownClient()
  return client
}

async function askedRedirect(
  redirects: Redirects,
  client: Client,
  parameters: Parameters,
): Promise<string> {
  const uri = single(parameters, 'redirect_uri')
  const isRegistered = client.redirectUris.some((uriOfClient) => sameRedirect(uriOfClient, uri))
  // The allow-list is checked at every use, because a document and the list can change.
  if (isRegistered && (await redirects.allow(uri))) return uri
  const text = isRegistered
    ? `redirect_uri leads to ${redirectHost(uri)}, which is not on this server's allow-list. Its operator can add it.`
    : 'redirect_uri is not one that this client registered.'
  throw refuse('invalid_redirect_uri', text, { field: 'redirect_uri' })
}

function single(parameters: Parameters, name: string): string {
  const value = parameters.values[name]
  if (value !== undefined) return value
  const fault = parameters.faults[name] ?? 'is missing'
  throw refuse('invalid_request', `${name} ${fault}.`, { field: name })
}

/** Faults of the request that are reported to the client. */
function requestFault(addresses: Addresses, parameters: Parameters): Refusal | undefined {
  const fault = parameterFault(parameters)
  if (fault) return fault
  const { values } = parameters
  const type = values['response_type']
  if (type !== undefined && type !== 'code') {
    return refuse('unsupported_response_type', 'response_type can only be code.')
  }
  if (type === undefined) return refuse('invalid_request', 'response_type is missing: send code.')
  if ((values['response_mode'] ?? 'query') !== 'query') {
    return refuse('invalid_request', 'response_mode can only be query.')
  }
  if (!isChallenge(values['code_challenge'] ?? '')) {
    const text = 'code_challenge must be the base64url of a SHA-256: 43 characters, no padding.'
    return refuse('invalid_request', text)
  }
  // RFC 7636 section 4.3: without a method, `plain` is meant, which is refused.
  if (values['code_challenge_method'] !== 'S256') {
    return refuse('invalid_request', 'code_challenge_method must be S256.')
  }
  const state = values['state'] ?? ''
  if (state.length > stateLimit || /\p{Cc}/u.test(state)) {
    const text = `state must be printable and at most ${stateLimit} characters.`
    return refuse('invalid_request', text)
  }
  return checkResource(addresses, values['resource'])
}
