/** Many events at once: their first attempts share jobs, and nothing else changes. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { type Bench, deliveryBench } from '../../../../tests/support/businesses/deliveries.ts'
import { takeFrom } from '../../../../tests/support/jobs/jobs.ts'
import { httpServer, type RemoteServer } from '../../../../tests/support/network/remote-server.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { until } from '../../../../tests/support/time/eventually.ts'
import { parseId } from '../../core/ids.ts'
import { emitAll, type NewEvent } from '../../events/emit.ts'
import { eventSamples } from '../../events/samples.ts'
import { sql } from '../../lib/db/db.ts'
import { restMs } from '../../lib/jobs/job.ts'
import { seconds } from '../../lib/time/clock.ts'
import { laneOf } from '../model/delivery.ts'
import { beginAll } from './begin.ts'

let database: TestDatabase
let bench: Bench
let receiver: RemoteServer
/** The deliveries that the receiver got, and its answer to the nth. */
let got: { event: string; delivery: string }[] = []
let answer: (n: number) => Promise<number> | number = () => 200
before(async () => {
  database = await testDatabase()
  bench = await deliveryBench(database.db)
  receiver = await httpServer((request, response) => void receive(request, response))
})
after(async () => {
  await receiver.close()
  await bench.close()
  await database.drop()
})

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts = await request.toArray()
  const { id } = JSON.parse(Buffer.concat(parts).toString()) as { id: string }
  got.push({ event: id, delivery: String(request.headers['x-svc-delivery']) })
  response.writeHead(await answer(got.length)).end()
}

interface Log {
  deliveries: { delivery_id: string; event_id: string; state: string; next_attempt_at?: string }[]
}

/** A webhook with the deliveries of `n` simultaneous events. */
async function withEvents(n: number) {
  got = []
  answer = () => 200
  const { db, businessId, clock, owner, tools } = bench
  await db.run(sql`delete from jobs`)
  await db.run(sql`update webhooks set deleted_at = ${clock.now()} where deleted_at is null`)
  clock.forward(seconds(1))
  const { webhook_id } = await bench.subscribe(`http://127.0.0.1:${receiver.port}/`, [
    'contact.created',
  ])
  const event = { businessId, type: 'contact.created', data: eventSamples['contact.created'] }
  const events = Array.from({ length: n }, () => event as NewEvent)
  await db.tx((tx) => emitAll(tx, events, clock.now()))
  await bench.fanOut()
  const webhookId = parseId('webhook', webhook_id) ?? assert.fail()
  const lane = laneOf({ businessId, webhookId })
  return {
    webhook_id,
    lane,
    due: (perTurn = 8) => bench.deliver(webhook_id, { perTurn }),
    log: async () => {
      const { deliveries } = await owner.get<Log>(tools.deliveries, { webhook_id, limit: 100 })
      return deliveries
    },
    jobs: async () => {
      const { n } = await db.one<{ n: number }>(
        sql`select count(*) as n from jobs where kind = ${lane.kind}`,
      )
      return n
    },
  }
}

const count = <T>(all: readonly T[], is: (one: T) => boolean) => all.filter(is).length

test('up to eight events are delivered by one job each, and more are shared among about eight jobs', async () => {
  for (const [events, jobs] of [
    [1, 1],
    [8, 8],
    [16, 8],
    [20, 7],
    [64, 8],
    [100, 13],
  ] as const) {
    const hook = await withEvents(events)
    assert.equal(await hook.jobs(), jobs, `${events} events`)
  }
})

test('each delivery of a batch is sent once, with its own id and its own line in the log', async () => {
  const hook = await withEvents(20)
  while ((await hook.due()) > 0);
  assert.equal(new Set(got.map(({ event }) => event)).size, 20)
  assert.equal(got.length, 20)
  const log = await hook.log()
  assert.equal(
    count(log, ({ state }) => state === 'delivered'),
    20,
  )
  const sorted = (ids: string[]) => ids.toSorted()
  assert.deepEqual(
    sorted(log.map((line) => `${line.event_id} ${line.delivery_id}`)),
    sorted(got.map((entry) => `${entry.event} ${entry.delivery}`)),
  )
  assert.equal(await hook.jobs(), 0)
})

test('finished deliveries of a batch are recorded while a later one waits, and the rest are shown', async () => {
  const hook = await withEvents(16)
  const gate = new AbortController()
  answer = async (n) => {
    if (n === 1) await new Promise((wake) => setTimeout(wake, 40))
    if (n === 2) await once(gate.signal, 'abort')
    return 200
  }
  const delivering = hook.due(1)
  await until(() => got.length === 2, 'the second request')
  const log = await hook.log()
  assert.deepEqual(
    log.map(({ delivery_id, state }) => [delivery_id, state]),
    [
      [got[1]?.delivery, 'sending'],
      [got[0]?.delivery, 'delivered'],
    ].toSorted(([a = ''], [b = '']) => (a < b ? 1 : -1)),
  )
  const underWay = { delivery_id: got[1]?.delivery }
  const refused = await bench.owner.refused(bench.tools.replay, underWay)
  assert.equal(refused.code, 'conflict')
  const [shown] = (await bench.owner.get<Log>(bench.tools.deliveries, underWay)).deliveries
  assert.equal(shown?.state, 'sending')
  gate.abort()
  assert.equal(await delivering, 1)
  assert.equal(
    count(await hook.log(), ({ state }) => state === 'delivered'),
    2,
  )
})

