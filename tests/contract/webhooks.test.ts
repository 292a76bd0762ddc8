/** Contract, "Planned webhook routes", "Planned delivery", "Delivery rules", over HTTP only. */
import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { formatId, parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { type OwnTestbed, openTestbed } from '../operations/support/testbed.ts'
import type { RestCaller } from '../support/clients/rest-caller.ts'
import { httpServer, type RemoteServer } from '../support/network/remote-server.ts'
import { eventually, until } from '../support/time/eventually.ts'

let testbed: OwnTestbed
let receiver: RemoteServer
let caller: RestCaller
/** Two businesses, so that a call without business_id must find its own. */
let business_id: string
const seen: { headers: IncomingHttpHeaders; body: Record<string, unknown> }[] = []

before(async () => {
  testbed = await openTestbed({ settings: { OUTBOUND_ALLOW: '127.0.0.0/8:*' } })
  const [one, two] = [await testbed.newBusiness(), await testbed.newBusiness()]
  business_id = formatId('business', one)
  caller = await testbed.restCaller({ businesses: [two, one] })
  receiver = await httpServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      seen.push({ headers: request.headers, body: JSON.parse(body) })
      response.end()
    })
  })
})
after(async () => {
  await receiver.close()
  await testbed.close()
})

const send = (method: string, path: string, body?: object) =>
  caller.send(method, path, body ? { body: JSON.stringify(body) } : {})
const url = () => `http://127.0.0.1:${receiver.port}/hooks`
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let webhook_id: string

test('POST /v1/webhooks answers 201 with its five fields, including the secret', async () => {
  const events = ['contact.created', 'contact.updated']
  const asked = { business_id, url: url(), events, description: 'The contract’s own' }
  const { status, body } = await send('POST', '/v1/webhooks', asked)
  assert.equal(status, 201)
  const { created_at, signing_secret, ...rest } = body
  webhook_id = String(body['webhook_id'])
  assert.deepEqual(rest, { webhook_id, url: url(), events })
  assert.match(webhook_id, /^whk_/)
  assert.match(String(signing_secret), /^whsec_/)
  assert.match(String(created_at), isoTime)
})

test('an event is delivered as a POST with the contract’s headers and body', async () => {
  const contact = { business_id, email: 'ana@example.com', name: 'Ana' }
  assert.equal((await send('PUT', '/v1/contacts', contact)).status, 200)
  await until(() => seen.length === 1, 'the delivery')
  const { headers, body } = seen[0] ?? assert.fail()
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['x-svc-event'], 'contact.created')
  assert.match(String(headers['x-svc-delivery']), /^dlv_/)
  assert.match(String(headers['x-svc-timestamp']), /^\d{10}$/)
  assert.match(String(headers['x-svc-signature']), /^t=\d{10},v1=[0-9a-f]{64}$/)
  assert.deepEqual(Object.keys(body), ['id', 'type', 'created_at', 'business_id', 'data'])
  assert.match(String(body['id']), /^evt_/)
  assert.match(String(body['created_at']), isoTime)
  assert.deepEqual([body['type'], body['business_id']], ['contact.created', business_id])
})

test('a webhook id in the path needs no business_id, even with two businesses in reach', async () => {
  const read = await send('GET', `/v1/webhooks/${webhook_id}`)
  assert.deepEqual([read.status, read.body['business_id']], [200, business_id])
  const strange = await send('GET', `/v1/webhooks/${webhook_id.slice(0, -4)}0000`)
  assert.deepEqual([strange.status, strange.body['code']], [404, 'not_found'])
  const listed = await send('GET', '/v1/webhooks')
  assert.deepEqual([listed.status, listed.body['field']], [400, 'business_id'])
})

test('PATCH /v1/webhooks/:id/rotate returns a new secret', async () => {
  const { status, body } = await send('PATCH', `/v1/webhooks/${webhook_id}/rotate`)
  assert.equal(status, 200)
  assert.match(String(body['signing_secret']), /^whsec_/)
  assert.deepEqual(Object.keys(body), [
    'webhook_id',
    'signing_secret',
    'rotated_at',
    'previous_secret_expires_at',
  ])
})

test('POST /v1/webhooks/deliveries/:id/replay answers 202 and sends the same event', async () => {
  const first = seen[0] ?? assert.fail()
  const id = String(first.headers['x-svc-delivery'])
  await until(async () => {
    const log = await send('GET', `/v1/webhooks/deliveries/${id}/attempts`)
    const [line] = log.body['deliveries'] as { state: string }[]
    return line?.state === 'delivered'
  }, 'its end in the log')
  const { status, body } = await send('POST', `/v1/webhooks/deliveries/${id}/replay`)
  assert.equal(status, 202)
  assert.equal(body['event_id'], first.body['id'])
  await until(() => seen.length === 2, 'the replay')
  assert.deepEqual(seen[1]?.body, first.body)
  assert.equal(seen[1]?.headers['x-svc-delivery'], body['delivery_id'])
})

test('POST /v1/webhooks/:id/test answers 202 and sends a sample event', async () => {
  const { status, body } = await send('POST', `/v1/webhooks/${webhook_id}/test`)
  assert.equal(status, 202)
  await until(() => seen.length === 3, 'the test')
  assert.equal(seen[2]?.body['id'], body['event_id'])
})

test('GET /v1/webhooks/:id/failed returns an empty list when no delivery has failed', async () => {
  const { status, body } = await send('GET', `/v1/webhooks/${webhook_id}/failed`)
  assert.deepEqual([status, body], [200, { failed: [] }])
})

// Waits in real time: the deadline is one of the network, which no clock of ours moves.
test('a receiver has 5 seconds to answer', async (t) => {
  const slow = await httpServer((request, response) => {
    request.resume()
    setTimeout(() => response.end(), Number(request.url?.slice(1))).unref()
  })
  t.after(() => slow.close())
  const stateAfter = async (answerMs: number): Promise<string | undefined> => {
    const hook = { business_id, url: `http://127.0.0.1:${slow.port}/${answerMs}` }
    const { body } = await send('POST', '/v1/webhooks', { ...hook, events: ['form.submitted'] })
    const path = `/v1/webhooks/${String(body['webhook_id'])}`
    await send('POST', `${path}/test`)
    const log = await eventually(
      async () => {
        const { body: page } = await send('GET', `${path}/deliveries`)
        return page['deliveries'] as { state: string; ended_at?: string }[]
      },
      ([line]) => line?.ended_at !== undefined,
    )
    return log[0]?.state
  }
  assert.deepEqual(await Promise.all([stateAfter(3_000), stateAfter(7_000)]), [
    'delivered',
    'failed',
  ])
})

test('no event is sent once the connection that created the webhook is revoked', async () => {
  await testbed.db.run(sql`update connections set revoked_at = ${new Date()}, revoked_by = 'user'`)
  const member = await testbed.restCaller({
    businesses: [parseId('business', business_id) as never],
  })
  const contact = { email: 'bea@example.com' }
  await member.send('PUT', '/v1/contacts', { body: JSON.stringify(contact) })
  await until(async () => {
    const { body } = await member.send('GET', `/v1/webhooks/${webhook_id}`)
    return body['paused_because'] === 'connection_ended'
  }, 'the pause')
  assert.equal(seen.length, 3)
  const resume = { body: JSON.stringify({ status: 'active' }) }
  const resumed = await member.send('PATCH', `/v1/webhooks/${webhook_id}`, resume)
  assert.deepEqual([resumed.status, resumed.body['status']], [200, 'active'])
  await until(() => seen.length === 4, 'what was held')
})
