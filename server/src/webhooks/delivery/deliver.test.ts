import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bench, deliveryBench } from '../../../../tests/support/businesses/deliveries.ts'
import { callerIn } from '../../../../tests/support/clients/calls.ts'
import { takeFrom } from '../../../../tests/support/jobs/jobs.ts'
import { httpServer, type RemoteServer } from '../../../../tests/support/network/remote-server.ts'
import { verifyStandard } from '../../../../tests/support/network/standard-webhooks.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { newId, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { placeOf } from '../../lib/jobs/job.ts'
import { days, hours, minutes, seconds } from '../../lib/time/clock.ts'
import { laneOf } from '../model/delivery.ts'
import { createKeyring } from '../model/secrets.ts'
import { beginAll } from './begin.ts'
import { replayDead, replayDeadJob } from './replay-dead.ts'

let database: TestDatabase
let bench: Bench
let receiver: RemoteServer
/** The receiver's status, and the bodies that it got. */
let status = 200
let bodies: { id: string; type: string }[] = []
/** The last request as it came. */
let last: { body: string; headers: object } = { body: '', headers: {} }
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
      last = { body, headers: request.headers }
      response.writeHead(status).end(`said ${status} \0 ${'x'.repeat(2000)}`)
    })
  })
})
after(async () => {
  await receiver.close()
  await bench.close()
  await database.drop()
})

async function fresh(events = ['contact.created' as const]) {
  status = 200
  bodies = []
  const { webhook_id } = await bench.subscribe(`http://127.0.0.1:${receiver.port}/`, events)
  const ask = <T>(tool: keyof Bench['tools'], more: object = {}) =>
    bench.owner.get<T>(bench.tools[tool], { webhook_id, ...more })
  return { webhook_id, ask, due: (perTurn = 8) => bench.deliver(webhook_id, { perTurn }) }
}

async function happen(type: 'contact.created' | 'contact.updated' = 'contact.created') {
  await bench.emit(type)
  await bench.fanOut()
}

interface Attempt {
  delivery_id: string
  event_id: string
  state: string
  attempt: number
  cause?: string
  response_status?: number
  duration_ms?: number
  next_attempt_at?: string
  error?: { code: string }
  request?: { url: string; headers: Record<string, string>; untrusted: { body?: string } }
  response?: { status: number; untrusted: { body: string } }
}

interface Log {
  deliveries: Attempt[]
}

const laneOfWebhook = (text: string) =>
  laneOf({
    businessId: bench.businessId,
    webhookId: parseId('webhook', text) ?? assert.fail(),
  })

test('an event goes to webhooks that subscribed to its type before it happened', async () => {
  await happen()
  bench.clock.forward(seconds(1))
  const { due } = await fresh()
  assert.equal(await due(), 0, 'what happened before is not sent')
  await happen('contact.updated')
  assert.equal(await due(), 0, 'nor is another type')
  await happen()
  assert.equal(await due(), 1)
  assert.deepEqual(
    bodies.map(({ type }) => type),
    ['contact.created'],
  )
})

test('the libraries of Standard Webhooks and Svix verify deliveries, during a rotation with both secrets', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: bench.clock.now() })
  bodies = []
  status = 200
  const made = await bench.subscribe(`http://127.0.0.1:${receiver.port}/`, ['contact.created'])
  const { webhook_id } = made
  await happen()
  await bench.deliver(webhook_id)
  const event = verifyStandard(made.signing_secret, last.body, last.headers)
  assert.deepEqual(event, JSON.parse(last.body))
  assert.equal((last.headers as Record<string, string>)['webhook-id'], bodies[0]?.id)
  const rotated = await bench.owner.get<{ signing_secret: string }>(bench.tools.rotate, {
    webhook_id,
    grace_period_seconds: 3600,
  })
  await happen()
  await bench.deliver(webhook_id)
  for (const secret of [made.signing_secret, rotated.signing_secret]) {
    verifyStandard(secret, last.body, last.headers)
  }
  assert.throws(() => verifyStandard(made.signing_secret, `${last.body} `, last.headers))
})

