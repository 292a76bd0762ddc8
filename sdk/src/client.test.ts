import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { type FakeServer, fakeServer } from '../tests/fake-server.ts'
import { browser } from '../tests/person.ts'
import { toolName } from './calls/tool-name.ts'
import {
  type Client,
  type ClientOptions,
  CrierError,
  createClient,
  NotFoundError,
  RateLimitError,
  responseOf,
} from './node.ts'
import { memoryStore, type Store } from './tokens/store.ts'

const endpoint = 'POST /api/functions/svc-mcp'
const route = 'GET /v1/businesses'
let server: FakeServer
let store: Store
let waits: number[]

beforeEach(async () => {
  server = await fakeServer()
  store = memoryStore()
  waits = []
  await client().signIn({ open: browser().open, scopes: ['meta:read'] })
})
afterEach(() => server.close())

function client(
  options: Pick<
    ClientOptions,
    'business' | 'fetch' | 'now' | 'timeout' | 'onRequest' | 'onResponse'
  > = {},
): Client {
  const wait = (milliseconds: number): Promise<void> => {
    waits.push(milliseconds)
    return Promise.resolve()
  }
  return createClient({ url: server.url, store, wait, random: () => 0.5, ...options })
}

test('a call returns the structured result, with a short or a full tool name', async () => {
  for (const name of ['echo.back', 'svc.v1.echo.back']) {
    assert.deepEqual(await client().call(name, { a: 1 }), { a: 1 })
  }
})

test('a short tool name gets the prefix of the endpoint, and every other spelling is unchanged', () => {
  const at = (path: string, name: string) => toolName(name, `http://localhost${path}`)
  assert.equal(at('/api/functions/svc-mcp', 'form.list'), 'svc.v1.form.list')
  assert.equal(at('/api/functions/acme-mcp', 'form.list'), 'acme.v1.form.list')
  assert.equal(at('/mcp', 'form.list'), 'svc.v1.form.list')
  for (const name of ['svc.v1.form.list', 'svc_v1_form_list', 'list_campaigns']) {
    assert.equal(at('/api/functions/acme-mcp', name), name)
  }
})

test('a result without structured content is read from its text', async () => {
  assert.deepEqual(await client().call('list_campaigns'), { campaigns: [] })
})

test('the client sends its default business where a call names no business', async () => {
  const acting = client({ business: 'bus_1' })
  assert.deepEqual(await acting.call('echo.back', { a: 1 }), { a: 1, business_id: 'bus_1' })
  const other = { business_id: 'bus_2' }
  assert.deepEqual(await acting.call('echo.back', other), other)
})

test('listTools returns all pages of tools in order', async () => {
  const names = (await client().listTools()).map((tool) => tool.name)
  assert.deepEqual(names, ['svc.v1.business.list', 'svc.v1.form.list', 'svc.v1.echo.back'])
})

test('a refused call throws an error with status, code, message, field, fix and data', async () => {
  await assert.rejects(client().form.submit({ form_id: 'frm_1', fields: {} }), {
    name: 'CrierError',
    code: 'invalid_request',
    status: 400,
    message: 'email is missing.',
    field: 'fields.email',
    fix: { tool: 'svc.v1.form.get', arguments: { form_id: 'frm_1' } },
    data: { choices: ['a', 'b'] },
  })
})

test('a call of an unknown tool throws the message of the server', async () => {
  await assert.rejects(client().call('no.such'), {
    code: 'invalid_request',
    message: 'There is no tool svc.v1.no.such.',
  })
})

test('a missing scope is an error, and does not cause a token refresh', async () => {
  await assert.rejects(client().call('form.list'), {
    code: 'scope_required',
    status: 403,
    requestId: 'req_7',
    data: { scope: 'forms:read' },
    needsSignIn: false,
  })
  assert.equal(server.oauth.refreshed.length, 0)
})

test('the message of a 401 is read, also under its misspelt key', async () => {
  server.faults.refuseBearer = true
  await assert.rejects(client().call('business.list'), /The token is not valid\. A fresh token/)
})

test('a call that got 429 is retried after the time in Retry-After', async () => {
  server.faults.limited = { times: 2, retryAfter: '7' }
  await client().call('business.list')
  assert.deepEqual(waits, [7_000, 7_000])
})

test('a call that got 429 without Retry-After is retried after growing pauses with jitter', async () => {
  server.faults.limited = { times: 2, retryAfter: undefined }
  await client().call('business.list')
  assert.deepEqual(waits, [375, 750])
})

test('retries after 429 are limited, and the limit can be set', async () => {
  server.faults.limited = { times: 100, retryAfter: '1' }
  const limited = { code: 'rate_limited', status: 429, retryAfter: 1 }
  await assert.rejects(client().call('business.list'), limited)
  assert.equal(server.count(route), 3)
  await assert.rejects(client().call('business.list', {}, { retries: 0 }), limited)
  assert.equal(server.count(route), 4)
})

test('a Retry-After of more than a minute is not waited for but thrown to the caller', async () => {
  server.faults.limited = { times: 1, retryAfter: '61' }
  await assert.rejects(client().call('business.list'), { code: 'rate_limited', retryAfter: 61 })
  assert.deepEqual(waits, [])
})

test('a call can be aborted while it waits for a retry', async () => {
  server.faults.limited = { times: 1, retryAfter: '30' }
  const controller = new AbortController()
  const real = createClient({ url: server.url, store })
  const call = real.call('business.list', {}, { signal: controller.signal })
  while (server.count(route) === 0) await new Promise(setImmediate)
  controller.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
})

