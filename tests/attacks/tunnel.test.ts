/**
 * A service for one machine, without an operator's address, made public by a tunnel or proxy: what
 * it shows to the person at its machine answers no request that came through one, and none under a
 * foreign name.
 */
import assert from 'node:assert/strict'
import http from 'node:http'
import { after, before, test } from 'node:test'
import { formatId, newId } from 'crier-server/core/ids.ts'
import { appCatalogOf } from 'crier-server/operations/catalog.ts'
import { nowhere } from '../../scripts/generators/catalog.ts'
import { type Testbed, testbedAt } from '../operations/support/testbed.ts'
import { routesOf } from '../support/clients/routes.ts'
import { type Service, startService } from '../support/processes/service.ts'

let service: Service
let testbed: Testbed
let session: string
before(async () => {
  service = await startService({ idle: true })
  testbed = testbedAt(service)
  session = await testbed.newSession({ businesses: [await testbed.newBusiness()] })
})
after(() => service.close())

type Headers = Record<string, string>

interface RequestParts {
  method?: string
  body?: string
}

function ask(path: string, headers: Headers = {}, { method = 'GET', body }: RequestParts = {}) {
  const { port } = service.config
  const sent = { host: `localhost:${port}`, cookie: `crier-session=${session}`, ...headers }
  const typed = body === undefined ? sent : { 'content-type': 'application/json', ...sent }
  const withOrigin = method === 'GET' ? typed : { origin: service.config.appUrl, ...typed }
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const request = http.request(
      { host: '127.0.0.1', port, method, path, headers: withOrigin },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, body: text }))
      },
    )
    request.once('error', reject).end(body)
  })
}

/** Requests as tunnels and proxies make them, and those of a page under a name of its own. */
const foreign: Record<string, Headers> = {
  'ngrok with its name': { host: 'abc.ngrok.app' },
  'ngrok with a replaced Host': {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'abc.ngrok.app',
    'x-forwarded-proto': 'https',
  },
  cloudflared: { 'cf-connecting-ip': '203.0.113.9', 'cf-ray': '1', 'cdn-loop': 'cloudflare' },
  'a proxy with RFC 7239': { forwarded: 'for=203.0.113.9;host=crier.example' },
  'a proxy that says only who it is': { via: '1.1 proxy.example' },
  'nginx with X-Real-IP alone': { 'x-real-ip': '203.0.113.9' },
  'a proxy that passes only the name': { 'x-forwarded-host': 'crier.example' },
  'a proxy that passes only the protocol': { 'x-forwarded-proto': 'https' },
  'Akamai or Cloudflare for enterprises': { 'true-client-ip': '203.0.113.9' },
  'Tailscale Funnel': { 'tailscale-funnel-request': '?1' },
  'Fly.io': { 'fly-client-ip': '203.0.113.9' },
  Envoy: { 'x-envoy-external-address': '203.0.113.9' },
  'an Amazon load balancer': { 'x-amzn-trace-id': 'Root=1-2' },
  'a name that begins like this machine’s': { host: 'localhost.evil.example' },
  'a name that begins like a loopback address': { host: '127.0.0.1.evil.example' },
}

/** Every route for the person at the machine, with an id where it takes one. */
const mail = `/inbox/${formatId('mail', newId('mail'))}`
const phone = '/phones/33612345678'
const text = formatId('text', newId('text'))
const pages: Record<string, [path: string, method?: 'POST']> = {
  '/inbox': ['/inbox'],
  '/inbox/messages': ['/inbox/messages'],
  '/inbox/:id': [mail],
  '/inbox/:id/html': [`${mail}/html`],
  '/inbox/:id/:action': [`${mail}/open`, 'POST'],
  '/phones': ['/phones'],
  '/phones/texts': ['/phones/texts'],
  '/phones/:number': [phone],
  '/phones/:number/:id/:action': [`${phone}/${text}/delivered`, 'POST'],
}

test('every route of the inbox and the phones is 404 through a tunnel and under a foreign name', async () => {
  const served = routesOf(service.app).filter((route) => /^\/(inbox|phones)(\/|$)/.test(route))
  assert.deepEqual([...new Set(served)].sort(), Object.keys(pages).sort(), 'all are tested here')
  for (const [path] of [pages['/inbox'], pages['/phones'], pages['/inbox/messages']] as [
    string,
  ][]) {
    assert.equal((await ask(path)).status, 200, `${path} on this machine`)
  }
  for (const [path, method = 'GET'] of Object.values(pages)) {
    for (const [who, headers] of Object.entries(foreign)) {
      const { status, body } = await ask(path, headers, { method })
      assert.equal(status, 404, `${method} ${path} through ${who}`)
      assert.match(body, /not through a tunnel/, `${path} through ${who}`)
    }
  }
})

