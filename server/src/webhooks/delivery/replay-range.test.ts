import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bench, deliveryBench } from '../../../../tests/support/businesses/deliveries.ts'
import { callerIn } from '../../../../tests/support/clients/calls.ts'
import { takeFrom } from '../../../../tests/support/jobs/jobs.ts'
import { httpServer, type RemoteServer } from '../../../../tests/support/network/remote-server.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { newId, parseId } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import { sql } from '../../lib/db/db.ts'
import { days, hours, later, minutes, seconds } from '../../lib/time/clock.ts'
import { mostReplayed, replayInTurns, replayRangeJob } from './replay-range.ts'

let database: TestDatabase
let bench: Bench
let receiver: RemoteServer
let status = 200
let bodies: { id: string; type: string }[] = []
before(async () => {
  database = await testDatabase()
  bench = await deliveryBench(database.db)
  receiver = await httpServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      bodies.push(JSON.parse(body))
      response.writeHead(status).end()
    })
  })
})
after(async () => {
  await receiver.close()
  await bench.close()
  await database.drop()
})

async function fresh(events: EventTypeName[]) {
  status = 200
  bodies = []
  const { webhook_id } = await bench.subscribe(`http://127.0.0.1:${receiver.port}/`, events)
  const ask = <T>(tool: keyof Bench['tools'], more: object = {}) =>
    bench.owner.get<T>(bench.tools[tool], { webhook_id, ...more })
  return { webhook_id, ask, due: () => bench.deliver(webhook_id) }
}

async function happen(type: EventTypeName) {
  bench.clock.forward(seconds(1))
  await bench.emit(type)
  await bench.fanOut()
}

interface Replayed {
  replaying: number
  next_cursor?: string
}

const iso = (at: Date) => at.toISOString()
const typesSent = () => bodies.map(({ type }) => type)

test('events of a span are sent again by type and outcome, with their ids', async () => {
  const { ask, due } = await fresh(['contact.created', 'domain.verified'])
  await happen('contact.created')
  await due()
  const since = iso(later(bench.clock.now(), 1))
  for (const type of ['contact.created', 'domain.verified'] as const) await happen(type)
  while ((await due()) > 0);
  const [, ...within] = bodies.map(({ id }) => id)
  const until = iso(later(bench.clock.now(), 1))
  await happen('contact.created')
  await due()
  bodies = []
  const both = await ask<Replayed>('replay', { since, until })
  assert.deepEqual([both.replaying, both.next_cursor], [2, undefined])
  while ((await due()) > 0);
  assert.deepEqual(bodies.map(({ id }) => id).sort(), within.sort())
  bodies = []
  await ask('replay', { since, until, types: ['domain.verified'] })
  while ((await due()) > 0);
  assert.deepEqual(typesSent(), ['domain.verified'])
  const none = await ask<Replayed>('replay', { since, until, outcome: 'undelivered' })
  assert.equal(none.replaying, 0)
  const { replay } = await ask<{ replay: object }>('get')
  assert.deepEqual(replay, { requested_at: iso(bench.clock.now()), total: 1, queued: 1 })
})

test('what was given up is replayed, and what still waits, was a test or is under way is not', async () => {
  const { ask, due } = await fresh(['contact.created'])
  status = 500
  await happen('contact.created')
  for (const wait of [0, seconds(30), minutes(5), minutes(30), hours(2), hours(6), hours(12)]) {
    bench.clock.forward(wait)
    await due()
  }
  await happen('contact.created')
  await due()
  status = 200
  await ask('test')
  await bench.deliver((await ask<{ webhook_id: string }>('get')).webhook_id, { test: true })
  const since = iso(later(bench.clock.now(), -days(2)))
  assert.equal((await ask<Replayed>('replay', { since, outcome: 'delivered' })).replaying, 0)
  assert.equal((await ask<Replayed>('replay', { since })).replaying, 1)
  assert.deepEqual((await ask<{ failed: [] }>('failed')).failed, [])
  bodies = []
  assert.equal(await due(), 1)
  assert.equal(bodies.length, 1)
})

