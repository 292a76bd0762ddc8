/** Dynamic client registration, RFC 7591 (contract 2.1). */

import { orThrow, refuse } from '../../core/errors.ts'
import { newPublicId } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { clientName, redirectCountLimit } from './client.ts'
import { insertClient } from './client-queries.ts'
import { redirectFault, redirectHost } from './redirect-uri.ts'
import type { Redirects } from './redirects.ts'

/** The response to a registration: the values that were stored. */
export interface Registration {
  client_id: string
  /** Unix time in seconds. */
  client_id_issued_at: number
  client_name: string
  redirect_uris: string[]
  grant_types: string[]
  response_types: string[]
  token_endpoint_auth_method: 'none'
}

const grantTypes = ['authorization_code', 'refresh_token']
/**
 * Assistants request a secret out of habit and do without one: the answer says "none" instead (RFC
 * 7591 section 3.2.1).
 */
const authMethods: unknown[] = ['none', 'client_secret_post', 'client_secret_basic']

/** Unknown members are ignored (RFC 7591 section 2), because clients send many. */
export async function registerClient(
  deps: { db: Db; redirects: Redirects },
  body: unknown,
  now: Date,
): Promise<Registration> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw refuse('invalid_request', 'The body is not a JSON object.')
  }
  const sent = body as Record<string, unknown>
  if (!authMethods.includes(sent['token_endpoint_auth_method'] ?? 'none')) {
    const text = 'token_endpoint_auth_method can only be "none": clients here have no secret.'
    throw refuse('invalid_request', text, { field: 'token_endpoint_auth_method' })
  }
  const redirectUris = await allowedRedirects(deps.redirects, sent['redirect_uris'])
  const grants = supported(sent, 'grant_types', grantTypes, 'authorization_code')
  const responses = supported(sent, 'response_types', ['code'], 'code')
  const name = orThrow(clientName(sent['client_name'], redirectHost(redirectUris[0] as string)))

  const id = newPublicId('client')
  const client = { id, name, redirectUris, grantTypes: grants }
  await insertClient(deps.db, client, now)
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now.getTime() / 1000),
    client_name: client.name,
    redirect_uris: redirectUris,
    grant_types: grants,
    response_types: responses,
    token_endpoint_auth_method: 'none',
  }
}

/**
 * One invalid URI refuses the whole registration, because a client would rely on every URI that it
 * sent.
 */
async function allowedRedirects(redirects: Redirects, sent: unknown): Promise<string[]> {
  const field = 'redirect_uris'
  if (!isTextList(sent) || sent.length === 0) {
    throw refuse('invalid_request', 'redirect_uris is not a list of one or more strings.', {
      field,
    })
  }
  if (sent.length > redirectCountLimit) {
    const text = `redirect_uris holds ${sent.length} URIs; ${redirectCountLimit} are allowed.`
    throw refuse('invalid_request', text, { field })
  }
  for (const [i, uri] of sent.entries()) {
    const at = `redirect_uris[${i}]`
    const fault = redirectFault(uri)
    if (fault) throw refuse('invalid_redirect_uri', `${at} ${fault}.`, { field: at })
    if (!(await redirects.allow(uri))) {
      const text = `${at} is not on this server's allow-list. Use a loopback URI such as http://localhost:8000/callback, or ask the operator to add it: crier clients allow ${uri}`
      throw refuse('invalid_redirect_uri', text, { field: at })
    }
  }
  return sent
}

/** The supported values that a client requests. All of them if it names none. */
function supported(
  metadata: Record<string, unknown>,
  field: string,
  names: readonly string[],
  required: string,
): string[] {
  const requested = metadata[field]
  if (requested === undefined) return [...names]
  if (!isTextList(requested))
    throw refuse('invalid_request', `${field} is not a list of strings.`, { field })
  const accepted = names.filter((value) => requested.includes(value))
  if (accepted.includes(required)) return accepted
  throw refuse('invalid_request', `${field} lacks "${required}"; known: ${names.join(', ')}.`, {
    field,
  })
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
