/** The state of the fake authorization server: clients, codes, tokens. */
import { createHash, randomBytes } from 'node:crypto'
import type { Reply } from './fake-faults.ts'

interface Client {
  client_name: string
  redirect_uris: string[]
}

interface Chain {
  clientId: string
  scope: string
  revoked: boolean
}

const refuse = (error: string, message: string): Reply => ({
  status: 400,
  body: { error, code: error, message },
})

export class FakeOAuth {
  /** The lifetime of an access token in seconds. */
  lifetime: number = 3600
  readonly clients: Map<string, Client> = new Map()
  readonly refreshed: string[] = []
  readonly #codes = new Map<string, URLSearchParams>()
  readonly #access = new Map<string, Chain>()
  readonly #refresh = new Map<string, { chain: Chain; rotated: boolean }>()
  readonly #issuer: string

  constructor(issuer: string) {
    this.#issuer = issuer
  }

  register(request: Record<string, unknown>): Reply {
    const uris = request['redirect_uris'] as string[]
    if (!uris.every((uri) => uri.startsWith('http://localhost:'))) {
      return refuse('invalid_redirect_uri', 'Ask the operator to allow it.')
    }
    const client_id = `client-${this.clients.size + 1}`
    this.clients.set(client_id, {
      client_name: String(request['client_name']),
      redirect_uris: uris,
    })
    return { status: 201, body: { ...request, client_id } }
  }

  grant(query: URLSearchParams): string {
    const code = `code-${randomBytes(8).toString('hex')}`
    this.#codes.set(code, query)
    return code
  }

  token(form: URLSearchParams): Reply {
    if (!this.clients.has(form.get('client_id') ?? '')) return refuse('invalid_client', 'Unknown.')
    return form.get('grant_type') === 'refresh_token' ? this.#rotate(form) : this.#exchange(form)
  }

  /** The scopes of a bearer token; undefined where the token is unknown. */
  scopesOf(bearer: string): string[] | undefined {
    const chain = this.#access.get(bearer)
    return chain && !chain.revoked ? chain.scope.split(' ') : undefined
  }

  revoke(form: URLSearchParams): void {
    const token = form.get('token') ?? ''
    const chain = this.#refresh.get(token)?.chain ?? this.#access.get(token)
    if (chain) chain.revoked = true
  }

  /** The person revokes every connection. */
  revokeAll(): void {
    for (const { chain } of this.#refresh.values()) chain.revoked = true
  }

  /** Invalidates the access tokens made so far, as when they expire. */
  expireAccess(): void {
    this.#access.clear()
  }

  restore(refreshToken: string): void {
    const entry = this.#refresh.get(refreshToken)
    if (entry) entry.rotated = false
  }

  #exchange(form: URLSearchParams): Reply {
    const code = form.get('code') ?? ''
    const asked = this.#codes.get(code)
    this.#codes.delete(code)
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const matches =
      asked?.get('code_challenge') === challenge &&
      asked.get('code_challenge_method') === 'S256' &&
      asked.get('redirect_uri') === form.get('redirect_uri') &&
      asked.get('client_id') === form.get('client_id')
    if (!asked || !matches) return refuse('invalid_grant', 'The code is not valid.')
    const scope = [...new Set(['meta:read', ...(asked.get('scope') ?? '').split(' ')])]
    const chain = { clientId: form.get('client_id') ?? '', scope: '', revoked: false }
    chain.scope = scope.filter(Boolean).join(' ')
    return { status: 200, body: this.#issue(chain) }
  }

  #rotate(form: URLSearchParams): Reply {
    const sent = form.get('refresh_token') ?? ''
    this.refreshed.push(sent)
    const entry = this.#refresh.get(sent)
    if (!entry || entry.rotated || entry.chain.revoked) {
      return refuse('invalid_grant', 'The refresh token was rotated out, expired or revoked.')
    }
    entry.rotated = true
    return { status: 200, body: this.#issue(entry.chain) }
  }

  #issue(chain: Chain): Record<string, unknown> {
    const part = (text: object): string => Buffer.from(JSON.stringify(text)).toString('base64url')
    const claims = { iss: this.#issuer, jti: randomBytes(8).toString('hex') }
    const access_token = `${part({ alg: 'ES256' })}.${part(claims)}.${part({ fake: true })}`
    const refresh_token = `rt_${randomBytes(32).toString('base64url')}`
    this.#access.set(access_token, chain)
    this.#refresh.set(refresh_token, { chain, rotated: false })
    const { scope } = chain
    return { access_token, refresh_token, expires_in: this.lifetime, token_type: 'Bearer', scope }
  }
}
