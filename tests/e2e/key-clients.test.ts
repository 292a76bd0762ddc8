/** The SDK and the command line with an API key, against the whole service. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@crier-mail/sdk/node'
import { formatId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { errorOf, Home } from '../../cli/tests/crier.ts'
import { runChild } from '../../sdk/tests/child.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { httpServer } from '../support/network/remote-server.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'

let testbed: OwnTestbed
let home: Home
before(async () => {
  testbed = await openTestbed({ idle: true })
  home = await Home.make()
  home.env['CRIER_URL'] = testbed.service.url
})
after(async () => {
  await home.remove()
  await testbed.close()
})

async function newKey() {
  const businessId = await testbed.newBusiness()
  const { secret, key } = await newApiKey(testbed.db, { businessId })
  const owner = await testbed.appCaller({ businesses: [businessId] })
  const key_id = formatId('connection', key.id)
  return { secret, businessId, revoke: () => owner.get('key.revoke', { key_id }) }
}

test('the SDK calls with a key, shows it nowhere, and says so when it is revoked', async () => {
  const { secret, revoke } = await newKey()
  const client = createClient({ url: testbed.service.url, apiKey: secret })
  const { contact_id } = await client.contact.upsert({ email: 'by-key@example.com' })
  assert.match(contact_id, /^con_/)
  assert.deepEqual(await client.status(), { state: 'api_key', scopes: [] })
  assert.equal((await client.accessToken()).reveal(), secret)
  await assert.rejects(client.signIn({ open: () => {} }), /nobody signs in/)
  await revoke()
  await assert.rejects(client.contact.list({}), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'unauthorized')
    assert.match(error.message, /API key was revoked/)
    assert.doesNotMatch(error.message, /sign in again/)
    assert.ok(!JSON.stringify(error).includes(secret))
    return true
  })
})

test('every command sends the key of CRIER_API_KEY, and none asks for a sign-in', async () => {
  const { secret, businessId, revoke } = await newKey()
  home.env['CRIER_API_KEY'] = secret
  const listed = await home.run(['call', 'business.list'])
  assert.equal(listed.code, 0, listed.stderr)
  const [business] = JSON.parse(listed.stdout).businesses
  assert.equal(business.business_id, formatId('business', businessId))
  const login = await home.run(['login'])
  assert.match(String(errorOf(login)['message']), /CRIER_API_KEY/)
  await revoke()
  const refused = await home.run(['call', 'business.list'])
  const { code, hint } = errorOf(refused) as { code: string; hint?: string }
  assert.deepEqual([code, hint], ['unauthorized', undefined])
  assert.ok(!(refused.stdout + refused.stderr).includes(secret))
})

test('a route handler of Next.js sends a receipt written with React Email, as HTML and as text', async () => {
  const { secret, businessId } = await newKey()
  process.env['CRIER_URL'] = testbed.service.url
  process.env['CRIER_API_KEY'] = secret
  const { POST } = await import('../../examples/receipts/next-route.ts')
  const order = { id: '1042', email: 'buyer@shop.example', total: '<12 EUR>' }
  const call = () =>
    POST(new Request('http://shop.example/orders', { method: 'POST', body: JSON.stringify(order) }))
  const answer = await call()
  assert.equal(answer.status, 202)
  assert.deepEqual(await answer.json(), await (await call()).json(), 'sent once')
  const { html, text } = await testbed.db.one<{ html: string; text: string }>(sql`
    select html, body_text as text from message_contents where business_id = ${businessId}
  `)
  assert.match(html, /<h1>Order 1042<\/h1>.*<b>&lt;12 EUR&gt;<\/b>/s)
  assert.match(text, /ORDER 1042\s+Thank you\. You paid <12 EUR>\./)
})

test('receipts from Express are sent once each, behind a proxy that fails one in three calls', async () => {
  const { secret, businessId } = await newKey()
  const patience = 1_500
  const proxy = await badProxy(testbed.service.url, patience + 500)
  const shop = runChild(new URL('../../examples/receipts/express.ts', import.meta.url), [], {
    env: {
      PORT: '0',
      CRIER_URL: `http://127.0.0.1:${proxy.port}`,
      CRIER_API_KEY: secret,
      CRIER_TIMEOUT: String(patience),
    },
  })
  try {
    const [, port] = await shop.says(/^listening on .*port: (\d+)/m)
    const order = async (id: number) => {
      const answer = await fetch(`http://127.0.0.1:${port}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: `${id}`, email: `buyer${id}@shop.example`, total: '12 EUR' }),
      })
      assert.equal(answer.status, 202, `${id}`)
      return ((await answer.json()) as { message_id: string }).message_id
    }
    // One after the other, so that a second try is never the proxy's third call.
    const sent: string[] = []
    for (let id = 1; id <= 7; id++) sent.push(await order(id))
    assert.equal(await order(1), sent[0], 'an order that is posted again')
    assert.deepEqual(proxy.faults, ['cut', '502', 'late'])
    const { n } = await testbed.db.one<{ n: number }>(
      sql`select count(*)::int as n from messages where business_id = ${businessId}`,
    )
    assert.equal(n, 7)
  } finally {
    shop.process.kill('SIGKILL')
    await proxy.close()
  }
})

const inOther = [
  ['python3', 'receipts.py', missingPrograms('/usr/bin/python3')],
  ['php', 'receipts.php', missingPrograms('/usr/bin/php', '/usr/lib/php/20220829/curl.so')],
] as const

for (const [program, name, missing] of inOther) {
  test(`receipts from ${name} are sent once each, behind the same proxy`, {
    skip: missing ?? false,
  }, async () => {
    const { secret, businessId } = await newKey()
    const patience = 1_500
    const proxy = await badProxy(testbed.service.url, patience + 500)
    try {
      const file = fileURLToPath(new URL(`../../examples/receipts/${name}`, import.meta.url))
      const orders = [1, 2, 3, 4, 5, 6, 7, 1].map((id) =>
        JSON.stringify({ id: `${id}`, email: `buyer${id}@shop.example`, total: '12 EUR' }),
      )
      const env = {
        PATH: process.env['PATH'],
        CRIER_URL: `http://127.0.0.1:${proxy.port}`,
        CRIER_API_KEY: secret,
        CRIER_TIMEOUT: String(patience),
      }
      const running = promisify(execFile)(program, [file], { env })
      running.child.stdin?.end(`${orders.join('\n')}\n`)
      const sent = (await running).stdout.trim().split('\n')
      assert.equal(sent.length, 8)
      assert.equal(sent[7], sent[0], 'an order that is read again')
      assert.deepEqual(proxy.faults.slice(0, 3), ['cut', '502', 'late'])
      const { n } = await testbed.db.one<{ n: number }>(
        sql`select count(*)::int as n from messages where business_id = ${businessId}`,
      )
      assert.equal(n, 7)
    } finally {
      await proxy.close()
    }
  })
}

/** Passes each call on, and of three one fails: its answer is cut off, replaced by a 502, or late. */
async function badProxy(target: string, delay: number) {
  const kinds = ['cut', '502', 'late'] as const
  const faults: string[] = []
  let calls = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = ++calls % 3 === 0 ? kinds[(calls / 3 - 1) % 3] : undefined
    if (fault !== undefined) faults.push(fault)
    if (fault === '502') return response.writeHead(502).end('Bad gateway')
    const { status, body } = await passed(request, target)
    if (fault === 'cut') return request.socket.destroy()
    if (fault === 'late') await new Promise((resolve) => setTimeout(resolve, delay))
    return response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }
  const server = await httpServer((request, response) => void answer(request, response))
  return { port: server.port, faults, close: () => server.close() }
}

async function passed(request: IncomingMessage, target: string) {
  const { method, headers } = request
  const body = await text(request)
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const call = forward(target + request.url, { method, headers }, (answer) => {
      text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
    })
    call.on('error', reject).end(body)
  })
}