test('a failure ends the batch: the failed delivery is retried on time and the others at once', async () => {
  const hook = await withEvents(24)
  answer = (n) => (n === 2 ? 500 : 200)
  assert.equal(await hook.due(1), 1)
  assert.equal(got.length, 2, 'the third was not sent to a receiver that fails')
  const failed = (await hook.log()).find(({ state }) => state === 'failed')
  assert.equal(failed?.delivery_id, got[1]?.delivery)
  const at = new Date(bench.clock.now().getTime() + 30_000).toISOString()
  assert.equal(failed?.next_attempt_at, at)
  while ((await hook.due()) > 0);
  assert.equal(got.length, 24, 'all but the failed one have come')
  bench.clock.forward(29_999)
  assert.equal(await hook.due(), 0)
  bench.clock.forward(1)
  assert.equal(await hook.due(), 1)
  assert.equal(got.at(-1)?.event, failed?.event_id)
  assert.equal(new Set(got.map(({ event }) => event)).size, 24)
  assert.deepEqual([got.length, await hook.jobs()], [25, 0])
})

test('a slowed-down receiver gets the deliveries of a batch one by one', async () => {
  const hook = await withEvents(16)
  await database.db.run(sql`update lanes set capacity = 1 where next_at <= ${bench.clock.now()}`)
  assert.equal(await hook.due(), 1)
  assert.deepEqual([got.length, await hook.jobs()], [0, 9], 'a job became two')
  while ((await hook.due()) > 0);
  assert.equal(new Set(got.map(({ event }) => event)).size, 16)
  assert.equal(got.length, 16)
})

test('when the worker of a batch dies, each delivery is shown as interrupted and is sent again', async () => {
  const hook = await withEvents(24)
  const [job] = await takeFrom(database.db, bench.clock, hook.lane, 1)
  assert.ok(job)
  const { db, clock, rights } = bench
  const [beginning] = await beginAll({ db, clock, rights }, [job])
  assert.ok(beginning?.is === 'begun')
  assert.deepEqual(
    (await hook.log()).map(({ state }) => state),
    ['sending', 'sending', 'sending'],
  )
  const shown = (await hook.log()).map(({ delivery_id }) => delivery_id)
  clock.forward(seconds(16))
  while ((await hook.due()) > 0);
  const log = await hook.log()
  const lost = log.filter(({ state }) => state === 'interrupted')
  assert.deepEqual(
    lost.map(({ delivery_id }) => delivery_id),
    shown,
    'under the ids that were shown before',
  )
  assert.equal(
    count(log, ({ state }) => state === 'delivered'),
    24,
  )
  assert.equal(new Set(got.map(({ event }) => event)).size, 24)
})

for (const events of [1, 24]) {
  test(`a worker that dies before recording another worker’s open attempts loses none of them, ${events} at once`, async () => {
    const hook = await withEvents(events)
    const { db, clock, rights } = bench
    const shown = []
    for (const begins of [true, false]) {
      const jobs = await takeFrom(db, clock, hook.lane, 8)
      if (begins) await beginAll({ db, clock, rights }, jobs)
      shown.push(...(await hook.log()).map(({ delivery_id }) => delivery_id))
      clock.forward(seconds(16))
    }
    while ((await hook.due()) > 0);
    const log = await hook.log()
    const lost = log.filter(({ state }) => state === 'interrupted')
    assert.equal(shown.length, 2 * events)
    assert.deepEqual(lost.map(({ delivery_id }) => delivery_id).sort(), shown.sort())
    assert.equal(
      count(log, ({ state }) => state === 'delivered'),
      events,
    )
  })
}

test('a delivery whose workers die repeatedly rests, and each attempt stays in the log', async () => {
  const hook = await withEvents(1)
  const { db, clock, rights } = bench
  const tries = []
  for (let i = 0; i < 5; i++) {
    const [job] = await takeFrom(db, clock, hook.lane, 1)
    assert.ok(job)
    await beginAll({ db, clock, rights }, [job])
    const [newest] = await hook.log()
    tries.unshift(newest?.delivery_id)
    clock.forward(seconds(16))
  }
  const [poison] = await takeFrom(db, clock, hook.lane, 1)
  assert.equal(poison?.poison, 'rests')
  clock.forward(seconds(16))
  const rests = await hook.log()
  assert.deepEqual(
    rests.map(({ delivery_id, state }) => [delivery_id, state]),
    tries.map((id) => [id, 'interrupted']),
  )
  clock.forward(restMs)
  assert.equal(await hook.due(), 1)
  const log = await hook.log()
  assert.deepEqual(
    log.map(({ delivery_id }) => delivery_id),
    [got[0]?.delivery, ...tries],
  )
})
