import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Connected, connect } from '../../../../tests/support/clients/plain-client.ts'
import { type Service, startService } from '../../../../tests/support/processes/service.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { limits } from '../../config.ts'
import type { Log } from '../../lib/process/log.ts'
import { createServer } from '../server.ts'
import { eventStream } from './route.ts'

let service: Service
let connected: Connected
before(async () => {
  service = await startService()
  connected = await connect(service.url)
})
after(() => service.close())

const list = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'svc.v1.business.list' },
}

function post(body: unknown, headers: Record<string, string> = {}, path?: string) {
  return fetch(path ? `${service.url}${path}` : service.endpoint, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${connected.tokens.access_token}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

test('the response is JSON whatever Accept says, unless the client accepts only events', async () => {
  for (const accept of ['application/json', '*/*', 'application/json, text/event-stream', 'a/b']) {
    const answer = await post(list, { accept })
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, accept)
  }
  const event = await post(list, { accept: 'text/event-stream' })
  assert.equal(event.headers.get('content-type'), 'text/event-stream')
  assert.match(await event.text(), /^event: message\ndata: \{"jsonrpc":"2\.0","id":1.*\n\n$/)
})

test('the endpoint answers with a trailing slash as without', async () => {
  for (const path of ['/mcp', '/api/functions/svc-mcp']) {
    assert.equal((await post(list, {}, `${path}/`)).status, 200, path)
    const [plain, slashed] = await Promise.all(
      [path, `${path}/`].map((url) => fetch(`${service.url}${url}`, { method: 'POST' })),
    )
    assert.deepEqual([plain?.status, slashed?.status], [401, 401])
    const challenge = plain?.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /resource_metadata="/)
    assert.equal(slashed?.headers.get('www-authenticate'), challenge)
  }
})

test('GET and DELETE are 401 without a token, and 405 with Allow: POST with one', async () => {
  for (const method of ['GET', 'DELETE']) {
    assert.equal((await fetch(service.endpoint, { method })).status, 401)
    const authorization = `Bearer ${connected.tokens.access_token}`
    const answer = await fetch(service.endpoint, { method, headers: { authorization } })
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'])
  }
})

test('a body of another content type is 415, and invalid JSON is a parse error', async () => {
  const typed = await post(list, { 'content-type': 'text/plain' })
  assert.deepEqual([typed.status, await codeOf(typed)], [415, 'unsupported_media_type'])
  const torn = await post('{"jsonrpc":')
  assert.equal(torn.status, 400)
  assert.equal(((await torn.json()) as { error: { code: number } }).error.code, -32700)
})

test('a body at the limit is accepted, and one byte more is 413', async () => {
  const frame = JSON.stringify({ ...list, params: { ...list.params, _meta: { pad: '' } } })
  const padded = (bytes: number) => frame.replace('"pad":""', `"pad":"${'x'.repeat(bytes)}"`)
  const room = limits.toolCallBytes - frame.length
  assert.equal((await post(padded(room))).status, 200)
  const over = await post(padded(room + 1))
  assert.deepEqual([over.status, await codeOf(over)], [413, 'too_large'])
})

test('a request from another site’s origin is refused, and from a loopback origin it is accepted', async () => {
  const foreign = await post(list, { origin: 'https://evil.example' })
  assert.deepEqual([foreign.status, await codeOf(foreign)], [403, 'forbidden_origin'])
  const own = await post(list, { origin: 'http://localhost:6274' })
  assert.equal(own.headers.get('access-control-allow-origin'), 'http://localhost:6274')
  const preflight = await fetch(service.endpoint, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:6274', 'access-control-request-method': 'POST' },
  })
  assert.equal(preflight.status, 204)
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
})

test('a refused call in a batch affects only its own entry, and a notification gets no entry', async () => {
  const unknown = { ...list, id: 2, params: { name: 'svc.v1.no.such' } }
  const stranger = {
    ...list,
    id: 3,
    params: { name: 'svc.v1.meta.usage', arguments: { business_id: `bus_${'0'.repeat(26)}` } },
  }
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
  const answer = await post([list, note, unknown, stranger, { jsonrpc: '1.0' }])
  assert.equal(answer.status, 200)
  const entries = (await answer.json()) as { id?: number; error?: { code: number } }[]
  assert.deepEqual(
    entries.map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [2, -32602],
      [3, undefined],
      [undefined, -32600],
    ],
  )
})