test('a webhook gets no type that it did not name then, or does not name now', async () => {
  const { webhook_id, ask, due } = await fresh(['contact.created'])
  await happen('contact.updated')
  await happen('contact.created')
  while ((await due()) > 0);
  bench.clock.forward(seconds(1))
  await ask('save', { events: ['contact.created', 'contact.updated'] })
  const since = iso(later(bench.clock.now(), -hours(1)))
  const all = await ask<Replayed>('replay', {
    since,
    types: ['contact.created', 'contact.updated'],
  })
  assert.equal(all.replaying, 1, 'contact.updated was not named when it happened')
  while ((await due()) > 0);
  const [delivered] = (await ask<{ deliveries: { delivery_id: string }[] }>('deliveries'))
    .deliveries
  await ask('save', { events: ['usage.threshold'] })
  const refused = await bench.owner.refused(bench.tools.replay, {
    webhook_id,
    types: ['contact.created'],
  })
  assert.equal(refused.details.data?.['reason'], 'not_named')
  assert.deepEqual(refused.details.fix?.arguments?.['events'], [
    'usage.threshold',
    'contact.created',
  ])
  const { clock, db, businessId } = bench
  const narrow = callerIn({ db, clock }, businessId, {
    scopes: ['meta:read', 'provisioning:write'],
  })
  for (const tool of [bench.tools.replay, bench.tools.retry]) {
    const beyond = await narrow.refused(tool, { delivery_id: delivered?.delivery_id })
    assert.equal(beyond.code, 'scope_required', 'who may not see contacts cannot have them sent')
  }
})

test('one call replays at most 10,000 events, in turns whose progress shows', async () => {
  const { webhook_id, ask } = await fresh(['contact.created'])
  const webhookId = parseId('webhook', webhook_id) ?? assert.fail()
  const at = bench.clock.now()
  await database.db.run(sql`
    insert into webhook_attempts (business_id, id, webhook_id, event_id, event_type, event_at,
      attempt, created_at, begun_at, ended_at, outcome, url, status)
    select ${bench.businessId}, overlay(${newId('delivery')}::text placing lpad(n::text, 12, '0') from 25)::uuid,
      ${webhookId}, overlay(${newId('event')}::text placing lpad(n::text, 12, '0') from 25)::uuid,
      'contact.created', ${at}, 1, ${at}, ${at}, ${at}, 'delivered', 'http://127.0.0.1/', 200
    from generate_series(1, ${mostReplayed + 1}) n
  `)
  bench.clock.forward(seconds(1))
  const since = iso(at)
  assert.equal(mostReplayed, 10_000)
  const first = await ask<Replayed>('replay', { since })
  assert.equal(first.replaying, mostReplayed)
  const rest = await ask<Replayed>('replay', { since, cursor: first.next_cursor })
  assert.deepEqual([rest.replaying, rest.next_cursor], [1, undefined])
  const progress = async () => {
    const { replay } = await ask<{ replay: { total: number; queued: number } }>('get')
    return [replay.queued, replay.total]
  }
  assert.deepEqual(
    await progress(),
    [1, mostReplayed + 1],
    'replays that run at once count together',
  )
  const turn = async () => {
    const lane = { kind: replayRangeJob, lane: webhookId }
    const [job] = await takeFrom(database.db, bench.clock, lane)
    return job && replayInTurns(bench, job)
  }
  await turn()
  assert.deepEqual(await progress(), [1001, mostReplayed + 1])
  while (await turn());
  assert.deepEqual(await progress(), [mostReplayed + 1, mostReplayed + 1])
  const { queued } = await database.db.one<{ queued: number }>(sql`
    select count(distinct event_id)::int as queued from webhook_attempts
    where business_id = ${bench.businessId} and webhook_id = ${webhookId} and replay_of is not null
  `)
  assert.equal(queued, mostReplayed + 1)
})

test('a key and the name of the business choose no events', async () => {
  const { webhook_id, due, ask } = await fresh(['contact.created'])
  await happen('contact.created')
  await due()
  assert.equal(bodies.length, 1)
  const { business_id } = await ask<{ business_id: string }>('get')
  const call = (key: string) => ({ business_id, idempotency_key: `${webhook_id} ${key}` })
  // Nothing was given up, and what was delivered is not sent again unless a span is named.
  assert.equal((await ask<Replayed>('replay', call('all'))).replaying, 0)
  const [line] = (await ask<{ deliveries: { delivery_id: string }[] }>('deliveries')).deliveries
  const single = { delivery_id: line?.delivery_id, ...call('one') }
  assert.equal((await bench.owner.get<Replayed>(bench.tools.replay, single)).replaying, 1)
  await due()
  assert.equal(bodies.length, 2)
})

test('a replay of many events refuses what belongs to one, and spans that end before they begin', async () => {
  const { webhook_id } = await fresh(['contact.created'])
  const refused = async (input: object) =>
    (await bench.owner.refused(bench.tools.replay, input)).details.data?.['reason']
  const delivery_id = `dlv_${'0'.repeat(26)}`
  assert.equal(await refused({ delivery_id, types: ['contact.created'] }), 'one_delivery')
  const [since, until] = ['2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z']
  assert.equal(await refused({ webhook_id, since, until }), 'until_before_since')
  assert.equal(await refused({ webhook_id, since: '2026-11-31' }), 'no_moment')
  assert.equal(await refused({ webhook_id, since, cursor: 'evt_1' }), 'list_changed')
})
