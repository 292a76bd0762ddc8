/** The HTTP parts of the authorization server: bodies, headers, limits, the error table. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authorizationWorld,
  tokenPath,
  type World,
} from '../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { refuse } from '../core/errors.ts'

let database: TestDatabase
let world: World
let registrations = 0
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db, {
    async limitRegistrations(address) {
      registrations++
      if (address !== '192.0.2.7') return undefined
      return refuse('rate_limited', 'Too many registrations.', { retryAfter: 90 })
    },
  })
})
after(() => database.drop())

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
const registerPath = `${tokenPath}/register`
const revokePath = `${tokenPath}/revoke`

interface Send {
  url?: string
  headers?: Record<string, string>
  payload?: string
  remoteAddress?: string
}

async function send({ url = tokenPath, headers = form, payload = '', ...more }: Send) {
  const answer = await world.app.inject({ method: 'POST', url, headers, payload, ...more })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

test('each error of the contract has its code in both keys and its message in both spellings', async () => {
  const { client_id } = await world.connect()
  const rows: [Send, number, string][] = [
    [{ payload: 'grant_type=authorization_code' }, 400, 'invalid_request'],
    [{ payload: '' }, 400, 'invalid_request'],
    [
      { payload: `grant_type=refresh_token&client_id=${client_id}&refresh_token=rt_x` },
      400,
      'invalid_grant',
    ],
    [
      { payload: 'grant_type=refresh_token&client_id=no&refresh_token=rt_x' },
      400,
      'invalid_client',
    ],
    [{ payload: 'grant_type=password&client_id=no' }, 400, 'unsupported_grant_type'],
    [
      { url: registerPath, headers: json, payload: '{"redirect_uris":["https://no.example/"]}' },
      400,
      'invalid_redirect_uri',
    ],
    [{ url: registerPath, headers: json, payload: '{"redirect_uris":' }, 400, 'invalid_request'],
    [{ url: registerPath, headers: json, payload: '' }, 400, 'invalid_request'],
    [{ url: revokePath, payload: 'x=1' }, 400, 'invalid_request'],
  ]
  for (const [request, status, code] of rows) {
    const answer = await send(request)
    assert.equal(answer.status, status, JSON.stringify(request))
    assert.equal(answer.body.error, code, JSON.stringify(request))
    assert.equal(answer.body.code, code)
    assert.ok(answer.body.message.length > 10)
    assert.equal(answer.body.error_description, answer.body.message)
    assert.match(answer.body.request_id, /^req_/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers['access-control-allow-origin'], '*')
  }
})

test('a token request that is not form-encoded is refused with the type to send', async () => {
  for (const headers of [
    json,
    { 'content-type': 'text/plain' },
    { 'content-type': 'multipart/form-data' },
  ]) {
    for (const url of [tokenPath, revokePath]) {
      const answer = await send({ url, headers, payload: '{"grant_type":"refresh_token"}' })
      assert.equal(answer.status, 415)
      assert.equal(answer.body.error, 'unsupported_media_type')
      assert.match(answer.body.message, /x-www-form-urlencoded/)
    }
  }
  const charset = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }
  assert.equal((await send({ headers: charset, payload: 'grant_type=x' })).status, 400)
})

test('a registration that is not JSON is refused', async () => {
  const answer = await send({ url: registerPath, payload: 'client_name=x' })
  assert.equal(answer.status, 415)
  assert.equal(answer.body.error, 'unsupported_media_type')
})

test('a parameter sent twice is refused', async () => {
  for (const payload of [
    'grant_type=refresh_token&grant_type=refresh_token',
    'grant_type=refresh_token&client_id=a&client_id=a&refresh_token=b',
  ]) {
    const answer = await send({ payload })
    assert.equal(answer.body.error, 'invalid_request')
    assert.match(answer.body.message, /more than once/)
  }
})

test('undecodable or invalid bytes in a parameter are refused with 400', async () => {
  for (const payload of [
    'grant_type=refresh_token&client_id=%00&refresh_token=x',
    'grant_type=refresh_token&client_id=%ff%fe&refresh_token=%',
    'grant_type=%00',
  ]) {
    assert.equal((await send({ payload })).status, 400, payload)
  }
})

test('a body over the limit is refused as too large', async () => {
  const big = await send({ payload: `grant_type=${'a'.repeat(16_384)}` })
  assert.equal(big.status, 413)
  assert.equal(big.body.error, 'too_large')
  const payload = JSON.stringify({ client_name: 'a'.repeat(70_000) })
  assert.equal((await send({ url: registerPath, headers: json, payload })).status, 413)
})

test('a registration returns 201 with the client, and is not cacheable', async () => {
  const payload = JSON.stringify({ client_name: 'A', redirect_uris: ['http://localhost/cb'] })
  const answer = await send({ url: registerPath, headers: json, payload })
  assert.equal(answer.status, 201)
  assert.match(answer.body.client_id, /^cli_/)
  assert.deepEqual(answer.body.redirect_uris, ['http://localhost/cb'])
  assert.equal(answer.body.token_endpoint_auth_method, 'none')
  assert.equal(answer.headers['cache-control'], 'no-store')
})

test('too many registrations from one address get 429 with Retry-After', async () => {
  const before = registrations
  const payload = JSON.stringify({ redirect_uris: ['http://localhost/cb'] })
  const answer = await send({
    url: registerPath,
    headers: json,
    payload,
    remoteAddress: '192.0.2.7',
  })
  assert.equal(answer.status, 429)
  assert.equal(answer.body.error, 'rate_limited')
  assert.equal(answer.headers['retry-after'], '90')
  assert.equal(registrations, before + 1)
})

test('a page of any origin can make a preflight request and then call', async () => {
  for (const url of [tokenPath, registerPath, revokePath]) {
    const answer = await world.app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, mcp-protocol-version',
      },
    })
    assert.equal(answer.statusCode, 204)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.match(String(answer.headers['access-control-allow-methods']), /POST/)
    const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase()
    assert.match(allowed, /content-type/)
    assert.match(allowed, /mcp-protocol-version/)
    assert.equal(answer.headers['access-control-allow-credentials'], undefined)
  }
})