test('a secret from before secrets were Base64 signs the contract’s header alone', () => {
  const keyOf = createKeyring({ seal: (_context, text) => text, open: (_context, text) => text })
  const webhookId = newId('webhook')
  const decodedOf = (secret: string) => {
    const key = keyOf({ webhookId, version: 1, sealed: Buffer.from(secret) })
    return key.decoded?.export().toString('hex')
  }
  assert.equal(decodedOf(`whsec_${'a-_'.repeat(14)}A`), undefined)
  assert.equal(decodedOf(`whsec_${'abc'.repeat(14)}A`), undefined)
  assert.equal(decodedOf('whsec_AAEC'), '000102')
})

test('a paused webhook gets the events of the pause once it is resumed', async () => {
  const { ask, due } = await fresh()
  await ask('save', { status: 'paused' })
  await happen()
  await happen()
  bench.clock.forward(hours(30))
  assert.equal(await due(), 0)
  await ask('save', { status: 'active' })
  assert.equal(await due(), 2)
  assert.equal(bodies.length, 2)
})

test('a delivery claimed as its connection ends is held and sent once another connection takes over', async (t) => {
  const { webhook_id, due } = await fresh()
  const { connection } = await database.db.one<{ connection: string }>(sql`
    select holder_id as connection from webhooks where id = ${parseId('webhook', webhook_id)}
  `)
  await happen()
  bench.rights.ended.add(connection)
  t.after(() => bench.rights.ended.delete(connection))
  assert.equal(await due(), 1, 'claimed, and given back')
  assert.deepEqual(bodies, [])
  assert.equal(await due(), 0, 'its lane is paused')
  assert.deepEqual(await bench.deliver(webhook_id, { test: true }), 0)
  const { clock, db, businessId } = bench
  const other = callerIn({ db, clock }, businessId)
  const seen = await other.get<{ status: string; paused_because: string }>(bench.tools.get, {
    webhook_id,
  })
  assert.deepEqual([seen.status, seen.paused_because], ['paused', 'connection_ended'])
  const { deliveries } = await other.get<Log>(bench.tools.deliveries, { webhook_id })
  assert.deepEqual(deliveries, [], 'nothing was attempted')
  await other.get(bench.tools.save, { webhook_id, status: 'active' })
  assert.equal(await due(), 1)
  assert.equal(bodies.length, 1)
})

test('deliveries that wait for a deleted webhook are dropped', async () => {
  const { ask, due } = await fresh()
  await happen()
  await ask('delete')
  assert.equal(await due(), 1)
  assert.deepEqual(bodies, [])
  bench.clock.forward(days(1))
  assert.equal(await due(), 0)
})

test('the delivery log shows requests and responses to callers who may see the data', async () => {
  const { webhook_id, ask, due } = await fresh()
  status = 500
  await happen()
  await due()
  const [line] = (await ask<Log>('deliveries')).deliveries
  assert.ok(line)
  assert.deepEqual(
    [line.state, line.attempt, line.response_status, line.error?.code, line.request],
    ['failed', 1, 500, 'internal', undefined],
  )
  assert.equal(line.next_attempt_at, new Date(bench.clock.now().getTime() + 30_000).toISOString())
  const { delivery_id } = line
  const [whole] = (await bench.owner.get<Log>(bench.tools.deliveries, { delivery_id })).deliveries
  assert.equal(whole?.request?.headers['x-svc-delivery'], delivery_id)
  assert.match(whole?.request?.headers['x-svc-signature'] ?? '', /^t=\d+,v1=[0-9a-f]{64}$/)
  assert.deepEqual(JSON.parse(whole?.request?.untrusted.body ?? ''), bodies[0])
  assert.equal(whole?.response?.untrusted.body.length, 1024)
  assert.match(whole?.response?.untrusted.body ?? '', /^said 500 \uFFFD x/)

  const { clock, db, businessId } = bench
  const scopes = ['meta:read', 'provisioning:write'] as const
  const narrow = callerIn({ db, clock }, businessId, { scopes })
  const [hidden] = (await narrow.get<Log>(bench.tools.deliveries, { delivery_id })).deliveries
  assert.equal(hidden?.request?.untrusted.body, undefined, 'contacts are not for provisioning')
  const none = await narrow.get<Log>(bench.tools.deliveries, { webhook_id, outcome: 'delivered' })
  assert.deepEqual(none.deliveries, [])
})

