import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { inspect } from 'node:util'
import { type FakeServer, fakeServer } from '../../tests/fake-server.ts'
import { Secret } from '../tokens/secret.ts'
import type { Authorization } from './authorization.ts'
import { createOAuth, type OAuth } from './oauth.ts'

const redirectUri = 'http://localhost:4711/callback'
const exchange = 'POST /functions/v1/mcp-oauth'
let server: FakeServer
let oauth: OAuth

beforeEach(async () => {
  server = await fakeServer()
  oauth = createOAuth({ url: server.url })
})
afterEach(() => server.close())

const register = () => oauth.register({ clientName: 'Test', redirectUris: [redirectUri] })

/** Returns the query with which the authorization server redirects the browser back. */
async function callback({ url }: Authorization): Promise<URLSearchParams> {
  const response = await fetch(url, { redirect: 'manual' })
  return new URL(response.headers.get('location') ?? '').searchParams
}

async function begin(): Promise<Authorization> {
  return oauth.begin({ clientId: await register(), redirectUri, scopes: ['forms:read'] })
}

test('a client is registered with its name and redirect URI', async () => {
  const clientId = await register()
  assert.equal(clientId, 'client-1')
  assert.deepEqual(server.oauth.clients.get(clientId), {
    client_name: 'Test',
    redirect_uris: [redirectUri],
  })
})

test('a redirect URI that is not allowed is refused with invalid_redirect_uri', async () => {
  const registration = { clientName: 'x', redirectUris: ['https://evil.example/cb'] }
  await assert.rejects(oauth.register(registration), { code: 'invalid_redirect_uri', status: 400 })
})

test('the authorization URL has every parameter that the contract lists', async () => {
  const { url, state } = await begin()
  const query = Object.fromEntries(new URL(url).searchParams)
  assert.deepEqual(Object.keys(query).sort(), [
    'client_id',
    'code_challenge',
    'code_challenge_method',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
  ])
  assert.equal(query['response_type'], 'code')
  assert.equal(query['code_challenge_method'], 'S256')
  assert.equal(query['scope'], 'forms:read')
  assert.equal(query['state'], state)
})

test('a callback is exchanged for tokens', async () => {
  const attempt = await begin()
  const tokens = await oauth.finish(attempt, await callback(attempt))
  assert.match(tokens.refreshToken?.reveal() ?? '', /^rt_/)
  assert.equal(tokens.expiresIn, 3600)
  assert.deepEqual(tokens.scopes, ['meta:read', 'forms:read'])
})

for (const state of ['wrong', '', null]) {
  test(`a callback with the state ${JSON.stringify(state)} is never exchanged`, async () => {
    server.faults.state = state
    const attempt = await begin()
    const query = await callback(attempt)
    await assert.rejects(oauth.finish(attempt, query), { code: 'state_mismatch' })
    assert.equal(server.count(exchange), 0)
  })
}

test('an error callback with a wrong state is refused', async () => {
  const attempt = await begin()
  const query = new URLSearchParams({ error: 'access_denied', state: 'forged' })
  await assert.rejects(oauth.finish(attempt, query), { code: 'state_mismatch' })
})

for (const issuer of ['https://other.example', null]) {
  test(`a callback from the issuer ${issuer} is never exchanged`, async () => {
    server.faults.issuer = issuer
    const attempt = await begin()
    const query = await callback(attempt)
    await assert.rejects(oauth.finish(attempt, query), { code: 'issuer_mismatch' })
    assert.equal(server.count(exchange), 0)
  })
}

test('a callback without iss is accepted where the server does not announce that it sends iss', async () => {
  server.faults.issuer = null
  const attempt = { ...(await begin()), sendsIssuer: false }
  assert.ok(await oauth.finish(attempt, await callback(attempt)))
})

test('a sign-in attempt can be finished only once, whatever its result', async () => {
  const attempt = await begin()
  const query = await callback(attempt)
  await assert.rejects(oauth.finish(attempt, new URLSearchParams()), { code: 'state_mismatch' })
  await assert.rejects(oauth.finish(attempt, query), { code: 'attempt_used' })
  assert.equal(server.count(exchange), 0)
})

test('a person’s refusal is reported as access_denied', async () => {
  server.faults.deny = true
  const attempt = await begin()
  const query = await callback(attempt)
  await assert.rejects(oauth.finish(attempt, query), { code: 'access_denied' })
})

test('a refresh gives new tokens, and the old refresh token is refused', async () => {
  const attempt = await begin()
  const { refreshToken = new Secret('') } = await oauth.finish(attempt, await callback(attempt))
  const next = await oauth.refresh(attempt.clientId, refreshToken)
  assert.notEqual(next.refreshToken?.reveal(), refreshToken.reveal())
  await assert.rejects(oauth.refresh(attempt.clientId, refreshToken), {
    code: 'invalid_grant',
    status: 400,
  })
})

test('revoking a refresh token ends the connection at the server', async () => {
  const attempt = await begin()
  const { refreshToken = new Secret('') } = await oauth.finish(attempt, await callback(attempt))
  assert.equal(await oauth.revoke(attempt.clientId, refreshToken), true)
  await assert.rejects(oauth.refresh(attempt.clientId, refreshToken), { code: 'invalid_grant' })
})

test('tokens are hidden when they are inspected or printed', async () => {
  const attempt = await begin()
  const tokens = await oauth.finish(attempt, await callback(attempt))
  const access = tokens.accessToken.reveal()
  const refresh = tokens.refreshToken?.reveal() ?? ''
  for (const text of [
    inspect(tokens, { depth: 9, showHidden: true }),
    inspect(oauth, { depth: 9, showHidden: true }),
    JSON.stringify(tokens),
    String(tokens.accessToken),
  ]) {
    assert.ok(!text.includes(access) && !text.includes(refresh), text)
  }
})

test('a redirect response is not followed', async () => {
  const requests: string[] = []
  const moved: typeof fetch = (input, init) => {
    requests.push(new Request(input).url)
    assert.equal(init?.redirect, 'manual')
    const headers = { location: 'https://elsewhere.example/' }
    return Promise.resolve(new Response(null, { status: 307, headers }))
  }
  const sent = createOAuth({ url: 'https://crier.example', fetch: moved })
  await assert.rejects(sent.server(), /sends on to https:\/\/elsewhere\.example/)
  assert.ok(requests.every((url) => url.startsWith('https://crier.example/')))
})

test('an unreachable server causes an error that names its address', async () => {
  await server.close()
  await assert.rejects(createOAuth({ url: server.url }).server(), {
    code: 'network',
    message: `${server.url} cannot be reached (ECONNREFUSED). Is the server running, and the address right?`,
  })
})
