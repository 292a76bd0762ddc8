import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bench, deliveryBench } from '../../../../tests/support/businesses/deliveries.ts'
import { takeFrom } from '../../../../tests/support/jobs/jobs.ts'
import { httpServer, type RemoteServer } from '../../../../tests/support/network/remote-server.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { settle } from '../../lib/jobs/claim.ts'
import { days, hours, later, minutes, seconds } from '../../lib/time/clock.ts'
import { failingJob, quietMs, tellNow, tellOfFailing } from './failing.ts'
import { retryDelays } from './schedule.ts'

let database: TestDatabase
let bench: Bench
let receiver: RemoteServer
let status = 200
/** What came at the path that always answers. */
let otherEvents: { type: string; data: Record<string, unknown> }[] = []
before(async () => {
  database = await testDatabase()
  bench = await deliveryBench(database.db)
  receiver = await httpServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      const isOther = request.url === '/other'
      if (isOther) otherEvents.push(JSON.parse(body))
      response.writeHead(isOther ? 204 : status).end()
    })
  })
})
after(async () => {
  await receiver.close()
  await bench.close()
  await database.drop()
})

async function scene() {
  status = 200
  otherEvents = []
  bench.clock.forward(seconds(1))
  const url = `http://127.0.0.1:${receiver.port}`
  const events = ['contact.created', 'webhook.failing'] as const
  const other = await bench.subscribe(`${url}/other`, ['webhook.failing'])
  const { webhook_id } = await bench.subscribe(`${url}/failing`, events)
  const webhookId = parseId('webhook', webhook_id) ?? assert.fail()
  return {
    webhook_id,
    webhookId,
    key: { businessId: bench.businessId, webhookId },
    async happen() {
      await bench.emit('contact.created')
      await bench.fanOut()
    },
    async attempts(...waits: number[]) {
      for (const wait of waits) {
        bench.clock.forward(wait)
        await bench.deliver(webhook_id)
      }
    },
    /** Runs the looks that are due, and returns what the other webhook was told in all. */
    async look() {
      const { db, clock } = bench
      const jobs = await takeFrom(db, clock, { kind: failingJob, lane: webhookId })
      for (const job of jobs) {
        const outcome = await tellOfFailing(bench, job)
        assert.ok(outcome.outcome === 'done' || outcome.outcome === 'again')
        await settle(db, [{ job, outcome }], clock.now())
      }
      await bench.fanOut()
      await bench.deliver(other.webhook_id)
      return otherEvents.map(({ data }) => [data['reason'], data['status']])
    },
    mails: notices,
  }
}

async function notices(): Promise<number> {
  const { count } = await database.db.one<{ count: number }>(sql`
    select count(*)::int as count from jobs
    where kind = 'owners.notice' and payload ->> 'kind' = 'failing'
  `)
  return count
}

test('a receiver that fails for an hour is told of once, with the time of its first failure', async () => {
  const { webhook_id, happen, attempts, look, mails } = await scene()
  const before = await mails()
  status = 503
  await happen()
  const firstFailedAt = bench.clock.now()
  await attempts(0, seconds(30), minutes(5))
  bench.clock.forward(quietMs - seconds(30) - minutes(5) - 1)
  assert.deepEqual(await look(), [], 'a millisecond before the hour is over')
  bench.clock.forward(1)
  assert.deepEqual(await look(), [['hour', 503]])
  const [{ data } = assert.fail()] = otherEvents
  assert.deepEqual(data, {
    webhook_id,
    host: `127.0.0.1:${receiver.port}`,
    failing_since: firstFailedAt.toISOString(),
    reason: 'hour',
    status: 503,
    error: 'The receiver answered 503. Anything but 2xx counts as a failure.',
  })
  assert.equal((await mails()) - before, 1)
  await attempts(...retryDelays.slice(2))
  const failed = await bench.owner.get<{ failed: [] }>(bench.tools.failed, { webhook_id })
  assert.equal(failed.failed.length, 1)
  assert.equal((await look()).length, 1, 'its dead letter tells nothing new')
  assert.equal((await mails()) - before, 1)
  const itself = await bench.owner.get<{ deliveries: { type: string }[] }>(bench.tools.deliveries, {
    webhook_id,
  })
  assert.ok(itself.deliveries.every(({ type }) => type === 'contact.created'))

  status = 200
  await happen()
  await attempts(0)
  status = 500
  await happen()
  await attempts(0, seconds(30), minutes(5), minutes(30), hours(2))
  assert.deepEqual(await look(), [
    ['hour', 503],
    ['hour', 500],
  ])
  assert.equal((await mails()) - before, 2, 'it is another time that it fails')
})

test('a receiver that answers again within the hour is not told of', async () => {
  const { happen, attempts, look } = await scene()
  status = 500
  await happen()
  await attempts(0, seconds(30), minutes(5))
  status = 200
  await attempts(minutes(30))
  bench.clock.forward(days(1))
  assert.deepEqual(await look(), [])
})

test('an event that is given up is told of at once, and at most once a day where others arrive', async () => {
  const { key, look, mails } = await scene()
  const before = await mails()
  const giveUp = () => database.db.tx((tx) => tellNow(tx, key, bench.clock.now()))
  await giveUp()
  assert.equal((await look()).length, 1)
  bench.clock.forward(days(1))
  await giveUp()
  assert.equal((await look()).length, 1, 'the day is not over')
  bench.clock.forward(1)
  await Promise.all([giveUp(), giveUp()])
  assert.equal((await look()).length, 2)
  assert.equal((await mails()) - before, 2)
  assert.equal(otherEvents[1]?.data['failing_since'], later(bench.clock.now(), 0).toISOString())
})
