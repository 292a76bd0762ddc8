/** A client that still sends when it is refused reads why: Node's own, fetch and curl. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { missingPrograms } from '../../../tests/support/debian-program.ts'
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
const url = (path: string) => `http://127.0.0.1:${port}${path}`
const headers = { 'content-type': 'application/json' }

async function byFetch(path: string, bytes: number): Promise<number> {
  const body = Buffer.alloc(bytes, ' ')
  const response = await fetch(url(path), { method: 'POST', headers, body })
  assert.equal(((await response.json()) as { code: string }).code, 'too_large')
  return response.status
}

function byHttp(path: string, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url(path), {
      method: 'POST',
      headers: { ...headers, 'content-length': bytes },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    request.end(Buffer.alloc(bytes, ' '))
  })
}

const patient = { timeout: 240_000 }

for (const path of ['/calls', '/strangers']) {
  for (const [name, send] of [
    ['fetch', byFetch],
    ['http', byHttp],
  ] as const) {
    test(`${path}: 20 of 20 that send 5 MB by ${name} read 413`, patient, async () => {
      const statuses: number[] = []
      for (let i = 0; i < 20; i++) statuses.push(await send(path, 5 * megabyte))
      assert.deepEqual(statuses, Array(20).fill(413))
    })
  }
}

test('one that sends 50 MB reads 413', patient, async () => {
  assert.equal(await byHttp('/calls', 50 * megabyte), 413)
})

const skip = missingPrograms('/usr/bin/curl')
test('curl reads 413, whether it says how much it sends or not', { ...patient, skip }, async () => {
  for (const mb of [5, 50]) {
    for (const chunked of [false, true]) {
      const how = chunked ? "-H 'transfer-encoding: chunked'" : ''
      const command = `head -c ${mb * megabyte} /dev/zero | curl -s -o /dev/null -w '%{http_code} %{errormsg}' -H 'content-type: application/json' -H 'expect:' ${how} --data-binary @- ${url('/calls')}`
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command])
      assert.match(stdout, /^413 /)
    }
  }
})

test(
  'a trickle is answered at once, and its connection closed after five seconds',
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

test('a client that reads once it has sent everything reads 413', patient, async () => {
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