test('every message of a batch counts towards the rate limit', async () => {
  const person = await connect(service.url)
  connected = person
  const one = await post([list, list, list, list, list])
  assert.equal(one.headers.get('ratelimit-remaining'), '599')
  const next = await post(list)
  assert.equal(next.headers.get('ratelimit-remaining'), '594')
})

test('the alias /mcp gives the same results, and has its own resource metadata', async () => {
  assert.equal((await post(list, {}, '/mcp')).status, 200)
  const answer = await fetch(`${service.url}/mcp`, { method: 'POST' })
  const [, url] =
    /resource_metadata="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '') ?? []
  const metadata = (await (await fetch(url ?? '')).json()) as { resource: string }
  assert.equal(metadata.resource, `${service.url}/mcp`)
})

test('tools are listed with underscores to an assistant whose models refuse dots', async () => {
  const names = async () => {
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const { result } = (await answer.json()) as { result: { tools: { name: string }[] } }
    return result.tools.map((tool) => tool.name)
  }
  assert.ok((await names()).includes('svc.v1.business.list'))
  const uri = 'https://claude.ai/api/mcp/auth_callback'
  await service.db.run({
    name: 'test-move-connection',
    text: 'update connections set redirect_uri = $1',
    values: [uri],
  })
  assert.ok((await names()).includes('svc_v1_business_list'))
})

async function codeOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { code: string }).code
}

test('a browser gets a page about connecting, and clients get what they always got', async () => {
  const look = (headers: Record<string, string>) => fetch(`${service.url}/mcp`, { headers })
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const page = await look({ ...browser, 'accept-language': 'de-CH' })
  assert.equal(page.status, 200)
  const text = await page.text()
  assert.match(text, /lang="de"/)
  for (const name of ['Claude Code', 'ChatGPT', 'VS Code', 'Cursor', 'Codex', 'n8n']) {
    assert.ok(text.includes(`<h2>${name}</h2>`), name)
  }
  assert.ok(text.includes('/mcp</code>'))
  // What a connection may do unless its person chooses otherwise.
  assert.match(text, /gekürzt \(a…@example\.com\).*100 Personen.*1\.000 Transaktionsnachrichten/s)
  const { access_token } = connected.tokens
  assert.equal((await look({ ...browser, authorization: `Bearer ${access_token}` })).status, 405)
  assert.equal((await look({ accept: 'application/json, text/event-stream' })).status, 401)
  assert.equal((await look({})).status, 401)
})

test('a call that fails after its stream was opened ends it with an error, and is logged', async () => {
  const server = createServer({ log: silentLog, bodyLimit: 9_999, trustProxy: false, https: false })
  after(() => server.close())
  const logged: unknown[] = []
  const log = { ...silentLog, error: (fields: object) => void logged.push(fields) } as Log
  server.get('/:opens', async (request, reply) => {
    const stream = eventStream(request, reply)
    const fault = new Error('a fault')
    if ((request.params as { opens: string }).opens === 'yes') stream.notify?.('{}')
    return stream.fail(fault, { id: 7, log })
  })
  const headers = { accept: 'application/json, text/event-stream' }
  const opened = await server.inject({ url: '/yes', headers })
  const [, ahead, answer] = opened.body.split('data: ')
  assert.deepEqual([opened.statusCode, ahead?.slice(0, 2)], [200, '{}'])
  const { id, error } = JSON.parse(answer ?? '')
  assert.deepEqual([id, error.code, error.data.code], [7, -32603, 'internal'])
  assert.equal(logged.length, 1)
  assert.equal((await server.inject({ url: '/no', headers })).statusCode, 500)
})
