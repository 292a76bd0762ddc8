/**
 * Connects an assistant, given only the address of the endpoint: the refusal says where the
 * documents are, and they say the rest (RFC 9728, RFC 8414, RFC 7591, RFC 6749).
 */
import { createHash, randomBytes } from 'node:crypto'

/** Sends the person to a page, and returns the redirect with the code. */
export type SendPerson = (url: URL) => Promise<URL>

const returnTo = 'http://localhost:41999/callback'

export interface Connection {
  /** Sends one JSON-RPC request; a refusal by HTTP status is returned as its body. */
  ask(method: string, params: object): Promise<Record<string, unknown>>
}

export async function connectTo(endpoint: string, sendPerson: SendPerson): Promise<Connection> {
  const stranger = await post(endpoint, JSON.stringify(request('ping', {})))
  const challenge = stranger.headers.get('www-authenticate') ?? ''
  const resource = await json(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '')
  const [issuer = ''] = resource['authorization_servers'] as string[]
  const server = await json(`${issuer}/.well-known/oauth-authorization-server`)
  const registration = await post(
    String(server['registration_endpoint']),
    JSON.stringify({
      client_name: 'An assistant',
      redirect_uris: [returnTo],
      grant_types: server['grant_types_supported'],
      response_types: server['response_types_supported'],
      token_endpoint_auth_method: 'none',
    }),
  )
  const { client_id } = (await registration.json()) as { client_id: string }
  const verifier = randomBytes(32).toString('base64url')
  const address = new URL(String(server['authorization_endpoint']))
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: returnTo,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: randomBytes(16).toString('base64url'),
    scope: (server['scopes_supported'] as string[]).join(' '),
  }).toString()
  const returned = await sendPerson(address)
  const exchange = await fetch(String(server['token_endpoint']), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: returned.searchParams.get('code') ?? '',
      redirect_uri: returnTo,
      client_id,
      code_verifier: verifier,
    }),
  })
  const { access_token } = (await exchange.json()) as { access_token: string }
  return {
    async ask(method, params) {
      const answer = await post(endpoint, JSON.stringify(request(method, params)), access_token)
      return (await answer.json()) as Record<string, unknown>
    },
  }
}

const request = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

async function json(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(url)).json()) as Record<string, unknown>
}

function post(url: string, body: string, token?: string): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json' })
  headers.set('mcp-protocol-version', '2025-11-25')
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  return fetch(url, { method: 'POST', headers, body })
}
