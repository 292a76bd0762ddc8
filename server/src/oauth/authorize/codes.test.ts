import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  authorizationWorld,
  type CodeForm,
  joinNewBusiness,
  tokenPath,
  type World,
} from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { fc } from '../../../../tests/support/properties.ts'
import { sql } from '../../lib/db/db.ts'
import { minutes } from '../../lib/time/clock.ts'
import { revokeConnection } from '../connections/connections.ts'
import { principalsOf } from '../connections/principals.ts'
import { codeLifetime } from './codes.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

async function refusedWith(code: string, form: CodeForm, pattern: RegExp): Promise<void> {
  const { status, body } = await world.post(tokenPath, form)
  assert.equal(status, 400)
  assert.equal(body['error'], code)
  assert.equal(body['code'], code)
  assert.match(String(body['message']), pattern)
  assert.equal(body['error_description'], body['message'])
}

test('a code is exchanged for the token response of the contract', async () => {
  const form = await world.code({ scope: 'forms:read messaging:send unknown:scope' })
  const { status, body, headers } = await world.post(tokenPath, form)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), [
    'access_token',
    'expires_in',
    'refresh_token',
    'scope',
    'token_type',
  ])
  assert.equal(body['token_type'], 'Bearer')
  assert.equal(body['expires_in'], 3600)
  assert.equal(body['scope'], 'meta:read forms:read messaging:send')
  assert.match(String(body['refresh_token']), /^rt_[A-Za-z0-9_-]{43}$/)
  assert.match(String(body['access_token']), /^eyJ[^.]+\.[^.]+\.[^.]+$/)
  assert.equal(headers['cache-control'], 'no-store')
})

test('a client that asks for one more scope keeps those that the person granted it before', async () => {
  const redirectUri = 'http://localhost/cb'
  const [clientId, other, userId] = [
    await world.client(redirectUri),
    await world.client(redirectUri),
    await world.person(),
  ]
  const base = { clientId, userId, redirectUri }
  await world.connect({ ...base, scope: 'forms:read audience:read' })
  const more = await world.connect({ ...base, scope: 'messaging:send' })
  assert.equal(more.scope, 'meta:read forms:read audience:read messaging:send')
  // What the request names and the person unticks is not granted, whatever was before.
  const less = await world.connect({
    ...base,
    scope: 'audience:read messaging:send',
    ticked: ['messaging:send'],
  })
  assert.equal(less.scope, 'meta:read forms:read messaging:send')
  const foreign = await world.connect({ ...base, clientId: other, scope: 'forms:write' })
  assert.equal(foreign.scope, 'meta:read forms:write', 'another client')
  const stranger = { ...base, userId: await world.person(), scope: 'forms:write' }
  assert.equal((await world.connect(stranger)).scope, 'meta:read forms:write', 'another person')
})

test('scopes of connections that ended are not kept', async () => {
  const redirectUri = 'http://localhost/cb'
  const base = {
    clientId: await world.client(redirectUri),
    userId: await world.person(),
    redirectUri,
  }
  const connectionId = await world.connection({ ...base, scope: 'audience:read' })
  const revocation = { connectionId, by: 'user', now: world.clock.now() } as const
  await revokeConnection(world.db, revocation)
  assert.equal(
    (await world.connect({ ...base, scope: 'forms:read' })).scope,
    'meta:read forms:read',
  )
})

test('a scope that the user unticked is not granted', async () => {
  const tokens = await world.connect({ scope: 'forms:read messaging:send', ticked: ['forms:read'] })
  assert.equal(tokens.scope, 'meta:read forms:read')
})

test('a used code is refused, and the connection it made stays alive', async () => {
  const form = await world.code()
  const first = await world.post(tokenPath, form)
  await refusedWith('invalid_grant', form, /already used/)
  const refreshed = await world.refresh(form.client_id, String(first.body['refresh_token']))
  assert.equal(refreshed.status, 200)
})

test('of fifty simultaneous exchanges of one code, one succeeds and its tokens stay valid', async () => {
  const form = await world.code()
  const answers = await Promise.all(Array.from({ length: 50 }, () => world.post(tokenPath, form)))
  const won = answers.filter((answer) => answer.status === 200)
  const lost = answers.filter((answer) => answer.body['error'] === 'invalid_grant')
  assert.equal(won.length, 1)
  assert.equal(lost.length, 49)
  assert.ok(lost.every((answer) => answer.status === 400))
  const refreshed = await world.refresh(form.client_id, String(won[0]?.body['refresh_token']))
  assert.equal(refreshed.status, 200)
})

