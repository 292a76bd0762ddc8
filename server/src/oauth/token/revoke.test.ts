import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authorizationWorld,
  tokenPath,
  type World,
} from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { sql } from '../../lib/db/db.ts'
import { hours } from '../../lib/time/clock.ts'
import { principalsOf } from '../connections/principals.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const revoke = (form: Record<string, string>) => world.post(`${tokenPath}/revoke`, form)

async function lives(tokens: { access_token: string }): Promise<boolean> {
  const claims = await world.oauth.accessTokens.verify(tokens.access_token, world.clock.now())
  assert.ok(claims)
  return (await principalsOf(world.db, [claims.connectionId])).has(claims.connectionId)
}

test('revoking either token ends the whole connection and is recorded as done by the client', async () => {
  for (const kind of ['refresh_token', 'access_token'] as const) {
    const tokens = await world.connect()
    assert.equal(await lives(tokens), true)
    const answer = await revoke({
      token: tokens[kind],
      token_type_hint: kind,
      client_id: tokens.client_id,
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(await lives(tokens), false)
    const refreshed = await world.refresh(tokens.client_id, tokens.refresh_token)
    assert.equal(refreshed.body['error'], 'invalid_grant')
    const row = await world.db.one<{ by: string; at: Date }>(sql`
      select revoked_by as by, revoked_at as at from connections where client_id = ${tokens.client_id}
    `)
    assert.deepEqual(row, { by: 'client', at: world.clock.now() })
  }
})

test('a wrong token type hint or a missing client id does not prevent a revocation', async () => {
  const tokens = await world.connect()
  await revoke({ token: tokens.refresh_token, token_type_hint: 'access_token' })
  assert.equal(await lives(tokens), false)
})

test('revoking an unknown or ended token is answered with 200', async () => {
  const tokens = await world.connect()
  assert.equal((await revoke({ token: 'rt_unknown', client_id: tokens.client_id })).status, 200)
  assert.equal((await revoke({ token: 'unknown' })).status, 200)
  const gone = await world.connect()
  await revoke({ token: gone.refresh_token })
  assert.equal((await revoke({ token: gone.refresh_token })).status, 200)
  assert.equal(await lives(tokens), true)
})

test('revoking a rotated-out token does not end the renewed connection', async () => {
  const tokens = await world.connect()
  await world.refresh(tokens.client_id, tokens.refresh_token)
  assert.equal((await revoke({ token: tokens.refresh_token })).status, 200)
  assert.equal(await lives(tokens), true)
})

test('revoking an expired access token ends nothing', async () => {
  const tokens = await world.connect()
  world.clock.forward(hours(1))
  assert.equal((await revoke({ token: tokens.access_token })).status, 200)
  const refreshed = await world.refresh(tokens.client_id, tokens.refresh_token)
  assert.equal(refreshed.status, 200)
})

test("another client's token is refused, and so is an unknown client", async () => {
  const tokens = await world.connect()
  const other = await world.client('http://localhost/cb')
  const foreign = await revoke({ token: tokens.refresh_token, client_id: other })
  assert.equal(foreign.status, 400)
  assert.equal(foreign.body['error'], 'invalid_grant')
  const unknown = await revoke({ token: tokens.refresh_token, client_id: 'cli_x' })
  assert.equal(unknown.body['error'], 'invalid_client')
  assert.equal(await lives(tokens), true)
})

test('a revocation without a token is an invalid request', async () => {
  const answer = await revoke({ token_type_hint: 'refresh_token' })
  assert.equal(answer.status, 400)
  assert.equal(answer.body['error'], 'invalid_request')
})
