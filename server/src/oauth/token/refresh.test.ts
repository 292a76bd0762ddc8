import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authorizationWorld,
  type Sent,
  tokenPath,
  type World,
} from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { sql } from '../../lib/db/db.ts'
import { days } from '../../lib/time/clock.ts'
import { revokeConnection } from '../connections/connections.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

function assertInvalidGrant(answer: Sent, words: RegExp): void {
  assert.equal(answer.status, 400)
  assert.equal(answer.body['error'], 'invalid_grant')
  assert.equal(answer.body['code'], 'invalid_grant')
  assert.match(String(answer.body['message']), words)
}

async function claimsOf(accessToken: string) {
  const claims = await world.oauth.accessTokens.verify(accessToken, world.clock.now())
  assert.ok(claims)
  return claims
}

test('refreshing an active token rotates it out and returns a new refresh token', async () => {
  const tokens = await world.connect({ scope: 'forms:read' })
  const { status, body, headers } = await world.refresh(tokens.client_id, tokens.refresh_token)
  assert.equal(status, 200)
  assert.match(String(body['refresh_token']), /^rt_[A-Za-z0-9_-]{43}$/)
  assert.notEqual(body['refresh_token'], tokens.refresh_token)
  assert.equal(body['token_type'], 'Bearer')
  assert.equal(body['expires_in'], 3600)
  assert.equal(body['scope'], 'meta:read forms:read')
  assert.equal(headers['cache-control'], 'no-store')
  const [before, after] = [
    await claimsOf(tokens.access_token),
    await claimsOf(String(body['access_token'])),
  ]
  assert.equal(after.connectionId, before.connectionId)
  assert.notEqual(after.jti, before.jti)
})

test('refreshing a rotated-out token gets 400 invalid_grant and changes nothing', async () => {
  const tokens = await world.connect()
  const { body } = await world.refresh(tokens.client_id, tokens.refresh_token)
  for (let i = 0; i < 3; i++) {
    assertInvalidGrant(await world.refresh(tokens.client_id, tokens.refresh_token), /used before/)
  }
  const next = await world.refresh(tokens.client_id, String(body['refresh_token']))
  assert.equal(next.status, 200)
})

test('an active refresh token expires after 30 days without use', async () => {
  const [kept, lost] = [await world.connect(), await world.connect()]
  world.clock.forward(days(30) - 1)
  assert.equal((await world.refresh(kept.client_id, kept.refresh_token)).status, 200)
  world.clock.forward(1)
  assertInvalidGrant(await world.refresh(lost.client_id, lost.refresh_token), /30 days/)
})

test('a token chain lives as long as each use comes within 30 days of the last', async () => {
  const tokens = await world.connect()
  let token = tokens.refresh_token
  for (let month = 0; month < 6; month++) {
    world.clock.forward(days(29))
    const { status, body } = await world.refresh(tokens.client_id, token)
    assert.equal(status, 200)
    token = String(body['refresh_token'])
  }
})

test('an active refresh token of a revoked connection is refused', async () => {
  const tokens = await world.connect()
  const { connectionId } = await claimsOf(tokens.access_token)
  await revokeConnection(world.db, { connectionId, by: 'user', now: world.clock.now() })
  assertInvalidGrant(await world.refresh(tokens.client_id, tokens.refresh_token), /ended/)
})

test('a revocation that races a refresh ends the token chain, whichever comes first', async () => {
  for (let i = 0; i < 10; i++) {
    const tokens = await world.connect()
    const { connectionId } = await claimsOf(tokens.access_token)
    const [{ status, body }] = await Promise.all([
      world.refresh(tokens.client_id, tokens.refresh_token),
      revokeConnection(world.db, { connectionId, by: 'user', now: world.clock.now() }),
    ])
    const last = status === 200 ? String(body['refresh_token']) : tokens.refresh_token
    assertInvalidGrant(await world.refresh(tokens.client_id, last), /ended/)
  }
})