test('an authorization code is valid for five minutes to the millisecond', async () => {
  assert.equal(codeLifetime, minutes(5))
  const [early, late] = [await world.code(), await world.code()]
  world.clock.forward(codeLifetime - 1)
  assert.equal((await world.post(tokenPath, early)).status, 200)
  world.clock.forward(1)
  await refusedWith('invalid_grant', late, /expired/)
})

test('a wrong verifier is refused and leaves the code usable with the right verifier', async () => {
  const form = await world.code()
  const wrong = { ...form, code_verifier: 'w'.repeat(43) }
  await refusedWith('invalid_grant', wrong, /code_verifier does not belong/)
  await refusedWith('invalid_request', { ...form, code_verifier: 'wrong' }, /43 to 128/)
  await refusedWith(
    'invalid_request',
    { ...form, code_verifier: `${'w'.repeat(42)}+` },
    /43 to 128/,
  )
  assert.equal((await world.post(tokenPath, form)).status, 200)
})

test('the redirect URI of the exchange must exactly match that of the request, port included', async () => {
  const form = await world.code()
  const moved = { ...form, redirect_uri: 'http://localhost:8124/callback' }
  await refusedWith('invalid_grant', moved, /redirect_uri differs/)
  assert.equal((await world.post(tokenPath, form)).status, 200)
})

test('a code of one client is refused for another client', async () => {
  const form = await world.code()
  const thief = await world.client(form.redirect_uri)
  await refusedWith('invalid_grant', { ...form, client_id: thief }, /not known for this client/)
})

test('an unknown or disabled client is reported before any fault of the grant', async () => {
  const form = await world.code()
  await refusedWith('invalid_client', { ...form, client_id: 'cli_nobody', code: 'x' }, /client_id/)
  await world.db.run(sql`
    update oauth_clients set disabled_at = ${world.clock.now()} where id = ${form.client_id}
  `)
  await refusedWith('invalid_client', form, /disabled/)
})

test('each missing parameter of the exchange is named', async () => {
  const form = await world.code()
  for (const name of ['client_id', 'code', 'redirect_uri', 'code_verifier'] as const) {
    await refusedWith('invalid_request', { ...form, [name]: '' }, new RegExp(`lacks ${name}`))
  }
})

test('a code or redirect_uri that no authorize request can have led to is malformed', async () => {
  const form = await world.code()
  const malformed = {
    code: ['é', 'a\nb', 'x'.repeat(513), '\u007f'],
    redirect_uri: ['no uri', '/cb', 'http://localhost:9/cb#x', 'javascript:alert(1)', 'http://a/é'],
  }
  for (const [name, values] of Object.entries(malformed)) {
    for (const value of values) {
      await refusedWith('invalid_request', { ...form, [name]: value }, new RegExp(`^${name} `))
    }
  }
  await refusedWith('invalid_grant', { ...form, code: 'x'.repeat(512) }, /not known/)
  const unknown = { ...form, code: 'é', client_id: 'cli_unknown' }
  await refusedWith('invalid_client', unknown, /client/)
  assert.equal((await world.post(tokenPath, form)).status, 200, 'nothing was spent')
})

test('any verifier of the full alphabet is accepted, and a slightly different verifier is not', async () => {
  const alphabet = 'AZaz09-._~'
  const verifiers = fc.string({
    unit: fc.constantFrom(...alphabet.split('')),
    minLength: 43,
    maxLength: 128,
  })
  const clientId = await world.client('http://localhost/cb')
  const userId = await world.person()
  await fc.assert(
    fc.asyncProperty(verifiers, async (verifier) => {
      const form = await world.code({
        clientId,
        userId,
        verifier,
        redirectUri: 'http://localhost:9/cb',
      })
      const last = verifier.at(-1) === '~' ? '.' : '~'
      const near = { ...form, code_verifier: verifier.slice(0, -1) + last }
      assert.equal((await world.post(tokenPath, near)).body['error'], 'invalid_grant')
      assert.equal((await world.post(tokenPath, form)).status, 200)
    }),
    { numRuns: 25 },
  )
})

test('a grant covers the businesses at the moment of consent and no business joined later', async () => {
  const userId = await world.person(2)
  const form = await world.code({ userId })
  await joinNewBusiness(world.db, userId, 'Too late', world.clock.now())
  const tokens = await world.post(tokenPath, form)
  await world.refresh(form.client_id, String(tokens.body['refresh_token']))
  const claims = await world.oauth.accessTokens.verify(
    String(tokens.body['access_token']),
    world.clock.now(),
  )
  assert.ok(claims)
  const principals = await principalsOf(world.db, [claims.connectionId])
  const names = principals.get(claims.connectionId)?.businesses.map((business) => business.name)
  assert.deepEqual(names?.toSorted(), ['Business 1', 'Business 2'])
})
