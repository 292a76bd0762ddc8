import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizationWorld, type World } from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { refused } from '../../../../tests/support/refused.ts'
import { orRefusal, statusOf } from '../../core/errors.ts'
import { findClient } from './client-queries.ts'
import { allowRedirect } from './redirects.ts'
import { registerClient } from './register.ts'

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db)
})
after(() => database.drop())

const loopback = 'http://localhost:3000/callback'
const register = (body: unknown) => registerClient(world.oauth, body, world.clock.now())

async function registered(body: Record<string, unknown>) {
  const outcome = await register({ redirect_uris: [loopback], ...body })
  return outcome
}

async function rejected(body: unknown) {
  const refusal = refused(await orRefusal(() => register(body)))
  assert.equal(statusOf[refusal.code], 400)
  return refusal
}

test('a registration is echoed with a client id that is valid from then on', async () => {
  const sent = {
    client_name: 'My app',
    redirect_uris: [loopback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  const { client_id, client_id_issued_at, ...echoed } = await registered(sent)
  assert.deepEqual(echoed, sent)
  assert.match(client_id, /^cli_[0-9a-z]{26}$/)
  assert.equal(client_id_issued_at, world.clock.now().getTime() / 1000)
  const known = await findClient(world.db, client_id)
  assert.equal(known?.name, 'My app')
  assert.deepEqual(known.redirectUris, [loopback])
})

test('missing registration members get defaults: all grants, code, none, and the host as name', async () => {
  const made = await registered({})
  assert.deepEqual(made.grant_types, ['authorization_code', 'refresh_token'])
  assert.deepEqual(made.response_types, ['code'])
  assert.equal(made.token_endpoint_auth_method, 'none')
  assert.equal(made.client_name, 'localhost')
})

test('unknown registration members are ignored and not echoed', async () => {
  const made = await registered({
    scope: 'forms:read',
    application_type: 'native',
    client_uri: 'https://app.example',
    software_id: 17,
    contacts: null,
  })
  assert.deepEqual(Object.keys(made).sort(), [
    'client_id',
    'client_id_issued_at',
    'client_name',
    'grant_types',
    'redirect_uris',
    'response_types',
    'token_endpoint_auth_method',
  ])
})

test('a registration keeps only the requested grant types that are supported', async () => {
  const grant_types = [
    'refresh_token',
    'urn:ietf:params:oauth:grant-type:device_code',
    'authorization_code',
  ]
  const made = await registered({ grant_types, response_types: ['code', 'id_token'] })
  assert.deepEqual(made.grant_types, ['authorization_code', 'refresh_token'])
  assert.deepEqual(made.response_types, ['code'])
  const alone = await registered({ grant_types: ['authorization_code'] })
  assert.deepEqual(alone.grant_types, ['authorization_code'])
})

test('a client that could never request a code is refused', async () => {
  for (const body of [
    { grant_types: ['client_credentials'] },
    { grant_types: [] },
    { grant_types: 'authorization_code' },
    { response_types: ['token'] },
    { response_types: [1] },
  ]) {
    const refusal = await rejected({ redirect_uris: [loopback], ...body })
    assert.equal(refusal.code, 'invalid_request')
  }
})

test('a client that requests a secret is registered without one', async () => {
  for (const token_endpoint_auth_method of ['client_secret_basic', 'client_secret_post']) {
    const made = await registered({ token_endpoint_auth_method })
    assert.equal(made.token_endpoint_auth_method, 'none')
  }
})

test('a token_endpoint_auth_method that needs more than a secret is refused', async () => {
  for (const method of ['private_key_jwt', 'tls_client_auth', '', 1]) {
    const body = { redirect_uris: [loopback], token_endpoint_auth_method: method }
    assert.equal((await rejected(body)).code, 'invalid_request')
  }
})

test('a redirect URI that is not on the allow-list is refused by name until the operator allows it', async () => {
  const uri = 'https://hosted.example/cb'
  const refusal = await rejected({ redirect_uris: [loopback, uri] })
  assert.equal(refusal.code, 'invalid_redirect_uri')
  assert.equal(refusal.details.field, 'redirect_uris[1]')
  assert.match(refusal.message, /crier clients allow https:\/\/hosted\.example\/cb/)
  await allowRedirect(world.db, uri, world.clock.now())
  assert.deepEqual((await registered({ redirect_uris: [uri] })).redirect_uris, [uri])
})

test('one invalid redirect URI refuses the whole registration', async () => {
  for (const uri of [
    'http://localhost/cb#fragment',
    'http://user@localhost/cb',
    'javascript:alert(1)',
    '/relative',
    'http://localhost/c b',
    'http://local\u0000host/',
  ]) {
    const refusal = await rejected({ redirect_uris: [loopback, uri] })
    assert.equal(refusal.code, 'invalid_redirect_uri', uri)
  }
})

test('a client may register several redirect URIs, as some assistants do', async () => {
  const redirect_uris = [
    'https://vscode.dev/redirect',
    'https://insiders.vscode.dev/redirect',
    'http://127.0.0.1/',
    'http://127.0.0.1:33418/',
    'cursor://anysphere.cursor-mcp/oauth/callback',
  ]
  assert.deepEqual((await registered({ redirect_uris })).redirect_uris, redirect_uris)
})

test('redirect_uris must be one to twenty strings', async () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => `http://localhost:${i + 1}/`)
  for (const redirect_uris of [
    undefined,
    null,
    [],
    'x',
    loopback,
    [1],
    [loopback, null],
    many(21),
  ]) {
    assert.equal((await rejected({ redirect_uris })).code, 'invalid_request')
  }
  assert.equal((await registered({ redirect_uris: many(20) })).redirect_uris.length, 20)
})

test('a client name has at most 200 characters and no control or bidirectional characters', async () => {
  const bad = [1, {}, 'a'.repeat(201), 'a\nb', 'a\u0000', 'a\u2028b', 'a\u202eb', '\u2066a']
  for (const client_name of bad) {
    const refusal = await rejected({ redirect_uris: [loopback], client_name })
    assert.equal(refusal.details.field, 'client_name')
  }
  const name = `${'ü'.repeat(198)}😀`
  assert.equal((await registered({ client_name: name })).client_name, name)
  for (const client_name of ['', '  ', null]) {
    assert.equal((await registered({ client_name })).client_name, 'localhost')
  }
})

test('a registration body that is not an object is refused', async () => {
  for (const body of [undefined, null, [], 'x', 1]) await rejected(body)
})

test('a client name that could be taken for another one is refused, and its emoji are plain', async () => {
  const bad = [
    'Сlaude',
    'Рау Pal',
    'Νotion',
    'Clau\ufe0fde',
    'Cl\u200caude',
    'a\u3164b',
    '葛\u{e0100}飾',
  ]
  for (const client_name of bad) {
    const refusal = await rejected({ redirect_uris: [loopback], client_name })
    assert.equal(refusal.details.field, 'client_name')
    assert.match(refusal.message, /could be taken for another name/)
  }
  for (const client_name of ['Яндекс Mail', 'LINEアプリ', 'می\u200cخواهم', 'Notion для Slack']) {
    assert.equal((await registered({ client_name })).client_name, client_name)
  }
  assert.equal((await registered({ client_name: '❤\ufe0f Mail' })).client_name, '❤ Mail')
})
