/** A client that is still sending when it is refused can read the reason. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { silentLog } from '../../../tests/support/silent-log.ts'
import { limits } from '../config.ts'
import { boundBodies, takeJsonText } from './body.ts'
import { createServer } from './server.ts'

const server = createServer({
  log: silentLog,
  bodyLimit: limits.bodyBytes,
  trustProxy: false,
  https: false,
})
let port = 0
before(async () => {
  server.register(async (scope) => {
    takeJsonText(scope)
    boundBodies(scope, limits.toolCallBytes)
    scope.post('/calls', async () => ({ fine: true }))
  })
  server.post('/strangers', async () => ({ fine: true }))
  await server.listen({ port: 0, host: '127.0.0.1' })
  port = (server.server.address() as AddressInfo).port
})
after(() => server.close())

const megabyte = 1024 * 1024
const url = (route: string) => `http://127.0.0.1:${port}${route}`
const sender = path.join(import.meta.dirname, '../../../tests/support/network/large-sender.ts')

/** The outcome of each send. */
async function sendLarge(
  way: 'fetch' | 'http',
  { route, bytes, times }: { route: string; bytes: number; times: number },
): Promise<string[]> {
  const facts = [sender, way, url(route), String(bytes), String(times)]
  const { stdout } = await promisify(execFile)(process.execPath, facts)
  return stdout.trim().split('\n')
}

const patient = { timeout: 240_000 }

for (const route of ['/calls', '/strangers']) {
  for (const way of ['fetch', 'http'] as const) {
    // If the server closed the connection at once, a quarter of fetch and half of http would fail.
    test(`${route}: all clients that send 5 MB by ${way} receive 413`, patient, async () => {
      const said = await sendLarge(way, { route, bytes: 5 * megabyte, times: 40 })
      assert.deepEqual(said, Array(40).fill('413 too_large'))
    })
  }
}

test('all clients that send 50 MB receive 413', patient, async () => {
  const said = await sendLarge('http', { route: '/calls', bytes: 50 * megabyte, times: 10 })
  assert.deepEqual(said, Array(10).fill('413 too_large'))
})

test(
  'a slow upload over the limit is answered at once, and its connection is closed after five seconds',
  patient,
  async () => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    const started = performance.now()
    const head = `POST /calls HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${50 * megabyte}\r\n\r\n`
    socket.write(head)
    while (!socket.destroyed && performance.now() - started < 60_000) {
      socket.write(' ')
      await sleep(50)
    }
    await closed
    const took = performance.now() - started
    assert.match(text, /^HTTP\/1\.1 413 .*connection: close/is)
    assert.ok(took > 4_500 && took < 60_000, `${took}`)
  },
)

test('a client that reads only after sending everything receives 413', patient, async () => {
  const socket = connect({ port, host: '127.0.0.1' })
  const faults: Error[] = []
  socket.on('error', (error) => faults.push(error))
  socket.pause()
  const head = `POST /calls HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${5 * megabyte}\r\n\r\n`
  socket.write(head)
  for (let sent = 0; sent < 5 * megabyte && faults.length === 0; sent += megabyte) {
    await new Promise((resolve) => socket.write(Buffer.alloc(megabyte, ' '), resolve))
    await sleep(20)
  }
  let text = ''
  for await (const chunk of socket) text += chunk
  assert.deepEqual(faults, [])
  assert.match(text, /^HTTP\/1\.1 413 /)
})
