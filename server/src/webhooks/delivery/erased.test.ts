/** Events about an erased person: nothing of them is sent any more. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bench, deliveryBench } from '../../../../tests/support/businesses/deliveries.ts'
import { httpServer, type RemoteServer } from '../../../../tests/support/network/remote-server.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { statusOf } from '../../core/errors.ts'
import { blankEventsAbout } from '../../events/blank-events.ts'
import { eventSamples } from '../../events/samples.ts'
import { hours, later, seconds } from '../../lib/time/clock.ts'

let database: TestDatabase
let bench: Bench
let receiver: RemoteServer
let status = 200
let hits = 0
before(async () => {
  database = await testDatabase()
  bench = await deliveryBench(database.db)
  receiver = await httpServer((request, response) => {
    hits++
    request.resume().on('end', () => response.writeHead(status).end())
  })
})
after(async () => {
  await receiver.close()
  await bench.close()
  await database.drop()
})

interface Log {
  deliveries: { delivery_id: string; state: string; error?: { code: string } }[]
}

/** A webhook with one attempted delivery, and the log of it. */
async function delivered(answer: number) {
  status = answer
  hits = 0
  const url = `http://127.0.0.1:${receiver.port}/`
  const { webhook_id } = await bench.subscribe(url, ['contact.created'])
  await bench.emit('contact.created')
  await bench.fanOut()
  await bench.deliver(webhook_id)
  assert.equal(hits, 1)
  const log = async () =>
    (await bench.owner.get<Log>(bench.tools.deliveries, { webhook_id })).deliveries
  return { webhook_id, log }
}

async function eraseAna() {
  const { contact_id } = eventSamples['contact.created']
  const now = bench.clock.now()
  const span = { from: later(now, -hours(1)), to: later(now, hours(1)) }
  const forgotten = { names: [contact_id], ...span }
  await database.db.tx((tx) => blankEventsAbout(tx, bench.businessId, forgotten, now))
}

test('a replay of an event about an erased person is refused with 410', async () => {
  const { log } = await delivered(200)
  await eraseAna()
  const [{ delivery_id } = {}] = await log()
  const refused = await bench.owner.refused(bench.tools.replay, { delivery_id })
  assert.deepEqual([refused.code, statusOf[refused.code]], ['erased', 410])
})

test('a retry for an erased person sends nothing and leaves no dead letter', async () => {
  const { webhook_id, log } = await delivered(500)
  await eraseAna()
  bench.clock.forward(seconds(30))
  assert.equal(await bench.deliver(webhook_id), 1)
  assert.equal(hits, 1)
  const [last] = await log()
  assert.deepEqual([last?.state, last?.error?.code], ['failed', 'erased'])
  const { failed } = await bench.owner.get<{ failed: object[] }>(bench.tools.failed, { webhook_id })
  assert.deepEqual(failed, [])
  bench.clock.forward(hours(24))
  assert.equal(await bench.deliver(webhook_id), 0)
})