test('an attempt whose worker died is shown as interrupted and repeated under another id', async () => {
  const { webhook_id, ask, due } = await fresh()
  const lane = laneOfWebhook(webhook_id)
  await happen()
  // Like a worker that dies before it sends: the attempt exists, and its job is still leased.
  const [job] = await takeFrom(database.db, bench.clock, lane)
  assert.ok(job)
  await beginAll({ db: database.db, clock: bench.clock, rights: bench.rights }, [job])
  bench.clock.forward(seconds(16))
  assert.equal(await due(), 1)
  const { deliveries } = await ask<Log>('deliveries')
  assert.deepEqual(
    deliveries.map(({ state, attempt }) => [state, attempt]),
    [
      ['delivered', 1],
      ['interrupted', 1],
    ],
  )
})

test('a test delivery is sent once, also to a paused webhook, and is not an event of the business', async () => {
  const { webhook_id, ask } = await fresh()
  await ask('save', { status: 'paused' })
  status = 503
  const sent = await ask<{ delivery_id: string; event_id: string }>('test', {
    type: 'domain.verified',
  })
  assert.equal(await bench.deliver(webhook_id, { test: true }), 1)
  assert.deepEqual(
    bodies.map(({ id, type }) => [id, type]),
    [[sent.event_id, 'domain.verified']],
  )
  const { delivery_id } = sent
  const [attempt] = (await bench.owner.get<Log>(bench.tools.deliveries, { delivery_id })).deliveries
  assert.deepEqual([attempt?.state, attempt?.next_attempt_at], ['failed', undefined])
  bench.clock.forward(days(2))
  assert.equal(await bench.deliver(webhook_id, { test: true }), 0)
  assert.deepEqual((await ask<{ failed: [] }>('failed')).failed, [])
  const strange = await bench.owner.refused(bench.tools.test, { webhook_id, type: 'no.such' })
  assert.equal(strange.details.field, 'type')
})

test('one call replays all dead letters', async () => {
  const { webhook_id, ask, due } = await fresh()
  status = 410
  for (let i = 0; i < 5; i++) await happen()
  for (const wait of [0, seconds(30), minutes(5), minutes(30), hours(2), hours(6), hours(12)]) {
    bench.clock.forward(wait)
    // While it fails, fewer and fewer are sent at once.
    while ((await due()) > 0);
  }
  const page = await ask<{ failed: { last_error: { code: string } }[]; next_cursor: string }>(
    'failed',
    { limit: 2 },
  )
  assert.deepEqual([page.failed.length, page.failed[0]?.last_error.code], [2, 'gone'])
  const rest = await ask<{ failed: [] }>('failed', { cursor: page.next_cursor })
  assert.equal(rest.failed.length, 3)

  status = 200
  bodies = []
  assert.equal((await ask<{ replaying: number }>('replay')).replaying, 5)
  const [job] = await takeFrom(database.db, bench.clock, {
    kind: replayDeadJob,
    lane: parseId('webhook', webhook_id) ?? '',
  })
  assert.ok(job)
  await replayDead(bench, job)
  while ((await due()) > 0);
  assert.equal(bodies.length, 5)
  assert.equal(new Set(bodies.map(({ id }) => id)).size, 5)
  assert.deepEqual((await ask<{ failed: [] }>('failed')).failed, [])
  assert.equal((await ask<{ replaying: number }>('replay')).replaying, 0)
})