test('a call that is aborted before it starts sends no request', async () => {
  const signal = AbortSignal.abort(new Error('enough'))
  await assert.rejects(client().call('business.list', {}, { signal }), /enough/)
  assert.equal(server.count(route), 0)
})

test('a write is tried again with the same key after its connection broke, and says so', async () => {
  server.faults.cut = 2
  const seen: unknown[] = []
  const watching = client({
    onRequest: ({ headers, attempt }) => {
      headers['traceparent'] = `00-${attempt}`
    },
    onResponse: ({ operation, attempt, status, error }) => {
      seen.push([operation, attempt, status, error?.code])
    },
  })
  const saved = await watching.topic.save({ topic: 'news', name: 'News' })
  const keys = server.calls.map((call) => call['key'])
  assert.deepEqual(new Set(keys).size, 1)
  assert.match(String(keys[0]), /^sdk_[0-9a-f-]{36}$/)
  assert.deepEqual(seen, [
    ['topic.save', 1, 0, 'network'],
    ['topic.save', 2, 0, 'network'],
    ['topic.save', 3, 200, undefined],
  ])
  assert.deepEqual(responseOf(saved), {
    status: 200,
    requestId: 'req_3',
    attempts: 3,
    idempotencyKey: keys[0],
  })
  await watching.topic.save({ topic: 'news', name: 'News' })
  assert.notEqual(server.calls.at(-1)?.['key'], keys[0])
})

test('a key of one’s own is sent, a read has none, and other statuses are not tried again', async () => {
  await client().topic.save({ topic: 'news', name: 'N' }, { idempotencyKey: 'mine' })
  assert.equal(server.calls.at(-1)?.['key'], 'mine')
  await client().topic.save({ topic: 'news', name: 'N', idempotency_key: 'own' })
  assert.equal(server.calls.at(-1)?.['key'], undefined)
  await client().business.list()
  assert.equal(server.calls.at(-1)?.['key'], undefined)
  for (const [status, tries] of [
    [408, 3],
    [500, 1],
    [502, 3],
    [503, 3],
    [504, 3],
  ] as const) {
    const before = server.count(route)
    server.faults.limited = { times: 9, retryAfter: undefined, status }
    await assert.rejects(client().business.list(), { status })
    assert.equal(server.count(route) - before, tries, String(status))
  }
})

test('an id that would lead to another path is refused before any request', async () => {
  for (const contact_id of ['', '.', '..']) {
    await assert.rejects(client().contact.get({ contact_id }), {
      code: 'invalid_request',
      field: 'contact_id',
    })
  }
  await assert.rejects(client().call('contact.get'), { field: 'contact_id', status: 0 })
  assert.deepEqual(server.calls, [])
})

test('each kind of error has a class, also for an error of another copy of the package', async () => {
  server.faults.limited = { times: 9, retryAfter: '61' }
  const limited = await client()
    .business.list()
    .catch((error: unknown) => error)
  assert.ok(limited instanceof RateLimitError && limited instanceof CrierError)
  assert.ok(!(limited instanceof NotFoundError) && limited.code === 'rate_limited')
  assert.ok(!(new Error('x') instanceof CrierError))
  class Other extends CrierError {}
  assert.ok(!(limited instanceof Other) && new Other({ code: 'x', message: 'y' }) instanceof Other)
})

test('a server that does not respond in time causes an error that names its address', async () => {
  server.faults.hold = new Promise(() => undefined)
  const impatient = client({ timeout: 40 })
  await assert.rejects(impatient.signIn({ open: browser().open }), {
    code: 'timeout',
    message: `No answer from ${server.url} within 0.04 seconds.`,
  })
})

test('the client finds an endpoint that has moved, and stores its new address', async () => {
  const moving = client()
  await moving.call('echo.back')
  server.faults.prefix = '/moved'
  await moving.call('echo.back')
  assert.equal(server.count(endpoint.replace(' ', ' /moved')), 1)
  await moving.call('echo.back')
  await moving.call('business.list')
  const stored = await store.read()
  assert.equal(stored?.server.toolEndpoint, `${server.url}/moved/api/functions/svc-mcp`)
})

test('a response that is not JSON is refused', async () => {
  const page: typeof fetch = (input, init) =>
    /v1|svc-mcp$/.test(new Request(input).url)
      ? Promise.resolve(new Response('<h1>Welcome</h1>'))
      : fetch(input, init)
  for (const name of ['business.list', 'echo.back']) {
    await assert.rejects(client({ fetch: page }).call(name), { code: 'bad_response' }, name)
  }
})

test('signOut revokes the connection at the server and deletes it locally', async () => {
  const refresh = (await store.read())?.refreshToken?.reveal() ?? ''
  assert.equal(await client().signOut(), true)
  assert.deepEqual(await client().status(), { state: 'signed_out', scopes: [] })
  const form = { grant_type: 'refresh_token', refresh_token: refresh, client_id: 'client-1' }
  assert.equal(server.oauth.token(new URLSearchParams(form)).status, 400)
})

test('signOut deletes the local connection even if the server cannot be reached', async () => {
  const away = client()
  await server.close()
  await assert.rejects(away.signOut(), { code: 'network' })
  assert.equal((await away.status()).state, 'signed_out')
})

test('the status gives scopes and expiry, and sends no request', async () => {
  server.log.length = 0
  const { state, scopes, expiresAt } = await client().status()
  assert.equal(state, 'signed_in')
  assert.deepEqual(scopes, ['meta:read'])
  assert.ok((expiresAt?.getTime() ?? 0) > Date.now() + 3_500_000)
  assert.deepEqual(server.log, [])
})
