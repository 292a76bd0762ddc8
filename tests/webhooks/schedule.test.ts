/**
 * One event through all seven attempts, the dead letters and a replay, with a manual clock: the
 * time of each attempt, and the verdict of a receiver that knows only the contract's text on its
 * headers and signature.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hours, minutes, seconds } from 'crier-server/lib/time/clock.ts'
import {
  languages,
  type ReceiverProcess,
  startReceiver,
  whyMissing,
} from '../receivers/receiver-process.ts'
import { type Bench, deliveryBench, type Subscribed } from '../support/businesses/deliveries.ts'
import { type TestDatabase, testDatabase } from '../support/postgres/database.ts'
import { type RecordingProxy, recordingProxy } from './recording-proxy.ts'

/** Contract, "Delivery rules". */
const delays = [seconds(30), minutes(5), minutes(30), hours(2), hours(6), hours(12)]

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface DeadLetter {
  event_id: string
  type: string
  delivery_id: string
  attempts: number
  last_error: { code: string; error: string; message: string }
  failed_at: string
}

for (const language of languages) {
  describe(`retries as seen by a receiver in ${language.name}`, {
    skip: whyMissing(language),
  }, () => {
    let bench: Bench
    let receiver: ReceiverProcess
    let proxy: RecordingProxy
    let hook: Subscribed

    before(async () => {
      bench = await deliveryBench(database.db)
      hook = await bench.subscribe('http://receiver.example/', ['form.submitted'])
      receiver = await startReceiver(language, hook.signing_secret)
      proxy = await recordingProxy(receiver.url)
      const moved = { webhook_id: hook.webhook_id, url: proxy.url }
      await bench.owner.get(bench.tools.save, moved)
    })
    after(async () => {
      await proxy.close()
      await receiver.stop()
      await bench.close()
    })

    /** Makes one due attempt, answered with this status; the receiver must find it valid. */
    async function attempt(status: number) {
      await receiver.set({ now: bench.clock.now(), status })
      assert.equal(await bench.deliver(hook.webhook_id), 1, 'one attempt is due')
      const verdict = await receiver.verdict()
      const request = proxy.requests.at(-1) ?? assert.fail('nothing was sent')
      assert.equal(verdict.refused, undefined)
      assert.equal(verdict.signatures, 1)
      const { headers } = request
      assert.equal(verdict.delivery, headers['x-svc-delivery'])
      const time = String(Math.floor(bench.clock.now().getTime() / 1000))
      assert.equal(headers['x-svc-timestamp'], time, 'a fresh timestamp')
      assert.equal(headers['x-svc-event'], 'form.submitted')
      assert.equal(headers['content-type'], 'application/json')
      return { event: verdict.id, delivery: verdict.delivery, ...request }
    }

    async function deadLetters(): Promise<DeadLetter[]> {
      const { webhook_id } = hook
      const asked = { webhook_id }
      const { failed } = await bench.owner.get<{ failed: DeadLetter[] }>(bench.tools.failed, asked)
      const listed = await bench.owner.get<{ webhooks: object[] }>(bench.tools.list, asked)
      assert.deepEqual(listed.webhooks, [await bench.owner.get(bench.tools.get, asked)])
      // The delivery log contains the same data under its own names.
      const { deliveries } = await bench.owner.get<{ deliveries: DeadLetter[] }>(
        bench.tools.deliveries,
        {
          ...asked,
          outcome: 'undelivered',
        },
      )
      assert.deepEqual(
        deliveries.map(({ delivery_id, event_id }) => [delivery_id, event_id]),
        failed.map(({ delivery_id, event_id }) => [delivery_id, event_id]),
      )
      return failed
    }

    /** Asserts that nothing is due a millisecond before the delay is over. */
    async function pass(delay: number): Promise<void> {
      bench.clock.forward(delay - 1)
      assert.equal(await bench.deliver(hook.webhook_id), 0, `${delay - 1} ms are too early`)
      bench.clock.forward(1)
    }

    test('seven attempts are made at their times to the millisecond, and no more', async () => {
      await bench.emit('form.submitted')
      await bench.fanOut()
      const chain = [await attempt(500)]
      for (const delay of delays) {
        await pass(delay)
        chain.push(await attempt(delay === hours(2) ? 302 : 503))
      }
      bench.clock.forward(hours(24))
      assert.equal(await bench.deliver(hook.webhook_id), 0)
      assert.equal(new Set(chain.map((entry) => entry.event)).size, 1, 'one event')
      assert.equal(new Set(chain.map((entry) => entry.body.toString())).size, 1, 'the same bytes')
      assert.equal(new Set(chain.map((entry) => entry.delivery)).size, 7, 'each with its own id')
      assert.equal(new Set(chain.map((entry) => entry.headers['x-svc-signature'])).size, 7)
    })

    test('the event becomes a dead letter, and a replay delivers it again', async () => {
      const [letter, ...others] = await deadLetters()
      assert.ok(letter)
      assert.deepEqual(others, [])
      const last = proxy.requests.at(-1)
      assert.deepEqual(
        [letter.delivery_id, letter.attempts, letter.type, letter.last_error.code],
        [last?.headers['x-svc-delivery'], 7, 'form.submitted', 'unavailable'],
      )
      assert.equal(letter.last_error.error, letter.last_error.code)
      assert.match(letter.last_error.message, /answered 503/)
      assert.equal(
        letter.failed_at,
        new Date(bench.clock.now().getTime() - hours(24)).toISOString(),
      )

      const replay = () =>
        bench.owner.get<{ delivery_id: string; event_id: string }>(bench.tools.replay, {
          delivery_id: letter.delivery_id,
        })
      const accepted = await replay()
      const again = await bench.owner.refused(bench.tools.replay, {
        delivery_id: letter.delivery_id,
      })
      assert.equal(again.code, 'conflict', 'while it is under way')
      assert.deepEqual(await deadLetters(), [], 'it left the queue')

      const replayed = await attempt(500)
      assert.equal(replayed.delivery, accepted.delivery_id, 'the id that was promised')
      assert.equal(replayed.event, letter.event_id)
      assert.deepEqual(replayed.body, last?.body, 'the same bytes')
      assert.notEqual(replayed.headers['x-svc-signature'], last?.headers['x-svc-signature'])
      await pass(seconds(30))
      const second = await attempt(200)
      assert.notEqual(second.delivery, accepted.delivery_id)
      bench.clock.forward(hours(24))
      assert.equal(await bench.deliver(hook.webhook_id), 0, 'it was delivered')

      // A delivered letter can be replayed too, by an id of its first chain.
      await replay()
      assert.equal((await attempt(204)).event, letter.event_id)
    })

    test('a failed replay goes through seven new attempts and is a dead letter again', async () => {
      const { 'x-svc-delivery': id } = proxy.requests[0]?.headers ?? {}
      await bench.owner.get(bench.tools.replay, { delivery_id: id })
      await attempt(500)
      for (const delay of delays) {
        await pass(delay)
        await attempt(500)
      }
      const [letter, ...others] = await deadLetters()
      assert.deepEqual([letter?.attempts, others.length], [7, 0])
    })
  })
}
