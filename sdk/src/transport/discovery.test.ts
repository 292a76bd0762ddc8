import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type FakeServer, fakeServer } from '../../tests/fake-server.ts'
import { createDiscovery, type Discovery } from './discovery.ts'
import { type Answer, send, worldFrom } from './http.ts'
import { parseAddress, readMetadata } from './server-metadata.ts'

const document = 'GET /.well-known/oauth-authorization-server'
let server: FakeServer
let now: number
let discovery: Discovery
const world = worldFrom({ now: () => now })

beforeEach(async () => {
  server = await fakeServer()
  now = 1_000_000
  discovery = createDiscovery(parseAddress(server.url), world)
})
afterEach(() => server.close())

test('discovery is fetched once an hour, however many callers request it', async () => {
  await Promise.all(Array.from({ length: 20 }, () => discovery.get()))
  now += 3_599_999
  await discovery.get()
  assert.equal(server.count(document), 1)
  now += 1
  await discovery.get()
  assert.equal(server.count(document), 2)
})

test('the tool endpoint is read unchanged from the protected-resource document', async () => {
  assert.equal((await discovery.get()).toolEndpoint, `${server.url}/api/functions/svc-mcp`)
})

test('an address with a path is used as the endpoint itself', async () => {
  const address = parseAddress(`${server.url}/mcp`)
  const { toolEndpoint, tokenEndpoint } = await createDiscovery(address, world).get()
  assert.equal(toolEndpoint, `${server.url}/mcp`)
  assert.equal(tokenEndpoint, `${server.url}/functions/v1/mcp-oauth`)
  assert.equal(server.count('GET /.well-known/oauth-protected-resource'), 0)
})

const post = (metadata: { tokenEndpoint: string }): Promise<Answer> =>
  send(world, { url: metadata.tokenEndpoint, method: 'POST' })

test('a 404 without an error code of the service fetches discovery again and repeats the call once', async () => {
  await discovery.get()
  server.faults.prefix = '/moved'
  const answer = await discovery.call(post)
  assert.equal(answer.status, 400)
  assert.equal(server.count(document), 2)
  assert.equal(server.count('POST /moved/functions/v1/mcp-oauth'), 1)
})

test('a 404 that persists is returned after one retry', async () => {
  server.faults.tokenMissing = { times: 10, body: '<h1>Not found</h1>' }
  assert.equal((await discovery.call(post)).status, 404)
  assert.equal(server.count('POST /functions/v1/mcp-oauth'), 2)
  assert.equal(server.count(document), 2)
})

test('a 404 with an error code of the service is returned, and discovery is not fetched again', async () => {
  server.faults.tokenMissing = { times: 1, body: '{"code":"not_found"}' }
  assert.equal((await discovery.call(post)).status, 404)
  assert.equal(server.count('POST /functions/v1/mcp-oauth'), 1)
  assert.equal(server.count(document), 1)
})

test('concurrent calls that get the same 404 share one discovery fetch', async () => {
  await discovery.get()
  server.faults.prefix = '/moved'
  const answers = await Promise.all(Array.from({ length: 10 }, () => discovery.call(post)))
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([400]))
  assert.equal(server.count(document), 2)
})

test('a call whose 404 arrives late uses the discovery that another call has fetched meanwhile', async () => {
  await discovery.get()
  server.faults.prefix = '/moved'
  let late = (): void => undefined
  const waiting = new Promise<void>((resolve) => {
    late = resolve
  })
  const slow = discovery.call(async (metadata) => {
    const answer = await post(metadata)
    await waiting
    return answer
  })
  await discovery.call(post)
  late()
  assert.equal((await slow).status, 400)
  assert.equal(server.count(document), 2)
})

test('discovery stored by an earlier process is used for the rest of its hour', async () => {
  const metadata = await discovery.get()
  const second = createDiscovery(parseAddress(server.url), world)
  second.seed(metadata)
  now += 3_000_000
  assert.equal(await second.get(), metadata)
  assert.equal(server.count(document), 1)
})

test('a server without discovery is reported as such, and tried again at the next call', async () => {
  server.faults.discovery = 404
  await assert.rejects(discovery.get(), { code: 'not_found', status: 404 })
  server.faults = {}
  assert.equal((await discovery.get()).issuer, server.url)
})

test('an invalid server address is refused before any request', () => {
  for (const url of ['', 'localhost:8080', 'ftp://a', 'http://a:b@c/', 'http://a/?b']) {
    assert.throws(() => parseAddress(url), { code: 'invalid_request' }, url)
  }
})

test('a discovery document reached over https may not name an http endpoint', () => {
  const address = parseAddress('https://crier.example')
  const fields = {
    issuer: 'https://crier.example',
    authorization_endpoint: 'https://crier.example/a',
    token_endpoint: 'http://crier.example/t',
    registration_endpoint: 'https://crier.example/r',
  }
  assert.throws(() => readMetadata(address, fields, undefined, 0), /no usable token_endpoint/)
})

test('a page that is not a discovery document is refused', () => {
  const address = parseAddress('http://localhost:1')
  for (const body of [undefined, {}, [], { issuer: 'x' }, { issuer: 'javascript:alert(1)' }]) {
    assert.throws(() => readMetadata(address, body, undefined, 0), { code: 'bad_response' })
  }
})
