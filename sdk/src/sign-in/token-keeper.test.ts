import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type FakeServer, fakeServer } from '../../tests/fake-server.ts'
import { browser } from '../../tests/person.ts'
import { type Client, createClient } from '../client.ts'
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

test('a token is used until 60 seconds before its end, then renewed first', async () => {
  now += 3_539_000
  await call()
  assert.equal(server.oauth.refreshed.length, 0)
  now += 1_000
  await call()
  assert.equal(server.oauth.refreshed.length, 1)
})

test('callers at once share one refresh', async () => {
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

test('a 401 leads to one refresh and one more try', async () => {
  server.oauth.expireAccess()
  await call()
  assert.equal(server.oauth.refreshed.length, 1)
  assert.equal(server.calls.length, 1)
})

test('callers at once that all meet a 401 share one refresh', async () => {
  server.oauth.expireAccess()
  await Promise.all(Array.from({ length: 20 }, call))
  assert.equal(server.oauth.refreshed.length, 1)
})

test('a second 401 after a refresh means signing in again', async () => {
  server.faults.refuseBearer = true
  await assert.rejects(call(), { code: 'unauthorized', status: 401, needsSignIn: true })
  assert.equal(server.oauth.refreshed.length, 1)
  assert.equal(server.count('POST /api/functions/svc-mcp'), 2)
})

test('the new refresh token is stored, or the chain would end', async () => {
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

test('a refresh without a new refresh token keeps the old one', async () => {
  server.faults.keepRefreshToken = true
  const before = await stored()
  for (let i = 0; i < 2; i++) {
    now += 3_590_000
    await call()
  }
  assert.equal((await stored()).refreshToken?.reveal(), before.refreshToken?.reveal())
  assert.equal(server.oauth.refreshed.length, 2)
})

test('two invalid_grant in a row sever the connection, and nothing is sent after that', async () => {
  server.oauth.revokeAll()
  await assert.rejects(call(), { code: 'invalid_grant', needsSignIn: true })
  assert.equal((await client.status()).state, 'signed_in')
  await assert.rejects(call(), { code: 'severed', needsSignIn: true })
  assert.equal((await client.status()).state, 'severed')
  assert.equal(server.oauth.refreshed.length, 2)
  server.log.length = 0
  // Not even discovery, whose hour is over.
  now += 7_200_000
  await assert.rejects(call(), { code: 'severed' })
  await assert.rejects(another().call('business.list'), { code: 'severed' })
  assert.deepEqual(server.log, [])
})

test('a success between two invalid_grant starts the count anew', async () => {
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

test('signing in again mends a severed connection, also for clients that knew it severed', async () => {
  const other = another()
  server.oauth.revokeAll()
  await assert.rejects(call())
  await assert.rejects(call(), { code: 'severed' })
  await other.signIn({ open: browser().open })
  await call()
  assert.equal((await client.status()).state, 'signed_in')
})

test('a refresh that nobody answers keeps the old token and rests before the next', async () => {
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

test('a refresh that nobody answers after the token ended is an error, not the end', async () => {
  now += 3_700_000
  server.faults.dropToken = true
  await assert.rejects(call(), { code: 'network', needsSignIn: false })
  server.faults = {}
  await call()
})

test('a caller who gives up does not take the refresh from the others', async () => {
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

test('a refresh by someone who lost the lock meanwhile is taken over', async () => {
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
      // The other's write lands after our refresh was refused.
      return connection && reads > 2 ? { ...connection, expiresAt: now + 3_600_000 } : connection
    },
  }
  const late = createClient({ url: server.url, store: raced, now: () => now })
  await late.call('business.list')
  assert.equal((await stored()).refusals, 0)
})

test('nobody signed in is said without any request', async () => {
  const nobody = createClient({ url: server.url, store: memoryStore() })
  await assert.rejects(nobody.call('business.list'), { code: 'signed_out' })
  assert.deepEqual(server.log, [])
})

test('discovery is asked once an hour across processes', async () => {
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

test('a token that the server repeats stays out of the error', async () => {
  server.faults.refuseRefresh = true
  server.faults.echoToken = true
  now += 3_590_000
  const secret = (await stored()).refreshToken?.reveal() ?? ''
  await assert.rejects(call(), (error: Error) => {
    assert.match(error.message, /The token rt_… is over/)
    return !`${error.stack}`.includes(secret)
  })
})
