/** An issuer that says whatever a test wants, correctly signed unless the test wants otherwise. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

type Payload = Record<string, unknown>

export interface ForgedIssuer {
  issuer: string
  /** What the next ID token says instead; `by`: signed by a key that the issuer does not have. */
  lies: { claims?: Payload; byStranger?: boolean; unsigned?: boolean }
  /** Codes that were exchanged, each with the verifier it came with. */
  exchanged: string[]
  /** Where the browser is sent back, as for a person with these claims. */
  answer(url: string, claims: Payload): string
  /** A logout token with these claims beside the usual ones. */
  logoutToken(claims: Payload): string
  close(): Promise<void>
}

export async function forgedIssuer(): Promise<ForgedIssuer> {
  const [own, stranger] = [newKeys(), newKeys()]
  const people = new Map<string, Payload>()
  const lies: ForgedIssuer['lies'] = {}
  const exchanged: string[] = []
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }

  const idToken = (claims: Payload): string => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const now = Math.floor(Date.now() / 1000)
    const header = lies.unsigned ? { alg: 'none' } : { alg: 'ES256', kid: 'one' }
    const text = `${part(header)}.${part({ iat: now, exp: now + 300, ...claims, ...lies.claims })}`
    if (lies.unsigned) return `${text}.`
    const key = (lies.byStranger ? stranger : own).privateKey
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }

  const answer = async (...[request, response]: Parameters<RequestListener>): Promise<void> => {
    const send = (body: object) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    if (request.url === '/.well-known/openid-configuration') {
      send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['ES256'],
      })
      return
    }
    if (request.url === '/keys') {
      send({ keys: [jwk] })
      return
    }
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const code = new URLSearchParams(body).get('code') ?? ''
    exchanged.push(code)
    const claims = people.get(code) ?? {}
    send({ access_token: 'one', token_type: 'bearer', id_token: idToken(claims) })
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer,
    lies,
    exchanged,
    answer(url, claims) {
      const query = new URL(url).searchParams
      const code = `code-${people.size}`
      people.set(code, {
        iss: issuer,
        aud: query.get('client_id') ?? '',
        nonce: query.get('nonce') ?? '',
        ...claims,
      })
      const back = new URL(query.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', query.get('state') ?? '')
      return back.href
    },
    logoutToken: (claims) =>
      idToken({
        iss: issuer,
        aud: 'crier',
        jti: crypto.randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      }),
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
