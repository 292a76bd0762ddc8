import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizationWorld, type World } from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { disableClients, enableClients, removeClients } from './operate.ts'
import { allowRedirect } from './redirects.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const builtIn = 'https://claude.ai/api/mcp/auth_callback'
const tokenPath = '/functions/v1/mcp-oauth'
const remove = (target: string, configured: string[] = []) =>
  removeClients(world.db, target, { configured, now: world.clock.now() })

async function connected(redirectUri: string) {
  const clientId = await world.client(redirectUri)
  const tokens = await world.connect({ clientId, redirectUri })
  const refresh = async () => {
    const { status, body } = await world.refresh(clientId, tokens.refresh_token)
    if (status === 200) tokens.refresh_token = String(body['refresh_token'])
    return [status, body['error']]
  }
  return { clientId, refresh }
}

test('a disabled client loses its connections and its codes, and another client keeps them', async () => {
  const uri = 'http://localhost/cb'
  const [ours, other] = [await connected(uri), await connected(uri)]
  const form = await world.code({ clientId: ours.clientId, redirectUri: uri })
  const change = await disableClients(world.db, ours.clientId, world.clock.now())
  assert.deepEqual(change, { target: ours.clientId, kind: 'client', ended: 1 })
  assert.deepEqual(await ours.refresh(), [400, 'invalid_client'])
  assert.equal((await world.post(tokenPath, form)).body['error'], 'invalid_client')
  assert.deepEqual(await other.refresh(), [200, undefined])
  const again = await orRefusal(() => disableClients(world.db, ours.clientId, world.clock.now()))
  assert.equal(isRefusal(again) || again.ended, 0, 'to disable it again changes nothing')
})

test('an enabled client connects again, and what was ended stays ended', async () => {
  const { clientId, refresh } = await connected('http://localhost/cb')
  await disableClients(world.db, clientId, world.clock.now())
  assert.deepEqual(await enableClients(world.db, clientId), {
    target: clientId,
    kind: 'client',
    ended: 0,
  })
  assert.deepEqual(await refresh(), [400, 'invalid_grant'])
  const anew = await world.connect({ clientId, redirectUri: 'http://localhost/cb' })
  assert.equal(anew.client_id, clientId)
})

test('a removed client is gone for good', async () => {
  const { clientId, refresh } = await connected('http://localhost/cb')
  const change = await orRefusal(() => remove(clientId))
  assert.equal(isRefusal(change) || change.ended, 1)
  assert.deepEqual(await refresh(), [400, 'invalid_client'])
  for (const again of [enableClients(world.db, clientId), remove(clientId)]) {
    const outcome = await orRefusal(() => again)
    assert.ok(isRefusal(outcome) && outcome.code === 'not_found')
  }
})

test('a disabled redirect URI is refused whoever allows it, and its connections end', async () => {
  const [hosted, local] = [await connected(builtIn), await connected('http://localhost/cb')]
  const form = await world.code({ clientId: hosted.clientId, redirectUri: builtIn })
  const change = await disableClients(world.db, builtIn, world.clock.now())
  assert.deepEqual(change, { target: builtIn, kind: 'redirect_uri', ended: 1 })
  assert.deepEqual(await hosted.refresh(), [400, 'invalid_grant'])
  assert.equal((await world.post(tokenPath, form)).body['error'], 'invalid_grant')
  await assert.rejects(world.client(builtIn), /invalid_redirect_uri/)
  assert.deepEqual(await local.refresh(), [200, undefined])
  await enableClients(world.db, builtIn)
  assert.deepEqual(await (await connected(builtIn)).refresh(), [200, undefined])
})

test('to enable a redirect URI allows nothing that was not allowed before', async () => {
  const [never, added] = ['https://never.example/cb', 'https://added.example/cb']
  await allowRedirect(world.db, added, world.clock.now())
  for (const uri of [never, added]) {
    world.clock.forward(1_000)
    await disableClients(world.db, uri, world.clock.now())
    await assert.rejects(world.client(uri), /invalid_redirect_uri/)
    const enabled = await orRefusal(() => enableClients(world.db, uri))
    assert.equal(isRefusal(enabled) || enabled.kind, 'redirect_uri')
  }
  await assert.rejects(world.client(never), /invalid_redirect_uri/)
  await world.client(added)
})

test('a disabled rule with a star refuses what it matches and nothing else', async () => {
  await allowRedirect(world.db, 'https://app.example/*', world.clock.now())
  const inside = await connected('https://app.example/team/cb')
  const outside = await connected('https://chatgpt.com/connector_platform_oauth_redirect')
  await disableClients(world.db, 'https://app.example/team/*', world.clock.now())
  assert.deepEqual(await inside.refresh(), [400, 'invalid_grant'])
  assert.deepEqual(await outside.refresh(), [200, undefined])
  await assert.rejects(world.client('https://app.example/team/other'), /invalid_redirect_uri/)
  await world.client('https://app.example/cb')
})

test('a rule of the operator is removed with its connections; a built-in one is not', async () => {
  const uri = 'https://mine.example/cb'
  await allowRedirect(world.db, uri, world.clock.now())
  const { refresh } = await connected(uri)
  const change = await remove(uri)
  assert.deepEqual(change, { target: uri, kind: 'redirect_uri', ended: 1 })
  assert.deepEqual(await refresh(), [400, 'invalid_grant'])
  await assert.rejects(world.client(uri), /invalid_redirect_uri/)
  for (const [target, pattern] of [
    [builtIn, /built in.*crier clients disable/],
    ['https://set.example/cb', /ALLOWED_REDIRECTS.*crier clients disable/],
  ] as const) {
    const refusal = await orRefusal(() => remove(target, ['https://set.example/cb']))
    assert.ok(isRefusal(refusal) && refusal.code === 'conflict')
    assert.match(refusal.message, pattern)
  }
})

test('what names no app is refused: an unknown id, loopback, a malformed URI', async () => {
  for (const [target, code] of [
    ['cli_unknown', 'not_found'],
    ['http://localhost:8000/callback', 'invalid_redirect_uri'],
    ['https://user@app.example/cb', 'invalid_redirect_uri'],
    ['https://app.example*', 'invalid_redirect_uri'],
  ] as const) {
    const refusal = await orRefusal(() => disableClients(world.db, target, world.clock.now()))
    assert.ok(isRefusal(refusal), target)
    assert.equal(refusal.code, code, target)
  }
})
