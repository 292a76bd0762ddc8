/** Contract, "Endpoints", Client registration; "Authentication" 5. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientMetadata, register } from '../../support/clients/plain-client.ts'
import { type Service, startService } from '../../support/processes/service.ts'
import { assertRefused, json } from '../assertions.ts'

const allowed = 'https://partner.example/oauth/done'
let service: Service
before(async () => {
  service = await startService({ settings: { ALLOWED_REDIRECTS: allowed } })
})
after(() => service.close())

test('a registration answers 201 with client_id, redirect_uris and token_endpoint_auth_method', async () => {
  const redirectUri = 'http://localhost:53682/callback'
  const answer = await register(service.url, clientMetadata(redirectUri))
  assert.equal(answer.status, 201)
  const client = await json<Record<string, unknown>>(answer)
  assert.equal(typeof client['client_id'], 'string')
  assert.deepEqual(client['redirect_uris'], [redirectUri])
  assert.equal(client['token_endpoint_auth_method'], 'none')
})

test('two registrations create two clients', async () => {
  const metadata = clientMetadata('http://localhost:53682/callback')
  const ids = await Promise.all(
    [1, 2].map(
      async () =>
        (await json<{ client_id: string }>(await register(service.url, metadata))).client_id,
    ),
  )
  assert.notEqual(ids[0], ids[1])
})

test('loopback and the callbacks of hosted assistants are allowed by default', async () => {
  for (const uri of [
    'http://localhost:1/callback',
    'http://localhost:65535/callback',
    'https://claude.ai/api/mcp/auth_callback',
  ]) {
    assert.equal((await register(service.url, clientMetadata(uri))).status, 201, uri)
  }
})

test('any other hosted redirect URI is refused until the operator allows it', async () => {
  for (const uri of [
    'https://evil.example/callback',
    'https://claude.ai.evil.example/api/mcp/auth_callback',
    'https://claude.ai/another/path',
    'http://claude.ai/api/mcp/auth_callback',
    'http://localhost.evil.example/callback',
  ]) {
    const answer = await register(service.url, clientMetadata(uri))
    await assertRefused(answer, 400, 'invalid_redirect_uri')
  }
  assert.equal((await register(service.url, clientMetadata(allowed))).status, 201)
})

test('one invalid redirect URI refuses the whole registration', async () => {
  const metadata = {
    ...clientMetadata('http://localhost:53682/callback'),
    redirect_uris: ['http://localhost:53682/callback', 'https://evil.example/callback'],
  }
  await assertRefused(await register(service.url, metadata), 400, 'invalid_redirect_uri')
})

test('a client that asks for a secret is registered as a public client', async () => {
  for (const method of ['client_secret_basic', 'client_secret_post']) {
    const metadata = {
      ...clientMetadata('http://localhost:53682/callback'),
      token_endpoint_auth_method: method,
    }
    const answer = await register(service.url, metadata)
    assert.equal(answer.status, 201)
    const registered = (await answer.json()) as Record<string, unknown>
    assert.equal(registered['token_endpoint_auth_method'], 'none')
  }
})

test('only public clients can register: any other token_endpoint_auth_method is refused', async () => {
  for (const method of ['private_key_jwt', 'tls_client_auth']) {
    const metadata = {
      ...clientMetadata('http://localhost:53682/callback'),
      token_endpoint_auth_method: method,
    }
    await assertRefused(await register(service.url, metadata), 400, 'invalid_request')
  }
})

test('a registration without redirect_uris is an invalid request', async () => {
  await assertRefused(await register(service.url, { client_name: 'x' }), 400, 'invalid_request')
})
