/** A stop waits for open requests, but not for connections that are merely idle. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fastify } from 'fastify'
import { endConnections } from './server.ts'

const graceMs = 2_000

async function listening() {
  const server = fastify({
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  endConnections(server, graceMs)
  const asked = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<string>()
  server.get('/slow', () => {
    asked.resolve()
    return answered.promise
  })
  server.post('/slow', () => answered.promise)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  return {
    asked: asked.promise,
    answer: answered.resolve,
    async open(request = ''): Promise<Socket> {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      socket.write(request)
      return socket
    },
    /** Returns the milliseconds that the close took. */
    async close(): Promise<number> {
      const before = performance.now()
      await server.close()
      return performance.now() - before
    },
  }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`

test('a connection without a request does not delay a shutdown', async () => {
  const { open, close } = await listening()
  await open()
  assert.ok((await close()) < graceMs)
})

test('a request answered during a shutdown gets Connection: close, and its connection is closed', async () => {
  const { open, close, asked, answer } = await listening()
  const socket = await open(get('/slow'))
  let heard = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text
  })
  await asked
  const closed = close()
  await sleep(200)
  answer('all of it')
  assert.ok((await closed) < graceMs)
  await once(socket, 'close')
  assert.match(heard, /^HTTP\/1\.1 200 /)
  assert.match(heard, /\r\nconnection: close\r\n/i)
  assert.match(heard, /all of it$/)
})

test('a request that never ends is cut off after the grace period', async () => {
  const { open, close } = await listening()
  const head = 'POST /slow HTTP/1.1\r\nhost: a\r\ncontent-type: application/json'
  const socket = await open(`${head}\r\ncontent-length: 9\r\n\r\n{`)
  const cut = once(socket.resume(), 'close')
  await sleep(100)
  const took = await close()
  assert.ok(took >= graceMs - 50 && took < graceMs + 2_000, String(took))
  await cut
})

test('a request on a connection opened just before the shutdown is answered', async () => {
  const { open, close, answer } = await listening()
  answer('all of it')
  const socket = await open()
  const closed = close()
  await sleep(100)
  socket.setEncoding('utf8').write(get('/slow'))
  const [text] = await once(socket, 'data')
  assert.match(String(text), /all of it$/)
  assert.ok((await closed) < graceMs)
})
