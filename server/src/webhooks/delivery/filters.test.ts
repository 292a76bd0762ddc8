import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bench, deliveryBench } from '../../../../tests/support/businesses/deliveries.ts'
import { callerIn } from '../../../../tests/support/clients/calls.ts'
import { httpServer, type RemoteServer } from '../../../../tests/support/network/remote-server.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { formatId, newId } from '../../core/ids.ts'
import { type EventTypeName, eventGroups, missingScopes, typesOf } from '../../events/catalog.ts'
import type { NewEvent } from '../../events/emit.ts'
import { businessesAsking } from '../../events/on-demand.ts'
import { eventSamples } from '../../events/samples.ts'
import { sql } from '../../lib/db/db.ts'
import { seconds } from '../../lib/time/clock.ts'
import { filterOf } from './filters.ts'

let database: TestDatabase
let bench: Bench
let receiver: RemoteServer
let types: string[] = []
before(async () => {
  database = await testDatabase()
  bench = await deliveryBench(database.db)
  receiver = await httpServer((request, response) => {
    types.push(String(request.headers['x-svc-event']))
    request.resume().on('end', () => response.writeHead(204).end())
  })
})
after(async () => {
  await receiver.close()
  await bench.close()
  await database.drop()
})

const url = () => `http://127.0.0.1:${receiver.port}/`

async function subscribe(input: object) {
  types = []
  const { webhook_id } = await bench.owner.get<{ webhook_id: string }>(bench.tools.save, {
    url: url(),
    ...input,
  })
  return webhook_id
}

async function happen<T extends EventTypeName>(type: T, data: object = {}) {
  bench.clock.forward(seconds(1))
  const event = { type, data: { ...eventSamples[type], ...data } } as unknown as NewEvent
  await bench.emit(event.type, event.data)
  await bench.fanOut()
}

const sent = async (webhookId: string) => {
  while ((await bench.deliver(webhookId)) > 0);
  return types
}

test('a group stands for all types with its first word, and needs the scopes of them all', async () => {
  const webhook_id = await subscribe({ events: ['contact.*', 'domain.verified'] })
  for (const type of ['contact.created', 'contact.erased', 'domain.verified'] as const) {
    await happen(type)
  }
  await happen('usage.threshold')
  assert.deepEqual((await sent(webhook_id)).sort(), [
    'contact.created',
    'contact.erased',
    'domain.verified',
  ])
  const { events } = await bench.owner.get<{ events: string[] }>(bench.tools.get, { webhook_id })
  assert.deepEqual(events, ['contact.*', 'domain.verified'])
  const { clock, db, businessId } = bench
  const scopes = ['meta:read', 'provisioning:write', 'messaging:send'] as const
  const narrow = callerIn({ db, clock }, businessId, { scopes })
  const refused = await narrow.refused(bench.tools.save, { url: url(), events: ['message.*'] })
  assert.deepEqual(
    [refused.code, refused.details.data?.['scope']],
    ['scope_required', 'audience:read'],
  )
})

test('an unknown group is refused with what would be right', async () => {
  for (const name of ['messages.*', 'message*', '*', 'message.s*']) {
    const refused = await bench.owner.refused(bench.tools.save, { url: url(), events: [name] })
    assert.equal(refused.code, 'invalid_request', name)
    assert.match(JSON.stringify(refused), /message\.\*/, name)
  }
})

test('a webhook for a group asks for the types that are written on demand', async () => {
  const { db, businessId } = bench
  await db.run(sql`update webhooks set deleted_at = now() where deleted_at is null`)
  const asking = () => businessesAsking(db, 'message.accepted', new Set([businessId]))
  assert.equal((await asking()).size, 0)
  await subscribe({ events: ['message.*'] })
  assert.equal((await asking()).size, 1)
})

