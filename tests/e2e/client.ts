/** A client that waits on loopback for its code, like a program on a person's machine. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sha256 } from 'crier-server/lib/crypto/vault.ts'

export const codeVerifier = 'a-verifier-of-the-client-'.repeat(2)

export interface WaitingClient {
  /** The address on which it listens; `path` as requested. */
  origin: string
  authorizeUrl: string
  /** Resolves with the query of the next callback. */
  callback(): Promise<URLSearchParams>
  close(): Promise<void>
}

export interface ClientOptions {
  name?: string
  scope?: string
  /** The redirect URI, if it is not the listener's own. */
  redirectUri?: string
  /** The page to which the callback redirects the browser, as many clients do. */
  goesOnTo?: string
}

export async function waitingClient(
  serviceUrl: string,
  options: ClientOptions = {},
): Promise<WaitingClient> {
  const queries: URLSearchParams[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    if (url.pathname === '/callback') {
      queries.push(url.searchParams)
      server.emit('called')
    }
    if (options.goesOnTo && url.pathname === '/callback') {
      response.writeHead(302, { location: options.goesOnTo }).end()
    } else {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<!doctype html><html lang="en"><title>Back</title><h1>Back at the client</h1>')
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const redirectUri = options.redirectUri ?? `${origin}/callback`
  const registered = await fetch(`${serviceUrl}/functions/v1/mcp-oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: options.name ?? 'Claude', redirect_uris: [redirectUri] }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    code_challenge: sha256(codeVerifier).toString('base64url'),
    code_challenge_method: 'S256',
    state: 'of-the-client',
    scope: options.scope ?? 'audience:write messaging:send forms:read',
  })
  return {
    origin,
    authorizeUrl: `${serviceUrl}/functions/v1/mcp-oauth?${query}`,
    async callback() {
      while (queries.length === 0) await once(server, 'called')
      return queries.shift() as URLSearchParams
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
