/** The example receivers, each run unchanged: `node express.ts`. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { signWebhook } from '@crier-mail/sdk/node'
import { eventSamples } from 'crier-server/events/samples.ts'
import { type Child, runChild } from '../../sdk/tests/child.ts'

const secret = 'whsec_of-the-examples'
const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-examples-'))
after(() => rm(folder, { recursive: true }))

function bodyOf(id: string): string {
  const created_at = new Date().toISOString()
  const data = eventSamples['form.submitted']
  return JSON.stringify({ id, type: 'form.submitted', created_at, business_id: 'bus_1', data })
}

interface Running {
  child: Child
  send(body: string, headers?: Record<string, string>): Promise<Response>
}

async function start(name: string): Promise<Running> {
  const env = { PORT: '0', WEBHOOK_SECRET: secret, INBOX: path.join(folder, `${name}.sqlite`) }
  const child = runChild(new URL(`../../examples/webhooks/${name}.ts`, import.meta.url), [], {
    env,
  })
  const [, port] = await child.says(/^listening on .*port: (\d+)/m)
  let deliveries = 0
  return {
    child,
    send(body, headers = signWebhook({ body, secret, deliveryId: `dlv_${++deliveries}` })) {
      return fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body })
    },
  }
}

async function stop({ child }: Running): Promise<string> {
  child.process.kill('SIGKILL')
  return (await child.ended).stdout
}

for (const name of ['express', 'fastify', 'bare']) {
  describe(`the example receiver examples/webhooks/${name}.ts`, () => {
    test('the example accepts a delivery, works on its event once and refuses invalid deliveries', async () => {
      const running = await start(name)
      const began = performance.now()
      const first = await running.send(bodyOf('evt_once'))
      assert.equal(first.status, 204)
      assert.ok(performance.now() - began < 5_000)
      await running.child.says(/^evt_once: email, name, level were filled in$/m)

      assert.equal((await running.send(bodyOf('evt_once'))).status, 204)
      const body = bodyOf('evt_other')
      const tampered = await running.send(body.replace('Ana', 'Eve'), signedFor(body))
      assert.equal(tampered.status, 400)
      assert.equal(((await tampered.json()) as { code: string }).code, 'signature_mismatch')
      const late = new Date(Date.now() - 301_000)
      const stale = await running.send(body, signedFor(body, late))
      assert.equal(((await stale.json()) as { code: string }).code, 'delivery_stale')
      const bare = await running.send(body, { 'content-type': 'application/json' })
      assert.equal(bare.status, 400)

      assert.equal((await running.send(bodyOf('evt_last'))).status, 204)
      await running.child.says(/^evt_last/m)
      const worked = (await stop(running)).match(/^evt_\w+/gm)
      assert.deepEqual(worked, ['evt_once', 'evt_last'])
    })

    test('the example knows after a restart which events it has worked on', async () => {
      const running = await start(name)
      assert.equal((await running.send(bodyOf('evt_once'))).status, 204)
      assert.equal((await running.send(bodyOf('evt_new'))).status, 204)
      await running.child.says(/^evt_new/m)
      const printed = await stop(running)
      assert.match(printed, /^evt_new/m)
      // evt_last may be there: the kill came between the work and its record.
      assert.doesNotMatch(printed, /^evt_once/m)
    })
  })
}

function signedFor(body: string, now = new Date()): Record<string, string> {
  return signWebhook({ body, secret, deliveryId: 'dlv_1', now })
}
