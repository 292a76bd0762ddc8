/**
 * Secrets are rotated again and again under load, with and without a grace period. Each delivery
 * verifies with a secret that is valid at its time, and with none that has ended.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from 'crier-server/lib/time/clock.ts'
import {
  type DeliveryTestbed,
  deliveryTestbed,
  deliveryWorker,
} from '../support/businesses/deliveries.ts'
import { httpServer } from '../support/network/remote-server.ts'
import { type TestDatabase, testDatabase } from '../support/postgres/database.ts'
import { until } from '../support/time/eventually.ts'

let database: TestDatabase
let testbed: DeliveryTestbed
before(async () => {
  database = await testDatabase()
  testbed = await deliveryTestbed(database.db, systemClock)
})
after(async () => {
  await testbed.close()
  await database.drop()
})

/** The most time from the start of an attempt to its signature, on a busy machine. */
const inHandMs = 1_000

interface Secret {
  text: string
  /** The times in milliseconds of its rotation and of its end. */
  from: number
  to: number
}

interface Delivered {
  headers: IncomingHttpHeaders
  body: string
}

interface Rotated {
  signing_secret: string
  rotated_at: string
  previous_secret_expires_at: string
}

/** The secrets that made one of the signatures. */
function signers({ headers, body }: Delivered, secrets: readonly Secret[]): Secret[] {
  const time = String(headers['x-svc-timestamp'])
  const signatures = String(headers['x-svc-signature']).split(',').slice(1)
  return secrets.filter(({ text }) => {
    const hex = createHmac('sha256', text).update(`${time}.${body}`).digest('hex')
    return signatures.includes(`v1=${hex}`)
  })
}

for (const grace of [0, 2]) {
  test(`each delivery is signed by the secrets valid at its time, grace ${grace} s`, async (t) => {
    const seen: Delivered[] = []
    const server = await httpServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part
      })
      request.on('end', () => {
        seen.push({ headers: request.headers, body })
        response.end()
      })
    })
    t.after(() => server.close())
    const type = grace === 0 ? 'contact.created' : 'contact.updated'
    const began = Date.now()
    const hook = await testbed.subscribe(`http://127.0.0.1:${server.port}/`, [type])
    const { webhook_id } = hook
    const secrets: Secret[] = [{ text: hook.signing_secret, from: began, to: Infinity }]
    const worker = await deliveryWorker(testbed)
    t.after(() => worker.stop())

    let emitted = 0
    let loading = true
    const load = (async () => {
      for (; loading; emitted++) {
        await testbed.emit(type, undefined, worker.wake)
        await sleep(4)
      }
    })()
    for (let i = 0; i < 6; i++) {
      await sleep(400)
      const input = { webhook_id, grace_period_seconds: grace }
      const rotated = await testbed.owner.get<Rotated>(testbed.tools.rotate, input)
      const answered = Date.now()
      const last = secrets.at(-1)
      if (last) last.to = Date.parse(rotated.previous_secret_expires_at)
      // A second rotation ends the oldest secret at once.
      const older = secrets.at(-2)
      if (older) older.to = Math.min(older.to, answered)
      secrets.push({
        text: rotated.signing_secret,
        from: Date.parse(rotated.rotated_at),
        to: Infinity,
      })
    }
    await sleep(300)
    loading = false
    await load
    await until(() => seen.length >= emitted, `${emitted} deliveries`, 60_000)

    const byBoth = seen.filter((delivered) => signers(delivered, secrets).length === 2).length
    t.diagnostic(`${seen.length} deliveries, ${secrets.length} secrets, ${byBoth} signed by two`)
    for (const one of seen) {
      const time = Number(one.headers['x-svc-timestamp']) * 1000
      const by = signers(one, secrets)
      assert.ok(by.length >= 1, 'one that should verify does')
      const header = String(one.headers['x-svc-signature']).split(',').length - 1
      assert.equal(header, by.length, 'every signature is that of a secret of this webhook')
      for (const { from, to } of by) {
        assert.ok(time + 1000 > from, 'not before there was such a secret')
        // A delivery in progress at that moment is signed with the secrets from its start.
        assert.ok(time <= to + inHandMs, 'not after it had ended')
      }
    }
    if (grace === 0) assert.equal(byBoth, 0, 'the contract’s one v1=')
    else assert.ok(byBoth > 0)
  })
}

test('after a rotation is answered, new deliveries are signed by the new secret only', async (t) => {
  const seen: Delivered[] = []
  const server = await httpServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part
    })
    request.on('end', () => {
      seen.push({ headers: request.headers, body })
      response.end()
    })
  })
  t.after(() => server.close())
  const hook = await testbed.subscribe(`http://127.0.0.1:${server.port}/`, ['domain.verified'])
  const worker = await deliveryWorker(testbed)
  t.after(() => worker.stop())
  for (let i = 0; i < 10; i++) {
    const { webhook_id } = hook
    const { signing_secret } = await testbed.owner.get<Rotated>(testbed.tools.rotate, {
      webhook_id,
    })
    await testbed.emit('domain.verified', undefined, worker.wake)
    await until(() => seen.length > i, 'the delivery')
    const now = { text: signing_secret, from: 0, to: Infinity }
    const [last] = seen.slice(-1)
    assert.ok(last)
    assert.deepEqual(signers(last, [now]), [now])
    assert.equal(String(last.headers['x-svc-signature']).split(',').length, 2)
  }
})
