import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import {
  authorizationWorld,
  testVault,
  type World,
} from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { formatId } from '../../core/ids.ts'
import { days, hours, seconds } from '../../lib/time/clock.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { rotateSigningKeys } from '../keys/keys.ts'
import { createAccessTokens } from './access-tokens.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

/** A verifier that has seen no token yet, like another node. */
function freshVerifier(kept?: number) {
  const ring = createKeyRing(database.db, testVault)
  const { addresses } = world.oauth
  return createAccessTokens({ ring, addresses, ...(kept !== undefined && { mostClaims: kept }) })
}

const verify = async (token: string) => freshVerifier().verify(token, world.clock.now())

test('an access token is the JWT of RFC 9068 for both entry points', async () => {
  const tokens = await world.connect({ scope: 'forms:read' })
  const header = decodeProtectedHeader(tokens.access_token)
  assert.equal(header.alg, 'ES256')
  assert.equal(header.typ, 'at+jwt')
  const payload = decodeJwt(tokens.access_token)
  const issuedAt = world.clock.now().getTime() / 1000
  assert.equal(payload.iss, 'https://api.example')
  assert.deepEqual(payload.aud, [
    'https://app.example/api/functions/svc-mcp',
    'https://gateway.example/v1',
  ])
  assert.equal(payload.iat, issuedAt)
  assert.equal(payload.exp, issuedAt + 3600)
  assert.equal(payload['client_id'], tokens.client_id)
  assert.equal(payload['scope'], 'meta:read forms:read')
  assert.match(String(payload.sub), /^usr_/)
  assert.match(String(payload['connection_id']), /^cnx_/)

  const claims = await verify(tokens.access_token)
  assert.ok(claims)
  assert.equal(formatId('connection', claims.connectionId), payload['connection_id'])
  assert.equal(claims.jti, payload.jti)
  assert.deepEqual([...claims.scopes], ['meta:read', 'forms:read'])
})

test('a token seen before is verified synchronously, and a new one asynchronously', async () => {
  const { access_token } = await world.connect()
  const verifier = freshVerifier()
  const first = verifier.verify(access_token, world.clock.now())
  assert.ok(first instanceof Promise)
  const claims = await first
  assert.equal(verifier.verify(access_token, world.clock.now()), claims)
})

test('a token is invalid from the second in which it expires, whether seen before or not', async () => {
  const { access_token } = await world.connect()
  const verifier = freshVerifier()
  const issued = world.clock.now().getTime()
  const at = (ms: number) => new Date(issued + ms)
  const untilLast = await verifier.verify(access_token, at(hours(1) - seconds(1)))
  assert.ok(untilLast)
  assert.equal(await verifier.verify(access_token, at(hours(1))), undefined)
  assert.equal(await freshVerifier().verify(access_token, at(hours(1))), undefined)
})

test('a token with any one character changed is invalid', async () => {
  const { access_token } = await world.connect()
  const step = Math.ceil(access_token.length / 60)
  // The last character is left out, because base64url ignores some of its bits.
  for (let at = 0; at < access_token.length - 1; at += step) {
    const other = access_token[at] === 'A' ? 'B' : 'A'
    const changed = access_token.slice(0, at) + other + access_token.slice(at + 1)
    assert.equal(await verify(changed), undefined, `character ${at}`)
  }
})

test('text that is not a token is refused without an exception', async () => {
  for (const text of [
    '',
    '.',
    '..',
    'a.b.c',
    'eyJ.eyJ.',
    'rt_x',
    'x'.repeat(5000),
    '\0',
    'ü.ü.ü',
  ]) {
    assert.equal(await verify(text), undefined, text.slice(0, 20))
  }
})

interface Forgery {
  header?: Record<string, unknown>
  payload?: Record<string, unknown>
  foreign?: boolean
}

/** A token signed by our own key, except where the forgery differs. */
async function forge({ header, payload, foreign }: Forgery): Promise<string> {
  const { access_token } = await world.connect()
  const ours = await createKeyRing(database.db, testVault).signing(world.clock.now())
  const key = foreign ? (await generateKeyPair('ES256')).privateKey : ours.key
  const good = decodeJwt(access_token)
  return new SignJWT({ ...good, ...payload })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: ours.kid, ...header })
    .sign(key)
}

test('a token is valid only with our key, issuer, audience, type and claims', async () => {
  assert.ok(await verify(await forge({})), 'the forger can make a good one')
  const bad: Record<string, Forgery> = {
    'foreign key under our id': { foreign: true },
    'unknown key id': { header: { kid: 'nobody' } },
    'no key id': { header: { kid: undefined } },
    'other type': { header: { typ: 'JWT' } },
    'other issuer': { payload: { iss: 'https://api.example/' } },
    'other audience': { payload: { aud: 'https://other.example' } },
    'no expiry': { payload: { exp: undefined } },
    'not valid yet': { payload: { nbf: world.clock.now().getTime() / 1000 + 60 } },
    'no connection': { payload: { connection_id: undefined } },
    'a connection of another shape': { payload: { connection_id: 'bus_1' } },
  }
  for (const [name, forgery] of Object.entries(bad)) {
    assert.equal(await verify(await forge(forgery)), undefined, name)
  }
})

test('a token with alg none or with an HMAC keyed with our public key is invalid', async () => {
  const { access_token } = await world.connect()
  const payload = decodeJwt(access_token)
  const none = new UnsecuredJWT(payload).encode()
  assert.equal(await verify(none), undefined)
  const { keys } = await world.oauth.ring.published(world.clock.now())
  const kid = String(keys[0]?.kid)
  const hmac = await new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
    .sign(Buffer.from(JSON.stringify(keys[0])))
  assert.equal(await verify(hmac), undefined)
})

test('the cache of verified tokens is bounded, and the oldest token is evicted first', async () => {
  const verifier = freshVerifier(2)
  const now = world.clock.now()
  const tokens = [await world.connect(), await world.connect(), await world.connect()]
  for (const { access_token } of tokens) await verifier.verify(access_token, now)
  const kept = tokens.map(
    ({ access_token }) => !(verifier.verify(access_token, now) instanceof Promise),
  )
  assert.deepEqual(kept, [false, true, true])
})

test('a token signed by the old key stays valid through a rotation until it expires', async () => {
  const verifier = freshVerifier()
  world.clock.forward(days(90))
  assert.ok(await rotateSigningKeys(database.db, testVault, world.clock.now()))
  world.clock.forward(hours(1) - seconds(1))
  const old = await world.connect()
  world.clock.forward(seconds(1))
  const young = await world.connect()
  const kids = [old, young].map(({ access_token }) => decodeProtectedHeader(access_token).kid)
  assert.notEqual(kids[0], kids[1])
  world.clock.forward(hours(1) - seconds(2))
  await rotateSigningKeys(database.db, testVault, world.clock.now())
  for (const { access_token } of [old, young]) {
    assert.ok(await verifier.verify(access_token, world.clock.now()))
    assert.ok(await verify(access_token))
  }
})
