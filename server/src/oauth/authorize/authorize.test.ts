import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authorizationWorld,
  callback,
  type World,
} from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { statusOf } from '../../core/errors.ts'
import { sql } from '../../lib/db/db.ts'
import { type AuthorizationRequest, denied, readAuthorizationRequest } from './authorize.ts'

let database: TestDatabase
let world: World
let clientId: string
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
  clientId = await world.client(callback)
})
after(() => database.drop())

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
type Query = Record<string, string | string[]>

/** A valid request with some parameters changed; an empty text omits one. */
function read(changes: Query = {}) {
  const query = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'opaque state',
    scope: 'forms:read',
    ...changes,
  }
  return readAuthorizationRequest(world.oauth, query, {
    from: '192.0.2.1',
    now: world.clock.now(),
  })
}

async function request(changes?: Query): Promise<AuthorizationRequest> {
  const reading = await read(changes)
  assert.equal(reading.kind, 'request', JSON.stringify(reading))
  return (reading as { request: AuthorizationRequest }).request
}

async function sentBack(changes: Query): Promise<URLSearchParams> {
  const reading = await read(changes)
  assert.equal(reading.kind, 'redirect', JSON.stringify(reading))
  const to = new URL((reading as { to: string }).to)
  assert.equal(to.origin + to.pathname, 'http://localhost:8123/callback')
  assert.equal(to.searchParams.get('iss'), 'https://api.example')
  assert.equal(to.searchParams.get('code'), null)
  return to.searchParams
}

async function shown(changes: Query): Promise<string> {
  const reading = await read(changes)
  assert.ok(reading.kind === 'page', JSON.stringify(reading))
  assert.equal(statusOf[reading.refusal.code], 400)
  return reading.refusal.code
}

test('a valid authorization request is returned as plain JSON with what the user must be shown', async () => {
  const expected = {
    clientId,
    clientName: 'Test client',
    redirectUri: callback,
    codeChallenge: challenge,
    state: 'opaque state',
    scopes: ['meta:read', 'forms:read'],
  }
  const found = await request()
  assert.deepEqual(found, expected)
  assert.deepEqual(JSON.parse(JSON.stringify(found)), expected)
})

test('state, scope and resource are optional in an authorization request', async () => {
  const found = await request({ state: '', scope: '' })
  assert.deepEqual(found.scopes, ['meta:read'])
  assert.ok(!('state' in found) && !('resource' in found))
  const resource = 'https://app.example/api/functions/svc-mcp'
  assert.equal((await request({ resource })).resource, resource)
})

test('an unknown, disabled, missing or repeated client gets an error page, never a redirect', async () => {
  assert.equal(await shown({ client_id: 'cli_unknown' }), 'invalid_client')
  assert.equal(await shown({ client_id: '' }), 'invalid_request')
  assert.equal(await shown({ client_id: [clientId, clientId] }), 'invalid_request')
  assert.equal(await shown({ client_id: 'a\0b' }), 'invalid_request')
  const disabled = await world.client(callback)
  await world.db.run(sql`
    update oauth_clients set disabled_at = ${world.clock.now()} where id = ${disabled}
  `)
  assert.equal(await shown({ client_id: disabled }), 'invalid_client')
})

test('a redirect URI that is not the client’s gets an error page, whatever else is wrong', async () => {
  for (const redirect_uri of [
    'https://evil.example/',
    'http://localhost:8123/other',
    'http://127.0.0.1:8123/callback',
    'http://localhost.evil.example:8123/callback',
    'http://localhost:8123/callback?x=1',
    'javascript:alert(1)',
  ]) {
    assert.equal(await shown({ redirect_uri, response_type: 'token' }), 'invalid_redirect_uri')
  }
  assert.equal(await shown({ redirect_uri: '' }), 'invalid_request')
  assert.equal(await shown({ redirect_uri: [callback, callback] }), 'invalid_request')
})

test('a loopback redirect URI may have any port and is returned with it', async () => {
  const redirect_uri = 'http://localhost:61234/callback'
  assert.equal((await request({ redirect_uri })).redirectUri, redirect_uri)
})

test('a registered redirect URI that was removed from the allow-list gets an error page', async () => {
  const uri = 'https://hosted.example/cb'
  const now = world.clock.now()
  await world.db.run(sql`insert into allowed_redirects values (${uri}, ${now})`)
  const hosted = await world.client(uri)
  const changes = { client_id: hosted, redirect_uri: uri }
  assert.equal((await request(changes)).redirectUri, uri)
  await world.db.run(sql`delete from allowed_redirects where uri = ${uri}`)
  assert.equal(await shown(changes), 'invalid_redirect_uri')
})

test('faults after the client check are sent back to the client with error, state and issuer', async () => {
  const faults: [Query, string][] = [
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code id_token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge: `${challenge}=` }, 'invalid_request'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: 's256' }, 'invalid_request'],
    [{ resource: 'https://other.example' }, 'invalid_target'],
    [{ scope: ['forms:read', 'forms:write'] }, 'invalid_request'],
    [{ code_challenge: [challenge, challenge] }, 'invalid_request'],
    [{ unknown: ['a', 'b'] }, 'invalid_request'],
  ]
  for (const [changes, error] of faults) {
    const answer = await sentBack(changes)
    assert.equal(answer.get('error'), error, JSON.stringify(changes))
    assert.equal(answer.get('state'), 'opaque state')
    assert.ok(answer.get('error_description'))
  }
})

test('a state that is too long, repeated or has control characters is an invalid request', async () => {
  assert.equal((await sentBack({ state: 'a'.repeat(4097) })).get('error'), 'invalid_request')
  assert.equal((await sentBack({ state: 'a\u0001' })).get('error'), 'invalid_request')
  const repeated = await sentBack({ state: ['a', 'b'] })
  assert.equal(repeated.get('error'), 'invalid_request')
  assert.equal(repeated.get('state'), null)
  const long = `${'é'.repeat(4000)}&=#%`
  assert.equal((await request({ state: long })).state, long)
})

test('unknown authorization parameters are ignored', async () => {
  assert.ok(await request({ prompt: 'consent', nonce: 'n', audience: 'x' }))
})

test('a user who declines sends the client access_denied with its state', async () => {
  const to = new URL(denied(world.oauth, await request()))
  assert.equal(to.searchParams.get('error'), 'access_denied')
  assert.equal(to.searchParams.get('state'), 'opaque state')
  assert.equal(to.searchParams.get('iss'), 'https://api.example')
})