test('an event that has been deleted is not replayed', async () => {
  const { ask, due } = await fresh()
  await happen()
  await due()
  const [line] = (await ask<Log>('deliveries')).deliveries
  await database.db.run(
    sql`delete from events where id = ${parseId('event', line?.event_id ?? '')}`,
  )
  const refused = await bench.owner.refused(bench.tools.replay, { delivery_id: line?.delivery_id })
  assert.equal(refused.code, 'gone')
})

test('a failing receiver gets fewer deliveries at once, and all again when it answers', async () => {
  const { webhook_id, ask, due } = await fresh()
  const { laneId } = placeOf(laneOfWebhook(webhook_id))
  const pace = async () => {
    const seen = await ask<{ failing_since?: string }>('get')
    const row = await database.db.one<{ capacity: number | null; priority: number }>(sql`
      select capacity, priority from lanes where id = ${laneId}
    `)
    return [row.capacity, row.priority, seen.failing_since !== undefined]
  }
  status = 500
  await happen()
  const firstFailedAt = bench.clock.now()
  const seen = []
  for (const wait of [0, seconds(30), minutes(5)]) {
    bench.clock.forward(wait)
    await due()
    seen.push(await pace())
  }
  assert.deepEqual(seen, [
    [4, 1, false],
    [2, 1, false],
    [1, 2, true],
  ])
  const { failing_since } = await ask<{ failing_since: string }>('get')
  assert.equal(failing_since, firstFailedAt.toISOString())
  status = 200
  bench.clock.forward(minutes(30))
  await due()
  assert.deepEqual(await pace(), [2, 1, false])
  await happen()
  await due()
  await happen()
  await due()
  assert.deepEqual(await pace(), [null, 1, false])
})

const attemptsOf = ({ deliveries }: Log) =>
  deliveries.map(({ state, attempt, cause }) => [state, attempt, cause]).reverse()

test('an extra attempt changes neither the count nor the schedule, and a success settles the delivery', async () => {
  const { ask, due } = await fresh()
  status = 500
  await happen()
  await due()
  bench.clock.forward(seconds(30))
  await due()
  const [failed] = (await ask<Log>('deliveries')).deliveries
  assert.ok(failed?.next_attempt_at)
  const retry = () =>
    bench.owner.get<{ delivery_id: string; next_attempt_at: string }>(bench.tools.retry, {
      delivery_id: failed.delivery_id,
    })
  bench.clock.forward(seconds(10))
  const extra = await retry()
  assert.equal(extra.next_attempt_at, failed.next_attempt_at)
  const again = await bench.owner.refused(bench.tools.retry, { delivery_id: failed.delivery_id })
  assert.equal(again.details.data?.['reason'], 'attempt_under_way', 'two at once make one attempt')
  assert.equal(await due(), 1)
  assert.equal(bodies.length, 3)
  const [line] = (await ask<Log>('deliveries')).deliveries
  assert.deepEqual(
    [line?.delivery_id, line?.next_attempt_at],
    [extra.delivery_id, failed.next_attempt_at],
  )
  bench.clock.forward(minutes(5) - seconds(10) - 1)
  assert.equal(await due(), 0, 'the third attempt of the schedule keeps its time')
  bench.clock.forward(1)
  assert.equal(await due(), 1)
  const scheduled = [
    ['failed', 1, undefined],
    ['failed', 2, undefined],
    ['failed', 2, 'retry'],
    ['failed', 3, undefined],
  ]
  assert.deepEqual(attemptsOf(await ask<Log>('deliveries')), scheduled)
  status = 200
  await retry()
  assert.equal(await due(), 1)
  const all = attemptsOf(await ask<Log>('deliveries'))
  assert.deepEqual(all, [...scheduled, ['delivered', 3, 'retry']])
  bench.clock.forward(days(2))
  assert.equal(await due(), 0, 'it is settled')
  const over = await bench.owner.refused(bench.tools.retry, { delivery_id: failed.delivery_id })
  assert.equal(over.details.data?.['reason'], 'delivery_over')
})

