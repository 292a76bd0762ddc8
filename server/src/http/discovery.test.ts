import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { authorizationWorld, type World } from '../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { resourceMetadataUrl } from './discovery.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const get = (url: string) => world.app.inject({ method: 'GET', url })

test('the server metadata is byte for byte the same at every path', async () => {
  const places = [
    '/.well-known/oauth-authorization-server',
    '/api/functions/svc-mcp/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/api/functions/svc-mcp',
    '/.well-known/oauth-authorization-server/mcp',
    '/mcp/.well-known/oauth-authorization-server',
  ]
  const answers = await Promise.all(places.map(get))
  for (const answer of answers) {
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    assert.equal(answer.headers['cache-control'], 'public, max-age=3600')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.equal(answer.body, answers[0]?.body)
  }
})

test('every metadata document answers with a trailing slash as without, without a redirect', async () => {
  const { oauth } = world
  const paths = [
    '/.well-known/oauth-authorization-server',
    ...['/api/functions/svc-mcp', '/mcp'].flatMap((endpoint) => [
      `/.well-known/oauth-authorization-server${endpoint}`,
      `${endpoint}/.well-known/oauth-authorization-server`,
      `/.well-known/oauth-protected-resource${endpoint}`,
    ]),
    '/.well-known/oauth-protected-resource',
    `/.well-known/oauth-protected-resource${new URL(oauth.addresses.gateway).pathname}`,
  ]
  for (const path of paths) {
    const [plain, slashed] = await Promise.all([get(path), get(`${path}/`)])
    assert.deepEqual([plain.statusCode, slashed.statusCode], [200, 200], path)
    assert.equal(slashed.body, plain.body, path)
    const preflight = await world.app.inject({ method: 'OPTIONS', url: `${path}/` })
    assert.equal(preflight.statusCode, 204, path)
  }
})

test('the server metadata contains the endpoints and values of the contract', async () => {
  const metadata = (await get('/.well-known/oauth-authorization-server')).json()
  assert.equal(metadata.issuer, 'https://api.example')
  assert.equal(metadata.authorization_endpoint, 'https://api.example/functions/v1/mcp-oauth')
  assert.equal(metadata.token_endpoint, 'https://api.example/functions/v1/mcp-oauth')
  assert.equal(
    metadata.registration_endpoint,
    'https://api.example/functions/v1/mcp-oauth/register',
  )
  assert.equal(metadata.revocation_endpoint, 'https://api.example/functions/v1/mcp-oauth/revoke')
  assert.deepEqual(metadata.response_types_supported, ['code'])
  assert.deepEqual(metadata.grant_types_supported, ['authorization_code', 'refresh_token'])
  assert.deepEqual(metadata.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(metadata.token_endpoint_auth_methods_supported, ['none'])
  assert.equal(metadata.authorization_response_iss_parameter_supported, true)
  assert.equal(metadata.scopes_supported.length, 7)
  assert.ok(!('client_id_metadata_document_supported' in metadata))
})

test('client ID metadata documents are announced where they are enabled', async () => {
  const open = authorizationWorld(database.db, { config: { clientDocuments: true } })
  const answer = await open.app.inject('/.well-known/oauth-authorization-server')
  assert.equal(answer.json().client_id_metadata_document_supported, true)
})

test('each resource has metadata with exactly its own URL', async () => {
  for (const [path, resource] of [
    ['', 'https://app.example/api/functions/svc-mcp'],
    ['/api/functions/svc-mcp', 'https://app.example/api/functions/svc-mcp'],
    ['/mcp', 'https://app.example/mcp'],
    ['/v1', 'https://gateway.example/v1'],
  ]) {
    const answer = await get(`/.well-known/oauth-protected-resource${path}`)
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().resource, resource)
    assert.deepEqual(answer.json().authorization_servers, ['https://api.example'])
    assert.equal(answer.json().scopes_supported.length, 7)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  }
  assert.equal(
    resourceMetadataUrl(world.oauth.addresses.gateway),
    'https://gateway.example/.well-known/oauth-protected-resource/v1',
  )
})

test('another service slug changes every path', async () => {
  const renamed = authorizationWorld(database.db, { config: { slug: 'acme' } })
  for (const path of [
    '/api/functions/acme-mcp/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/api/functions/acme-mcp',
  ]) {
    assert.equal((await renamed.app.inject(path)).statusCode, 200)
  }
  const old = '/api/functions/svc-mcp/.well-known/oauth-authorization-server'
  assert.equal((await renamed.app.inject(old)).statusCode, 404)
})

test('the published keys verify an access token, and contain no private key', async () => {
  const { access_token } = await world.connect()
  const metadata = (await get('/.well-known/oauth-authorization-server')).json()
  const answer = await get(new URL(metadata.jwks_uri).pathname)
  assert.equal(answer.headers['cache-control'], 'public, max-age=900')
  assert.doesNotMatch(answer.body, /"d":/)
  const { payload } = await jwtVerify(access_token, createLocalJWKSet(answer.json()), {
    issuer: metadata.issuer,
    currentDate: world.clock.now(),
  })
  assert.equal(payload.iss, 'https://api.example')
})

test('HEAD and OPTIONS requests for discovery are answered', async () => {
  const url = '/.well-known/oauth-protected-resource/mcp'
  assert.equal((await world.app.inject({ method: 'HEAD', url })).statusCode, 200)
  const preflight = await world.app.inject({ method: 'OPTIONS', url })
  assert.equal(preflight.statusCode, 204)
  assert.match(String(preflight.headers['access-control-allow-headers']), /MCP-Protocol-Version/)
})
