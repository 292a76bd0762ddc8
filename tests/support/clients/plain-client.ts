/**
 * A client written from the contract alone: plain fetch, the documented requests, and nothing that
 * only our own code knows.
 */
import { createHash, randomBytes } from 'node:crypto'
import { approve, newPerson } from './sign-in.ts'

export interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
  token_type: string
  scope: string
}

export interface Connected {
  clientId: string
  redirectUri: string
  email: string
  tokens: Tokens
}

export interface ConnectOptions {
  email?: string
  scope?: string
  untick?: readonly string[]
  redirectUri?: string
}

export function register(url: string, metadata: object): Promise<Response> {
  return fetch(`${url}/functions/v1/mcp-oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
}

export function clientMetadata(redirectUri: string): Record<string, unknown> {
  return {
    client_name: 'A client of the contract',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

export async function registered(url: string, redirectUri: string): Promise<string> {
  const answer = await register(url, clientMetadata(redirectUri))
  const { client_id } = (await answer.json()) as { client_id: string }
  return client_id
}

export interface Pkce {
  verifier: string
  challenge: string
}

/** The contract's PKCE: 32 random bytes, base64url without padding, and their S256. */
export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export function authorizeUrl(url: string, parameters: Record<string, string>): URL {
  const address = new URL(`${url}/functions/v1/mcp-oauth`)
  address.search = new URLSearchParams(parameters).toString()
  return address
}

/** A POST to the token endpoint, form-encoded. */
export function token(url: string, form: Record<string, string>): Promise<Response> {
  return fetch(`${url}/functions/v1/mcp-oauth`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })
}

export interface Approved {
  clientId: string
  redirectUri: string
  email: string
  verifier: string
  /** The redirect with its query. */
  callback: URL
}

/** Signs in up to the redirect with its code, before the exchange. */
export async function approved(url: string, options: ConnectOptions = {}): Promise<Approved> {
  const { email = newPerson(), scope = 'meta:read', untick = [] } = options
  const redirectUri = options.redirectUri ?? 'http://localhost:41870/callback'
  const clientId = await registered(url, redirectUri)
  const { verifier, challenge } = newPkce()
  const state = randomBytes(16).toString('base64url')
  const address = authorizeUrl(url, {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state,
    scope,
  })
  const callback = await approve(address, { email, untick })
  if (callback.searchParams.get('state') !== state) throw new Error('state came back changed')
  return { clientId, redirectUri, email, verifier, callback }
}

export function exchangeForm(grant: Approved): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code: grant.callback.searchParams.get('code') ?? '',
    redirect_uri: grant.redirectUri,
    client_id: grant.clientId,
    code_verifier: grant.verifier,
  }
}

/** Signs in and exchanges the code. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Connected> {
  const grant = await approved(url, options)
  const answer = await token(url, exchangeForm(grant))
  if (answer.status !== 200) throw new Error(`exchange: ${answer.status} ${await answer.text()}`)
  const { clientId, redirectUri, email } = grant
  return { clientId, redirectUri, email, tokens: (await answer.json()) as Tokens }
}

export function refresh(url: string, clientId: string, refreshToken: string): Promise<Response> {
  return token(url, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_id: clientId,
  })
}

/** The contract's bare tool call: no Accept, no protocol header, no session. */
export function callTool(
  url: string,
  accessToken: string | undefined,
  name: string,
  input: object = {},
): Promise<Response> {
  return fetch(`${url}/api/functions/svc-mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: input },
    }),
  })
}