test('two callers at once get one extra attempt, and none beside an attempt of the schedule', async () => {
  const { webhook_id, ask, due } = await fresh()
  status = 500
  await happen()
  await due()
  const [failed] = (await ask<Log>('deliveries')).deliveries
  const delivery_id = failed?.delivery_id ?? ''
  const retries = await Promise.allSettled(
    [1, 2, 3].map(() => bench.owner.get(bench.tools.retry, { delivery_id })),
  )
  assert.equal(retries.filter((answer) => answer.status === 'fulfilled').length, 1)
  assert.equal(await due(), 1)
  assert.equal(bodies.length, 2)
  bench.clock.forward(seconds(30))
  const lane = laneOfWebhook(webhook_id)
  const [job] = await takeFrom(database.db, bench.clock, lane)
  assert.ok(job)
  const refused = await bench.owner.refused(bench.tools.retry, { delivery_id })
  assert.equal(refused.details.data?.['reason'], 'attempt_under_way')
})

test('an extra attempt comes before what waits in its lane, and a paused webhook has none', async () => {
  const { ask, due } = await fresh()
  status = 500
  await happen()
  await due()
  bench.clock.forward(seconds(10))
  for (let i = 0; i < 3; i++) await happen()
  const [failed] = (await ask<Log>('deliveries')).deliveries
  const delivery_id = failed?.delivery_id ?? ''
  await ask('save', { status: 'paused' })
  const refused = await bench.owner.refused(bench.tools.retry, { delivery_id })
  assert.equal(refused.details.data?.['reason'], 'webhook_paused')
  await ask('save', { status: 'active' })
  await bench.owner.get(bench.tools.retry, { delivery_id })
  bodies = []
  assert.equal(await due(1), 1)
  assert.deepEqual(
    bodies.map(({ id }) => id),
    [failed?.event_id],
  )
})

test('an extra attempt whose worker died is made again and still changes nothing', async () => {
  const { webhook_id, ask, due } = await fresh()
  status = 500
  await happen()
  await due()
  const [failed] = (await ask<Log>('deliveries')).deliveries
  await bench.owner.get(bench.tools.retry, { delivery_id: failed?.delivery_id })
  const lane = laneOfWebhook(webhook_id)
  const [job] = await takeFrom(database.db, bench.clock, lane)
  assert.ok(job)
  await beginAll({ db: database.db, clock: bench.clock, rights: bench.rights }, [job])
  bench.clock.forward(seconds(16))
  assert.equal(await due(), 1)
  bench.clock.forward(seconds(14))
  assert.equal(await due(), 1, 'the second attempt of the schedule')
  assert.deepEqual(attemptsOf(await ask<Log>('deliveries')), [
    ['failed', 1, undefined],
    ['interrupted', 1, 'retry'],
    ['failed', 1, 'retry'],
    ['failed', 2, undefined],
  ])
})

test('a dead letter stays one unless its extra attempt succeeds', async () => {
  const { ask, due } = await fresh()
  status = 500
  await happen()
  for (const wait of [0, seconds(30), minutes(5), minutes(30), hours(2), hours(6), hours(12)]) {
    bench.clock.forward(wait)
    await due()
  }
  const [letter] = (await ask<{ failed: Attempt[] }>('failed')).failed
  const delivery_id = letter?.delivery_id
  const extra = await bench.owner.get<object>(bench.tools.retry, { delivery_id })
  assert.ok(!('next_attempt_at' in extra))
  assert.equal(await due(), 1)
  bench.clock.forward(days(2))
  assert.equal(await due(), 0, 'one attempt')
  const after = await ask<{ failed: object[] }>('failed')
  assert.deepEqual(after.failed, [letter])
  status = 200
  await bench.owner.get(bench.tools.retry, { delivery_id })
  assert.equal(await due(), 1)
  assert.deepEqual((await ask<{ failed: [] }>('failed')).failed, [])
})
