import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  authorizationWorld,
  callback,
  tokenPath,
  type World,
} from '../../../../tests/support/clients/authorization.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { isRefusal } from '../../core/errors.ts'
import { sql } from '../../lib/db/db.ts'
import { days, hours, minutes } from '../../lib/time/clock.ts'
import type { FetchedDocument } from './client-documents.ts'

const id = 'https://client.example/oauth/client.json'
const document = {
  client_id: id,
  client_name: 'Documented',
  redirect_uris: [callback, 'https://client.example/cb'],
}

/** The remote server that serves the client documents. */
const web = {
  fetches: 0,
  answer: (): Promise<FetchedDocument> => Promise.reject(new Error('unset')),
}
const answers = (body: unknown, headers: Record<string, string> = {}, status = 200) => {
  web.answer = () =>
    Promise.resolve({
      status,
      headers: new Headers(headers),
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
}

let database: TestDatabase
let world: World
before(async () => {
  database = await testDatabase()
  world = authorizationWorld(database.db, {
    config: { clientDocuments: true },
    fetchDocument() {
      web.fetches++
      return web.answer()
    },
  })
})
after(() => database.drop())
beforeEach(async () => {
  await database.db.run(sql`delete from oauth_clients where kind = 'document'
    and not exists (select 1 from connections where client_id = oauth_clients.id)`)
  await database.db.run(sql`update oauth_clients set document_expires_at = created_at`)
  world.clock.forward(days(2))
  web.fetches = 0
  answers(document)
})

const read = (document = id, from = '192.0.2.1') => {
  assert.ok(world.oauth.documents)
  return world.oauth.documents.read(document, { from, now: world.clock.now() })
}
async function fault(): Promise<string> {
  const outcome = await read()
  assert.ok(isRefusal(outcome))
  assert.equal(outcome.code, 'invalid_client')
  return outcome.message
}

test('a client whose id is the URL of its metadata document signs in without registering', async () => {
  const tokens = await world.connect({ clientId: id })
  assert.equal((await world.refresh(id, tokens.refresh_token)).status, 200)
  const row = await world.db.one(sql`select kind, name from oauth_clients where id = ${id}`)
  assert.deepEqual(row, { kind: 'document', name: 'Documented' })
})

test('the allow-list of redirect URIs also applies to client documents', async () => {
  await assert.rejects(
    world.code({ clientId: id, redirectUri: 'https://client.example/cb' }),
    /invalid_redirect_uri|"kind":"page"/,
  )
})

test('a client document is cached as HTTP says, for at least five minutes and at most a day', async () => {
  for (const [control, kept] of [
    ['max-age=600', minutes(10)],
    ['public, max-age=1', minutes(5)],
    ['no-store', minutes(5)],
    ['no-cache, max-age=600', minutes(5)],
    ['max-age=99999999', days(1)],
    ['', minutes(60)],
  ] as const) {
    answers(document, control ? { 'cache-control': control } : {})
    await world.db.run(sql`update oauth_clients set document_expires_at = ${world.clock.now()}`)
    web.fetches = 0
    await read()
    world.clock.forward(kept - 1)
    await read()
    assert.equal(web.fetches, 1, control)
    world.clock.forward(1)
    await read()
    assert.equal(web.fetches, 2, control)
  }
})

test('a client document fetched again replaces the old one', async () => {
  await read()
  world.clock.forward(minutes(61))
  answers({ ...document, client_name: 'New name', redirect_uris: [callback] })
  const client = await read()
  assert.ok(!isRefusal(client))
  assert.equal(client.name, 'New name')
  assert.deepEqual(client.redirectUris, [callback])
})

test('simultaneous requests share one fetch', async () => {
  const clients = await Promise.all(Array.from({ length: 20 }, () => read()))
  assert.ok(clients.every((client) => !isRefusal(client)))
  assert.equal(web.fetches, 1)
})

test('simultaneous requests count once for the limit, and those of other networks share the fetch', async () => {
  const froms = Array.from({ length: 80 }, (_, i) => `192.0.2.${1 + (i % 2)}`)
  const clients = await Promise.all(froms.map((from) => read(id, from)))
  assert.ok(clients.every((client) => !isRefusal(client)))
  assert.equal(web.fetches, 1)
})

test('a fetch failure is cached for a minute, and then the document is fetched again', async () => {
  web.answer = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:443'))
  const message = await fault()
  assert.match(message, /could not be fetched/)
  assert.doesNotMatch(message, /10\.0\.0\.1/)
  answers('', {}, 301)
  world.clock.forward(minutes(1) - 1)
  assert.match(await fault(), /could not be fetched/)
  assert.equal(web.fetches, 1)
  world.clock.forward(1)
  assert.match(await fault(), /answered 301/)
  answers(document)
  world.clock.forward(minutes(1))
  assert.ok(!isRefusal(await read()))
  assert.equal(web.fetches, 3)
})

const another = (n: number) => `https://client.example/oauth/${n}.json`

test('a network may have sixty documents fetched in an hour, and other networks have their own limit', async () => {
  web.answer = () => Promise.reject(new Error('away'))
  for (let n = 0; n < 60; n++) {
    const outcome = await read(another(n), '198.51.100.1')
    assert.ok(isRefusal(outcome) && outcome.code === 'invalid_client')
  }
  const outcome = await read(another(60), '198.51.100.1')
  assert.ok(isRefusal(outcome) && outcome.code === 'rate_limited')
  assert.equal(outcome.details.retryAfter, 3600)
  assert.equal(web.fetches, 60)
  answers({ ...document, client_id: another(60) })
  assert.ok(!isRefusal(await read(another(60), '198.51.100.2')))
  // A cached document needs no fetch, so the limit is not consulted.
  assert.ok(!isRefusal(await read(another(60), '198.51.100.1')))
  world.clock.forward(hours(1))
  answers({ ...document, client_id: another(61) })
  assert.ok(!isRefusal(await read(another(61), '198.51.100.1')))
})

test('at most sixteen documents are fetched at once, and a further request is refused without being counted', async () => {
  const waiting: ((document: FetchedDocument) => void)[] = []
  web.answer = () => new Promise((resolve) => waiting.push(resolve))
  const first = Array.from({ length: 16 }, (_, n) => read(another(100 + n), `203.0.113.${n}`))
  while (waiting.length < 16) await new Promise((wake) => setTimeout(wake, 5))
  for (let n = 0; n < 70; n++) {
    const outcome = await read(another(200), '203.0.113.99')
    assert.ok(isRefusal(outcome) && outcome.code === 'unavailable')
    assert.ok((outcome.details.retryAfter ?? 0) > 0)
  }
  // A request for a document that is being fetched waits for it with the others.
  const shared = read(another(100), '203.0.113.99')
  for (const resolve of waiting) resolve({ status: 404, headers: new Headers(), body: '' })
  for (const outcome of [...(await Promise.all(first)), await shared]) {
    assert.ok(isRefusal(outcome) && outcome.code === 'invalid_client')
  }
  assert.equal(web.fetches, 16)
  answers({ ...document, client_id: another(200) })
  assert.ok(!isRefusal(await read(another(200), '203.0.113.99')))
})

test('a document that does not describe a public client of its own URL is refused', async () => {
  const bad: [unknown, RegExp][] = [
    ['<html>', /not JSON/],
    ['null', /another client_id/],
    [`{"client_id":"x","client_id":${JSON.stringify(id)}}`, /a name twice/],
    [{ ...document, client_id: `${id}/` }, /another client_id/],
    [{ ...document, client_id: undefined }, /another client_id/],
    [{ ...document, client_secret: 's' }, /secret/],
    [{ ...document, token_endpoint_auth_method: 'client_secret_basic' }, /secret/],
    [{ ...document, redirect_uris: undefined }, /no redirect_uris/],
    [{ ...document, redirect_uris: [] }, /no redirect_uris/],
    [{ ...document, redirect_uris: [1] }, /not strings/],
    [{ ...document, redirect_uris: Array(21).fill(callback) }, /more than 20/],
    [{ ...document, client_name: 'a\nb' }, /cannot be shown/],
  ]
  for (const [body, words] of bad) {
    answers(body)
    world.clock.forward(minutes(1))
    assert.match(await fault(), words, JSON.stringify(body))
  }
})

test('only the https URL of a file is accepted as a document client id', () => {
  const { documents } = world.oauth
  assert.equal(documents?.isDocumentId(id), true)
  for (const text of [
    'http://client.example/client.json',
    'https://client.example',
    'https://client.example/',
    'https://client.example/a/../client.json',
    'https://client.example/./client.json',
    'https://client.example/client.json#x',
    'https://client.example/client.json?x',
    'https://user@client.example/client.json',
    'https://CLIENT.example/client.json',
    `https://client.example/${'a'.repeat(2000)}`,
    'cli_1',
  ]) {
    assert.equal(documents?.isDocumentId(text), false, text)
  }
})

test('a document client that the operator disabled stays disabled', async () => {
  await read()
  await world.db.run(
    sql`update oauth_clients set disabled_at = ${world.clock.now()} where id = ${id}`,
  )
  assert.match(await fault(), /disabled/)
})

test('without the setting no document is fetched and the client is unknown', async () => {
  const closed = authorizationWorld(database.db, { fetchDocument: () => web.answer() })
  await assert.rejects(closed.code({ clientId: id }), /page/)
  const answer = await closed.post(tokenPath, {
    grant_type: 'refresh_token',
    client_id: 'https://never.example/seen.json',
    refresh_token: 'rt_x',
  })
  assert.equal(answer.body['error'], 'invalid_client')
})