/** Whoever names a group is asked for these. A new type that needs more would reach webhooks without it. */
test('the scopes of each group are these', () => {
  const none = new Set<never>()
  const needed = eventGroups.map((group) => [
    group,
    missingScopes(typesOf([group]), none).join(' '),
  ])
  assert.deepEqual(Object.fromEntries(needed), {
    'form.*': 'forms:read audience:read',
    'contact.*': 'audience:read',
    'campaign.*': 'messaging:send',
    'message.*': 'audience:read messaging:send',
    'domain.*': 'provisioning:write',
    'usage.*': 'meta:read',
    'import.*': 'audience:read',
    'sequence.*': 'audience:read messaging:send',
    'webhook.*': 'provisioning:write',
  })
})

test('a filter by tags lets the events with one of them pass, and those that never have tags', async () => {
  const events = ['message.*', 'domain.verified']
  const webhook_id = await subscribe({ events, filter: { tags: ['receipt', 'invoice'] } })
  await happen('message.sent', { tags: ['shop', 'invoice'] })
  await happen('message.delivered', { tags: ['newsletter'] })
  await happen('message.bounced', { tags: undefined })
  await happen('domain.verified')
  assert.deepEqual((await sent(webhook_id)).sort(), ['domain.verified', 'message.sent'])
  await bench.owner.get(bench.tools.save, { webhook_id, filter: {} })
  await happen('message.bounced')
  assert.equal((await sent(webhook_id)).length, 3, 'an empty filter lets all pass')
})

test('a filter by template lets the messages of that template pass', async () => {
  const { db, businessId, clock } = bench
  const [template, message] = [newId('template'), newId('message')]
  const now = clock.now()
  await db.run(sql`
    insert into templates (business_id, id, channel, name, version, created_at, updated_at)
    values (${businessId}, ${template}, 'email', 'Receipt', 1, ${now}, ${now})
  `)
  await db.run(sql`
    insert into messages (business_id, id, kind, recipient, state, attempts, due_at, created_at,
      updated_at, template_id)
    values (${businessId}, ${message}, 'transactional', 'ana@example.com', 'delivered', 1, ${now},
      ${now}, ${now}, ${template})
  `)
  const template_id = formatId('template', template)
  const events = ['message.sent', 'message.delivered']
  const webhook_id = await subscribe({ events, filter: { template_id } })
  await happen('message.sent', { message_id: formatId('message', message) })
  await happen('message.delivered')
  assert.deepEqual(await sent(webhook_id), ['message.sent'])
  const { filter } = await bench.owner.get<{ filter: object }>(bench.tools.get, { webhook_id })
  assert.deepEqual(filter, { template_id })
  const unknown = { template_id: formatId('template', newId('template')) }
  const refused = await bench.owner.refused(bench.tools.save, { webhook_id, filter: unknown })
  assert.equal(refused.code, 'not_found')
})

test('a filter that says nothing about any of the events is refused', async () => {
  const input = { url: url(), events: ['domain.*'], filter: { tags: ['vip'] } }
  const refused = await bench.owner.refused(bench.tools.save, input)
  assert.equal(refused.details.data?.['reason'], 'filter_without_events')
  const tags = Array.from({ length: 21 }, (_, i) => `tag ${i}`)
  const many = { url: url(), events: ['message.*'], filter: { tags } }
  assert.equal((await bench.owner.refused(bench.tools.save, many)).code, 'invalid_request')
  await bench.owner.get(bench.tools.save, { ...many, filter: { tags: tags.slice(1) } })
})

test('without filters the fan-out reads nothing more', async () => {
  const { businessId } = bench
  const webhook = {
    businessId,
    webhookId: newId('webhook'),
    events: new Set(typesOf(['message.*'])),
    filter: null,
    isFailing: false,
    createdAt: new Date(0),
  }
  const event = { businessId, eventId: newId('event'), type: 'message.sent' as const, position: 1 }
  const placed = { ...event, createdAt: new Date(), placedAt: new Date() }
  const passes = await filterOf(
    { all: () => assert.fail('a statement') } as never,
    [webhook],
    [placed],
  )
  assert.equal(passes(webhook, placed), true)
})
