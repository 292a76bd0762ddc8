/** Contract, "Versioning". */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callTool, connect } from '../support/clients/plain-client.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { toolResult } from './assertions.ts'

/** "Planned event types", in the contract's order. */
const contractEvents = [
  'form.submitted',
  'contact.created',
  'contact.updated',
  'campaign.deployed',
  'campaign.paused',
  'campaign.resumed',
  'message.sent',
  'message.delivered',
  'message.bounced',
  'message.opened',
  'message.clicked',
  'domain.verified',
  'usage.threshold',
]

let service: Service
let token: string
before(async () => {
  service = await startService()
  token = (await connect(service.url)).tokens.access_token
})
after(() => service.close())

const capabilities = async () => {
  const answer = await callTool(service.url, token, 'svc.v1.meta.capabilities')
  return (await toolResult(answer)).structuredContent
}

test('the release is v1.1.0 and includes webhooks with the final list of events', async () => {
  const { version, channels, events } = (await capabilities()) as {
    version: string
    channels: { webhooks: { live: boolean } }
    events: { type: string; additive?: boolean }[]
  }
  assert.equal(version, 'v1.1.0')
  assert.equal(channels.webhooks.live, true)
  const types = events.map(({ type }) => type)
  assert.deepEqual(types.slice(0, contractEvents.length), contractEvents)
  const added = [
    'message.accepted',
    'message.deferred',
    'message.failed',
    'message.suppressed',
    'message.complained',
    'message.replied',
    'contact.unsubscribed',
    'contact.resubscribed',
    'contact.erased',
    'contact.event',
    'campaign.completed',
    'campaign.awaiting_approval',
    'import.completed',
    'domain.degraded',
    'campaign.provider_held',
    'sequence.entered',
    'sequence.finished',
    'sequence.left',
    'sequence.notified',
    'webhook.failing',
  ]
  assert.deepEqual(types.slice(contractEvents.length), added)
  const ours = events.filter(({ additive }) => additive).map(({ type }) => type)
  assert.deepEqual(ours, added)
})

test('capabilities name the features of the audience: filters, topics, own events and consent', async () => {
  const { audience } = (await capabilities()) as { audience: Record<string, object> }
  assert.equal((audience['filters'] as { version: number }).version, 1)
  assert.deepEqual(audience['topics'], { most: 20 })
  assert.deepEqual(audience['tracking'], ['everyone', 'agreed', 'nobody'])
  const { statuses, bases } = audience['consent'] as Record<string, string[]>
  assert.ok(statuses?.includes('pending') && bases?.includes('existing_customer'))
})

test('the links in capabilities to REST and the documentation work', async () => {
  const { links } = (await capabilities()) as { links: Record<string, string> }
  const statuses = Object.entries(links).map(async ([name, url]) => {
    const answer = await fetch(url)
    // A body that is not read delays the stop of the service.
    await answer.text()
    return [name, answer.status]
  })
  assert.deepEqual(Object.fromEntries(await Promise.all(statuses)), {
    rest: 401,
    openapi: 200,
    documentation: 200,
    llms_txt: 200,
  })
})

test('every tool name is svc.v1.<area>.<action>', async () => {
  const { tools } = (await capabilities()) as { tools: { name: string }[] }
  assert.ok(tools.length >= 3)
  for (const { name } of tools) assert.match(name, /^svc\.v1\.[a-z_]+\.[a-z_]+$/)
})

test('another service slug changes the tool names and the path and nothing else', async (t) => {
  const other = await startService({ settings: { SERVICE_SLUG: 'acme' } })
  t.after(() => other.close())
  assert.equal(other.endpoint, `${other.url}/api/functions/acme-mcp`)
  const { tokens } = await connect(other.url)
  const answer = await fetch(other.endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${tokens.access_token}`,
    },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"acme.v1.business.list","arguments":{}}}',
  })
  await toolResult(answer)
})