test('no page links to the inbox or the phones where its reader cannot open them', async () => {
  for (const path of ['/', '/login']) {
    const { body } = await ask(path, foreign['ngrok with its name'])
    assert.doesNotMatch(body, /href="\/(inbox|phones)/, path)
  }
  assert.match((await ask('/')).body, /href="\/inbox"/)
})

const operations = appCatalogOf(nowhere).filter(({ name }) => name.startsWith('operator.'))
const inputs: Record<string, Record<string, unknown>> = {
  'operator.businesses': {},
  'operator.set_tier': { of_business: formatId('business', newId('business')), tier: 'scale' },
  'operator.tiers': {},
  'operator.jobs': {},
  'operator.retry_jobs': { kind: 'message.email' },
  'operator.mail': {},
  'operator.lift_pause': {
    relay: 'inbox',
    domain: 'a.example',
    kind: 'marketing',
    provider: 'google.com',
  },
  'operator.volumes': {},
  'operator.answer_volume': { domain: 'a.example' },
}

test('the operator’s operations do not exist through a tunnel or under a foreign name', async () => {
  assert.deepEqual(
    operations.map(({ name }) => name).sort(),
    Object.keys(inputs).sort(),
    'all are tested here',
  )
  const call = (name: string, headers: Headers) => {
    const rest = operations.find((operation) => operation.name === name)?.rest
    const [method = '', route = ''] = String([rest].flat()[0]).split(' ')
    const input = { ...inputs[name] }
    const path = route.replace(/:(\w+)/g, (_, key: string) => {
      const value = String(input[key])
      delete input[key]
      return encodeURIComponent(value)
    })
    return method === 'GET'
      ? ask(path, headers)
      : ask(path, headers, { method, body: JSON.stringify(input) })
  }
  for (const name of ['operator.businesses', 'operator.jobs', 'operator.tiers']) {
    assert.equal((await call(name, {})).status, 200, `${name} on this machine`)
  }
  for (const name of Object.keys(inputs)) {
    for (const [who, headers] of Object.entries(foreign)) {
      const { status } = await call(name, headers)
      assert.equal(status, 404, `${name} through ${who}`)
    }
  }
})

test('the page Status shows the report to the person at the machine alone', async () => {
  const told = async (headers: Headers) => {
    const { body } = await ask('/v1/status', headers)
    return JSON.parse(body) as { is_operator?: boolean; report?: object | null }
  }
  const own = await told({})
  assert.equal(own.is_operator, true)
  assert.ok(own.report)
  for (const [who, headers] of Object.entries(foreign)) {
    const through = await told(headers)
    assert.deepEqual([through.is_operator, through.report], [false, null], who)
  }
})

test('/metrics and /tls/ask answer no request through a tunnel', async () => {
  assert.equal((await ask('/metrics')).status, 200)
  assert.equal((await ask('/metrics', { host: '127.0.0.2:9090' })).status, 200)
  assert.equal((await ask('/tls/ask?domain=localhost')).status, 200)
  for (const [who, headers] of Object.entries(foreign)) {
    const { status } = await ask('/metrics', headers)
    assert.equal(status, 401, who)
    // A proxy on the machine asks about certificates under the name by which it knows the service.
    if ('host' in headers) continue
    assert.equal((await ask('/tls/ask?domain=localhost', headers)).status, 404, who)
  }
})

test('with ALLOW_INBOX on local addresses, such as in a container, a tunnel shows no mail either', async () => {
  const container = await startService({
    idle: true,
    settings: { ALLOW_INBOX: 'yes', HOST: '0.0.0.0' },
  })
  try {
    const status = async (headers: Headers) =>
      (await fetch(`${container.url}/inbox/messages`, { headers })).status
    assert.equal(await status({}), 200)
    assert.equal(await status({ 'x-forwarded-for': '203.0.113.9' }), 404)
  } finally {
    await container.close()
  }
})

test('with ALLOW_INBOX and a public address, the proxy in front is expected', async () => {
  const open = await startService({
    idle: true,
    settings: { ALLOW_INBOX: 'yes', BASE_URL: 'https://crier.example', TRUST_PROXY: '1' },
  })
  try {
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-host': 'crier.example' }
    assert.equal((await fetch(`${open.url}/inbox/messages`, { headers })).status, 200)
  } finally {
    await open.close()
  }
})
