/** Webhooks from the event to the settled delivery, compared with bare POSTs by undici. */

import { setTimeout as sleep } from 'node:timers/promises'
import { emitAll, type NewEvent } from '../../server/src/events/emit.ts'
import { eventSamples } from '../../server/src/events/samples.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { systemClock } from '../../server/src/lib/time/clock.ts'
import { type DeliveryTestbed, deliveryTestbed } from '../../tests/support/businesses/deliveries.ts'
import { atLeast, atMost, type Bench, median, number } from '../support/bench.ts'
import { startRival } from '../support/rival.ts'
import { sizes } from '../support/sizes.ts'
import { openTestbed } from '../support/testbed.ts'
import { placeOf } from '../writes/support/place.ts'
import { alternate } from '../writes/support/rounds.ts'
import { barePosts } from './bare-posts.ts'
import { addRetries, claimMs } from './waiting.ts'
import { startWebhookWorker } from './worker-process.ts'

const { rounds, seconds, fannedOut, retries } = sizes.webhooks
const subscriptions = 16
const inFlight = 64
/**
 * Events of a round, each delivered to all subscriptions. At the target rate they last for two
 * seconds. With the earlier third of them, most of a round was its beginning and end.
 */
const perRound = sizes.webhooks.events
/** Polling more often would take processor time from the measured work. */
const lookMs = 20
const listeners = 3
const type = 'contact.created'

export const webhooks: Bench = {
  name: 'webhooks',
  title: 'Webhooks, from the event to the settled delivery',
  method: `${perRound} events at a time to ${subscriptions} subscriptions and one trivial receiver, ${inFlight} in flight: written, fanned out, claimed, signed, sent, logged and settled. The events are written while the first of them go out, in the same time and on the same cores. Beside it undici alone, POSTing the same bytes to the same receiver over ${inFlight} connections. ${rounds} alternating rounds; the ratio is taken within each, and the median is shown. Then ${number(fannedOut)} events are fanned out to ${listeners} paused subscriptions. Then one job is claimed from a lane in which retries wait for their time.`,

  async run(tell) {
    const testbed = await openTestbed({}, 'api')
    const receiver = await startRival('webhook-receiver.ts')
    const place = await placeOf(testbed.dataDir)
    const { db } = testbed
    try {
      const worker = await startWebhookWorker(place)
      const business = await subscribed(db, receiver.port, subscriptions)
      await worker.go()
      const all = await alternate(
        {
          crier: () => worker.during(deliver(db, business)),
          undici: (within) => barePosts({ port: receiver.port, inFlight, ...sample() }, within),
        },
        { rounds, seconds, tell },
      )
      const megabytes = await worker.memory()
      await worker.end()
      const perSecond = await fanOut(db, { place, port: receiver.port })
      tell(`${number(perSecond)} events a second fanned out`)
      await addRetries(db, retries.few)
      await claimMs(db)
      const few = await claimMs(db)
      await addRetries(db, retries.many - retries.few)
      const many = await claimMs(db)
      tell(
        `a claim takes ${number(few)} ms, ${number(many)} ms with ${number(retries.many)} waiting`,
      )
      const rate = (name: 'crier' | 'undici') => median(all.map((round) => round[name]))
      return [
        atLeast('share of bare POSTs', median(all.map((r) => r.crier / r.undici)), 0.25),
        { name: 'deliveries a second', value: number(rate('crier')) },
        { name: 'bare POSTs a second, undici', value: number(rate('undici')) },
        {
          name: `events a second fanned out to ${listeners} subscriptions`,
          value: number(perSecond),
        },
        atMost(
          `a claim with ${number(retries.many)} retries waiting, of one with ${number(retries.few)}`,
          many / few,
          2,
          ' times',
        ),
        {
          name: `a claim with ${number(retries.few)}, with ${number(retries.many)}`,
          value: `${number(few)} ms, ${number(many)} ms`,
        },
        { name: 'memory of the process that delivers', value: `${number(megabytes)} MB` },
      ]
    } finally {
      await receiver.stop()
      await testbed.close()
    }
  },
}

async function subscribed(db: Database, port: number, n: number): Promise<DeliveryTestbed> {
  const business = await deliveryTestbed(db, systemClock)
  for (let i = 0; i < n; i++) await business.subscribe(`http://127.0.0.1:${port}/`, [type])
  return business
}

/** Deliveries per second, from the first event's transaction to the last settle. */
async function deliver(db: Database, { businessId }: DeliveryTestbed): Promise<number> {
  const began = performance.now()
  await emit(db, businessId, perRound)
  await emptied(db, ['event.fanout', 'webhook.deliver'])
  return (perRound * subscriptions * 1000) / (performance.now() - began)
}

/** Writes events as the transactions of batched calls do. */
async function emit(db: Database, businessId: DeliveryTestbed['businessId'], n: number) {
  const perFlush = 100
  const event = { businessId, type, data: eventSamples[type] } as NewEvent
  for (let at = 0; at < n; at += perFlush) {
    const events = Array.from({ length: Math.min(perFlush, n - at) }, () => event)
    await db.tx((tx) => emitAll(tx, events, systemClock.now()))
  }
}

/** Events per second. They exist before the worker starts, and their deliveries are paused. */
async function fanOut(
  db: Database,
  { place, port }: { place: Parameters<typeof startWebhookWorker>[0]; port: number },
): Promise<number> {
  const business = await subscribed(db, port, listeners)
  const { webhooks } = await business.owner.get<{ webhooks: { webhook_id: string }[] }>(
    business.tools.list,
  )
  for (const { webhook_id } of webhooks) {
    await business.owner.get(business.tools.save, { webhook_id, status: 'paused' })
  }
  await emit(db, business.businessId, fannedOut)
  const worker = await startWebhookWorker(place)
  const began = performance.now()
  await worker.go()
  await worker.during(emptied(db, ['event.fanout']))
  const took = performance.now() - began
  await worker.end()
  const { n } = await db.one<{ n: number }>(
    sql`
      select coalesce(sum(coalesce(json_array_length(payload->'events'), 1)), 0) as n
      from jobs where kind = 'webhook.deliver'
    `,
  )
  if (n !== fannedOut * listeners) throw new Error(`${n} deliveries were queued`)
  await db.run(sql`delete from jobs where kind = 'webhook.deliver'`)
  return (fannedOut * 1000) / took
}

/** Counts lane by lane with the index: reading the table would cost more than the deliveries. */
async function emptied(db: Database, kinds: string[]): Promise<void> {
  for (;;) {
    const row = await db.maybe(sql`
      select 1 from lanes cross join lateral (
        select 1 from jobs where shard = lanes.shard and lane = lanes.id and parked_at is null limit 1
      ) job
      where kind = any(${kinds}::text[])
      limit 1
    `)
    if (!row) return
    await sleep(lookMs)
  }
}

function sample() {
  const body = JSON.stringify({
    id: 'evt_01k9v2d4qz6ysk1p5tg8e9nb3m',
    type,
    created_at: '2026-11-24T06:40:00.000Z',
    business_id: 'bus_01k9v2c0fx3qmt8zr5w7yj6nhd',
    data: eventSamples[type],
  })
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Crier-Webhooks/1',
      'x-svc-event': type,
      'x-svc-delivery': 'dlv_01k9v2e7h0r4wx5yc6zq8dts1k',
      'x-svc-timestamp': '1795500000',
      'x-svc-signature': `t=1795500000,v1=${'0'.repeat(64)}`,
    },
  }
}
