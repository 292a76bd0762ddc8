/**
 * Receivers that hang, drip, redirect, never end, disconnect, rebind their name or have twenty
 * thousand deliveries waiting, all at once beside one that answers: it waits for none of them, and
 * none causes a request to a forbidden address.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { newId, parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { enqueue } from 'crier-server/lib/jobs/job.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import { jobOf } from 'crier-server/webhooks/model/delivery.ts'
import { type DeliveryTestbed, deliveryTestbed } from '../support/businesses/deliveries.ts'
import type { RemoteServer } from '../support/network/remote-server.ts'
import { type TestDatabase, testDatabase } from '../support/postgres/database.ts'
import { at, events, latenciesIn } from './healthy-receiver.ts'
import {
  answers,
  drips,
  dripsItsBody,
  hangs,
  hangsUp,
  neverEnds,
  redirects,
  theirAddress,
} from './hostile-receivers.ts'

const waiting = 20_000
/**
 * The delay that bad receivers may cause: a second, and part of the machine's own delay at that
 * moment, because their work waits for it too (3.6 times, with 18 processes for 2 cores). A slot
 * that one of them blocks is blocked for its timeout, which was 18 times.
 */
const delay = { most: 1_000, share: 4 }

let database: TestDatabase
let testbed: DeliveryTestbed
const open: { close(): Promise<void> }[] = []
/** The address to which the name currently resolves. */
let rebound = theirAddress

before(async () => {
  database = await testDatabase()
  testbed = await deliveryTestbed(database.db, systemClock, {
    allow: [`${theirAddress}/32:*`],
    resolve: async (name) => [name === 'rebinds.example' ? rebound : theirAddress],
  })
})
after(async () => {
  await Promise.all(open.map((entry) => entry.close()))
  await testbed.close()
  await database.drop()
})

async function far(end: Promise<RemoteServer>): Promise<RemoteServer> {
  const started = await end
  open.push(started)
  return started
}

const subscribe = (name: string, { port }: RemoteServer) =>
  testbed.subscribe(`http://${name}.example:${port}/`, ['contact.updated'])

/** Queues deliveries of a past event, all of them due. */
async function pile(webhook_id: string): Promise<void> {
  const webhookId = parseId('webhook', webhook_id) ?? assert.fail()
  const { businessId } = testbed
  const now = systemClock.now()
  for (let i = 0; i < waiting; i += 1_000) {
    const jobs = Array.from({ length: 1_000 }, () => {
      const eventId = newId('event')
      return jobOf({ businessId, webhookId, eventId, eventAt: now, type: 'contact.updated' })
    })
    await database.db.tx((tx) => enqueue(tx, jobs, now))
  }
  // The events' contents, which do not matter to any receiver here.
  await database.db.run(sql`
    insert into events (business_id, id, type, body, created_at)
    select ${businessId}, (payload->'event'->>0)::uuid, 'contact.updated', '{}', ${now}
    from jobs where kind = 'webhook.deliver'
  `)
}

/** The same without the bad receivers, at the same time, since a busy machine slows both. */
async function undisturbed(): Promise<() => Promise<number[]>> {
  const thread = new Worker(new URL('./undisturbed.ts', import.meta.url))
  await once(thread, 'message')
  return async () => {
    // Waits for both at once, because the last message may arrive in the same turn as the exit.
    const over = Promise.all([once(thread, 'message'), once(thread, 'exit')])
    thread.postMessage('go')
    const [[latencies]] = await over
    return latencies as number[]
  }
}

test('hostile receivers of every kind delay a good receiver by less than a second', async (t) => {
  const inside: string[] = []
  const elsewhere = await far(answers((body) => inside.push(body), '127.0.0.1'))
  const bad = {
    hangs: await far(hangs()),
    drips: await far(drips()),
    'drips-its-body': await far(dripsItsBody()),
    redirects: await far(redirects(`http://127.0.0.1:${elsewhere.port}/`)),
    'never-ends': await far(neverEnds()),
    'hangs-up': await far(hangsUp()),
    piles: await far(hangs()),
  }
  const hooks = new Map<string, string>()
  for (const [name, end] of Object.entries(bad)) {
    hooks.set(name, (await subscribe(name, end)).webhook_id)
  }
  // The name led to an allowed host when it was registered.
  hooks.set('rebinds', (await subscribe('rebinds', elsewhere)).webhook_id)
  rebound = '127.0.0.1'
  await pile(hooks.get('piles') ?? assert.fail())

  const alone = await undisturbed()
  const [latencies, baseline] = await Promise.all([latenciesIn(testbed), alone()])

  assert.equal(latencies.length, events, 'all that was meant for it came')
  assert.equal(baseline.length, events)
  const told = [latencies, baseline].map((all) =>
    [0.5, 0.99, 1].map((share) => at(all, share)).join(', '),
  )
  t.diagnostic(`the healthy receiver, p50, p99, most: ${told.join(' ms; alone: ')} ms`)
  const limit = delay.most + delay.share * at(baseline, 0.99)
  assert.ok(at(latencies, 0.99) <= limit, `p99 was ${at(latencies, 0.99)} of ${limit} ms`)
  assert.deepEqual(inside, [], 'neither a redirect nor another meaning of a name leads inside')

  const seen = await database.db.all<{ id: string; outcome: string; why: string | null }>(sql`
    select webhook_id as id, outcome, failure as why from webhook_attempts
    where outcome is not null group by webhook_id, outcome, failure
  `)
  const outcomes = Object.fromEntries(
    [...hooks].map(([name, id]) => [
      name,
      seen
        .filter((row) => row.id === parseId('webhook', id))
        .map(({ outcome, why }) => why ?? outcome),
    ]),
  )
  assert.deepEqual(outcomes, {
    hangs: ['timeout'],
    drips: ['timeout'],
    'drips-its-body': ['delivered'],
    redirects: ['redirect'],
    'never-ends': ['delivered'],
    'hangs-up': ['connection'],
    piles: ['timeout'],
    rebinds: ['forbidden'],
  })
})
