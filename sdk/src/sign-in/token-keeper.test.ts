import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type FakeServer, fakeServer } from '../../tests/fake-server.ts'
import { browser } from '../../tests/person.ts'
import { type Client, createClient } from '../node.ts'
import type { Connection } from '../tokens/connection.ts'
import { memoryStore, type Store } from '../tokens/store.ts'

const exchange = 'POST /functions/v1/mcp-oauth'
let server: FakeServer
let store: Store
let client: Client
let now: number

beforeEach(async () => {
  server = await fakeServer()
  store = memoryStore()
  now = Date.parse('2026-01-01T00:00:00Z')
  client = another()
  await client.signIn({ open: browser().open })
  server.log.length = 0
})
afterEach(() => server.close())

const another = (): Client => createClient({ url: server.url, store, now: () => now })
const call = (): Promise<unknown> => client.call('business.list')
const stored = async (): Promise<Connection> => {
  const connection = await store.read()
  assert.ok(connection)
  return connection
}

test('an access token is used until 60 seconds before its expiry, then refreshed before the call', async () => {
  now += 3_539_000
  await call()
  assert.equal(server.oauth.refreshed.length, 0)
  now += 1_000
  await call()
  assert.equal(server.oauth.refreshed.length, 1)
})

test('concurrent calls share one refresh', async () => {
  now += 3_590_000
  await Promise.all(Array.from({ length: 50 }, call))
  assert.equal(server.oauth.refreshed.length, 1)
})

test('two clients over one store share one refresh', async () => {
  now += 3_590_000
  const second = another()
  await Promise.all([call(), second.call('business.list'), call()])
  assert.equal(server.oauth.refreshed.length, 1)
})

test('a call that got 401 refreshes the token once and is sent once more', async () => {
  server.oauth.expireAccess()
  await call()
  assert.equal(server.oauth.refreshed.length, 1)
  assert.equal(server.calls.length, 1)
})

test('concurrent calls that all get 401 share one refresh', async () => {
  server.oauth.expireAccess()
  await Promise.all(Array.from({ length: 20 }, call))
  assert.equal(server.oauth.refreshed.length, 1)
})

test('a second 401 after a refresh is an error that asks for a new sign-in', async () => {
  server.faults.refuseBearer = true
  await assert.rejects(call(), { code: 'unauthorized', status: 401, needsSignIn: true })
  assert.equal(server.oauth.refreshed.length, 1)
  assert.equal(server.count('GET /v1/businesses'), 2)
})

test('the new refresh token is stored, and the next refresh uses it', async () => {
  const before = await stored()
  now += 3_590_000
  await call()
  const after = await stored()
  assert.notEqual(after.refreshToken?.reveal(), before.refreshToken?.reveal())
  assert.equal(after.expiresAt, now + 3_600_000)
  now += 3_590_000
  await another().call('business.list')
  assert.equal(server.oauth.refreshed[1], after.refreshToken?.reveal())
})

test('a refresh that returns no new refresh token keeps the old one', async () => {
  server.faults.keepRefreshToken = true
  const before = await stored()
  for (let i = 0; i < 2; i++) {
    now += 3_590_000
    await call()
  }
  assert.equal((await stored()).refreshToken?.reveal(), before.refreshToken?.reveal())
  assert.equal(server.oauth.refreshed.length, 2)
})

test('two invalid_grant in a row sever the connection, and no request is sent afterwards', async () => {
  server.oauth.revokeAll()
  await assert.rejects(call(), { code: 'invalid_grant', needsSignIn: true })
  assert.equal((await client.status()).state, 'signed_in')
  await assert.rejects(call(), { code: 'severed', needsSignIn: true })
  assert.equal((await client.status()).state, 'severed')
  assert.equal(server.oauth.refreshed.length, 2)
  server.log.length = 0
  // Not even discovery is requested, although its hour in the cache is over.
  now += 7_200_000
  await assert.rejects(call(), { code: 'severed' })
  await assert.rejects(another().call('business.list'), { code: 'severed' })
  assert.deepEqual(server.log, [])
})