test('of fifty simultaneous refreshes of one token, one succeeds, and the chain lives', async () => {
  const tokens = await world.connect()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => world.refresh(tokens.client_id, tokens.refresh_token)),
  )
  const won = answers.filter((answer) => answer.status === 200)
  assert.equal(won.length, 1)
  assert.equal(answers.filter((a) => a.body['error'] === 'invalid_grant').length, 49)
  assert.ok(answers.every((answer) => answer.status === 200 || answer.status === 400))
  const next = await world.refresh(tokens.client_id, String(won[0]?.body['refresh_token']))
  assert.equal(next.status, 200)
})

test('a refresh token of one client is refused for another and stays unspent', async () => {
  const tokens = await world.connect()
  const thief = await world.client('http://localhost/cb')
  assertInvalidGrant(await world.refresh(thief, tokens.refresh_token), /not known for this client/)
  assert.equal((await world.refresh(tokens.client_id, tokens.refresh_token)).status, 200)
})

test('text that was never a token is refused as an unknown token', async () => {
  const { client_id } = await world.connect()
  for (const text of ['x', 'rt_x', 'rt_', `rt_${'a'.repeat(43)}`]) {
    assertInvalidGrant(await world.refresh(client_id, text), /not known/)
  }
})

test('an unknown or disabled client is reported before any fault of the token', async () => {
  const tokens = await world.connect()
  for (const id of ['nobody', 'cli_00000000000000000000000000', "' or 1=1"]) {
    const answer = await world.refresh(id, tokens.refresh_token)
    assert.equal(answer.status, 400)
    assert.equal(answer.body['error'], 'invalid_client')
  }
  const now = world.clock.now()
  await world.db.run(
    sql`update oauth_clients set disabled_at = ${now} where id = ${tokens.client_id}`,
  )
  const answer = await world.refresh(tokens.client_id, tokens.refresh_token)
  assert.equal(answer.body['error'], 'invalid_client')
})

test('both missing parameters of a refresh are named', async () => {
  const tokens = await world.connect()
  const without = [
    await world.refresh('', tokens.refresh_token),
    await world.refresh(tokens.client_id, ''),
  ]
  for (const [i, name] of ['client_id', 'refresh_token'].entries()) {
    assert.equal(without[i]?.status, 400)
    assert.equal(without[i]?.body['error'], 'invalid_request')
    assert.match(String(without[i]?.body['message']), new RegExp(name))
  }
})

test('a resource that is not ours is an invalid target, and the refresh token stays unspent', async () => {
  const tokens = await world.connect()
  const form = {
    grant_type: 'refresh_token',
    client_id: tokens.client_id,
    refresh_token: tokens.refresh_token,
  }
  const wrong = await world.post(tokenPath, { ...form, resource: 'https://other.example' })
  assert.equal(wrong.body['error'], 'invalid_target')
  const right = await world.post(tokenPath, { ...form, resource: 'https://app.example/mcp' })
  assert.equal(right.status, 200)
})

test('a refresh never widens the grant, whatever scope it requests', async () => {
  const tokens = await world.connect({ scope: 'forms:read' })
  const { body } = await world.post(tokenPath, {
    grant_type: 'refresh_token',
    client_id: tokens.client_id,
    refresh_token: tokens.refresh_token,
    scope: 'forms:read messaging:send',
  })
  assert.equal(body['scope'], 'meta:read forms:read')
})

test('codes and refresh tokens are not stored in the clear', async () => {
  const form = await world.code()
  const { body } = await world.post(tokenPath, form)
  const dump = await world.db.all<{ text: string }>(sql`
    select t::text as text from refresh_tokens t
    union all select c::text from authorization_codes c
    union all select c::text from connections c
  `)
  const all = dump.map((row) => row.text).join('\n')
  const secrets = [form.code, String(body['refresh_token']), String(body['access_token'])]
  for (const secret of secrets) {
    const hex = Buffer.from(secret).toString('hex')
    assert.ok(!all.includes(secret) && !all.includes(hex))
  }
})
