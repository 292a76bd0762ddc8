/** The example receivers, each run unchanged: `node express.ts`. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { signWebhook } from '@crier-mail/sdk/node'
import { eventSamples } from 'crier-server/events/samples.ts'
import { type Child, runChild, runProgram } from '../../sdk/tests/child.ts'
import { freePort } from '../support/network/port.ts'
import { eventually } from '../support/time/eventually.ts'

const secret = 'whsec_of-the-examples'
const folder = await mkdtemp(path.join(os.tmpdir(), 'crier-examples-'))
after(() => rm(folder, { recursive: true }))

function bodyOf(id: string): string {
  const created_at = new Date().toISOString()
  const data = eventSamples['form.submitted']
  return JSON.stringify({ id, type: 'form.submitted', created_at, business_id: 'bus_1', data })
}

/** Why it cannot run here. Both programs are Debian's. */
function missing(name: string): string | false {
  const program = { py: 'python3', php: 'php' }[name.split('.')[1] ?? '']
  if (program === undefined) return false
  const { error } = spawnSync(program, ['--version'])
  return error ? `there is no ${program}` : false
}

interface Running {
  child: Child
  send(body: string, headers?: Record<string, string>): Promise<Response>
}

async function start(name: string): Promise<Running> {
  const env = { PORT: '0', WEBHOOK_SECRET: secret, INBOX: path.join(folder, `${name}.inbox`) }
  const file = new URL(`../../examples/webhooks/${name}`, import.meta.url)
  const { child, port } = await startOf(file, env)
  let deliveries = 0
  return {
    child,
    send(body, headers = signWebhook({ body, secret, deliveryId: `dlv_${++deliveries}` })) {
      return fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers, body })
    },
  }
}

async function startOf(
  file: URL,
  env: Record<string, string>,
): Promise<{ child: Child; port: string }> {
  if (file.pathname.endsWith('.php')) {
    const port = String(await freePort())
    const child = runProgram('php', ['-q', '-S', `127.0.0.1:${port}`, file.pathname], { env })
    await reached(Number(port))
    return { child, port }
  }
  const isPython = file.pathname.endsWith('.py')
  const child = isPython
    ? runProgram('python3', [file.pathname], { env })
    : runChild(file, [], { env })
  const [, port = ''] = await child.says(/^listening on .*port: (\d+)/m)
  return { child, port }
}

/** PHP's own server says on no stream that is read here when it listens. */
async function reached(port: number): Promise<void> {
  await eventually(
    () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => false,
      ),
    (isThere) => isThere,
  )
}

async function stop({ child }: Running): Promise<string> {
  child.process.kill('SIGKILL')
  return (await child.ended).stdout
}

const receivers = ['express.ts', 'fastify.ts', 'bare.ts', 'hono.ts', 'receiver.py', 'receiver.php']

for (const name of receivers) {
  describe(`the example receiver examples/webhooks/${name}`, { skip: missing(name) }, () => {
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