test('a successful refresh between two invalid_grant resets the count', async () => {
  now += 3_590_000
  server.faults.refuseRefresh = true
  await assert.rejects(call(), { code: 'invalid_grant' })
  server.faults = {}
  await call()
  assert.equal((await stored()).refusals, 0)
  server.faults.refuseRefresh = true
  now += 3_590_000
  await assert.rejects(call(), { code: 'invalid_grant' })
  assert.equal((await client.status()).state, 'signed_in')
})

test('a new sign-in repairs a severed connection, also for clients that saw it severed', async () => {
  const other = another()
  server.oauth.revokeAll()
  await assert.rejects(call())
  await assert.rejects(call(), { code: 'severed' })
  await other.signIn({ open: browser().open })
  await call()
  assert.equal((await client.status()).state, 'signed_in')
})

test('a failed refresh keeps the old token, and the next attempt waits', async () => {
  const before = await stored()
  now += 3_590_000
  server.faults.dropToken = true
  await call()
  await call()
  assert.equal(server.count(exchange), 1)
  assert.equal((await stored()).refreshToken?.reveal(), before.refreshToken?.reveal())
  now += 5_000
  await call()
  assert.equal(server.count(exchange), 2)
  server.faults = {}
  now += 60_000
  await call()
  assert.equal(server.oauth.refreshed.length, 1)
})

test('a failed refresh after the token’s expiry is a network error, and does not sever the connection', async () => {
  now += 3_700_000
  server.faults.dropToken = true
  await assert.rejects(call(), { code: 'network', needsSignIn: false })
  server.faults = {}
  await call()
})

test('a caller that aborts does not cancel the refresh for the other callers', async () => {
  now += 3_590_000
  let release = (): void => undefined
  server.faults.hold = new Promise((resolve) => {
    release = resolve
  })
  const controller = new AbortController()
  const given = client.call('business.list', {}, { signal: controller.signal })
  const patient = call()
  while (server.count(exchange) === 0) await new Promise(setImmediate)
  controller.abort(new Error('enough'))
  await assert.rejects(given, /enough/)
  release()
  await patient
  assert.equal(server.oauth.refreshed.length, 1)
})

test('a refresh that another process has made meanwhile is used after ours was refused', async () => {
  const mine = await stored()
  now += 3_590_000
  server.oauth.token(
    new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: mine.clientId,
      refresh_token: mine.refreshToken?.reveal() ?? '',
    }),
  )
  let reads = 0
  const raced: Store = {
    ...store,
    async read() {
      const connection = await store.read()
      reads++
      // The other process's write arrives after our refresh was refused.
      return connection && reads > 2 ? { ...connection, expiresAt: now + 3_600_000 } : connection
    },
  }
  const late = createClient({ url: server.url, store: raced, now: () => now })
  await late.call('business.list')
  assert.equal((await stored()).refusals, 0)
})

test('a call without a sign-in is refused without any request', async () => {
  const nobody = createClient({ url: server.url, store: memoryStore() })
  await assert.rejects(nobody.call('business.list'), { code: 'signed_out' })
  assert.deepEqual(server.log, [])
})

test('discovery is fetched once an hour across processes', async () => {
  await another().call('business.list')
  assert.equal(server.count('GET /.well-known/oauth-authorization-server'), 0)
  server.oauth.lifetime = 86_400
  now += 3_590_000
  await call()
  now += 600_000
  await another().call('business.list')
  await another().call('business.list')
  assert.equal(server.count('GET /.well-known/oauth-authorization-server'), 1)
})

test('a refresh token that the server repeats in its message is not in the error', async () => {
  server.faults.refuseRefresh = true
  server.faults.echoToken = true
  now += 3_590_000
  const secret = (await stored()).refreshToken?.reveal() ?? ''
  await assert.rejects(call(), (error: Error) => {
    assert.match(error.message, /The token rt_… is over/)
    return !`${error.stack}`.includes(secret)
  })
})
