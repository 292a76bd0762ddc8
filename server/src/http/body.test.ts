import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fastify } from 'fastify'
import { statusOf } from '../core/errors.ts'
import { boundBodies, takeJsonText } from './body.ts'
import { asRefusal } from './server.ts'

const limit = 1000

// `pause` simulates the lookup of the caller, during which bodies arrive.
const pause = 50

const server = fastify()
let port = 0
before(async () => {
  server.register(async (scope) => {
    takeJsonText(scope)
    boundBodies(scope, limit)
    scope.addHook('onRequest', async (request) => {
      if (request.url === '/late') await sleep(pause)
    })
    for (const url of ['/late', '/at-once']) {
      scope.post(url, async ({ body }) => ({ length: String(body).length, body }))
    }
  })
  server.setErrorHandler((error, request, reply) => {
    const { code } = asRefusal(error as Parameters<typeof asRefusal>[0], request)
    return reply.code(statusOf[code]).send({ code })
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  port = (server.server.address() as { port: number }).port
})
after(() => server.close())

/** Writes the pieces with pauses between them, and reads the response. */
async function exchange(path: string, headers: string[], pieces: Buffer[]) {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  const head = [`POST ${path} HTTP/1.1`, 'host: a', 'content-type: application/json', ...headers]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  for (const piece of pieces) {
    socket.write(piece)
    await sleep(10)
  }
  for (let waited = 0; !text.includes('}') && waited < 5000; waited += 5) await sleep(5)
  socket.destroy()
  const status = Number(text.slice(9, 12))
  const answer = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  return { status, closes: /\r\nconnection: close/i.test(text), answer }
}

const sized = (body: Buffer) => [`content-length: ${body.length}`]
const chunk = (body: Buffer) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')])
const lastChunk = Buffer.from('0\r\n\r\n')
const chunked = ['transfer-encoding: chunked']

for (const path of ['/late', '/at-once']) {
  test(`${path}: a body is read the same whole, in pieces and in chunks, also within a character`, async () => {
    const body = Buffer.from('{"a":"Grüße, 世界 🌍"}')
    const cut = [body.subarray(0, 8), body.subarray(8, 20), body.subarray(20)]
    for (const [headers, pieces] of [
      [sized(body), [body]],
      [sized(body), cut],
      [chunked, [...cut.map(chunk), lastChunk]],
      [chunked, [Buffer.concat([...cut.map(chunk), lastChunk])]],
    ] as const) {
      const { status, answer } = await exchange(path, [...headers], [...pieces])
      assert.equal(status, 200)
      assert.equal(answer.body, body.toString())
    }
  })

  test(`${path}: one byte over the limit is refused, by length or by count, and the connection is closed`, async () => {
    const most = Buffer.alloc(limit, 'x')
    const over = Buffer.alloc(limit + 1, 'x')
    const halves = [over.subarray(0, 500), over.subarray(500)]
    for (const [headers, pieces] of [
      [sized(most), [most]],
      [chunked, [chunk(most), lastChunk]],
    ] as const) {
      const { status, answer } = await exchange(path, [...headers], [...pieces])
      assert.deepEqual([status, answer.length], [200, limit])
    }
    for (const [headers, pieces] of [
      [sized(over), [over]],
      [sized(over), []],
      [chunked, [chunk(over), lastChunk]],
      [chunked, [...halves.map(chunk), lastChunk]],
    ] as const) {
      const { status, closes, answer } = await exchange(path, [...headers], [...pieces])
      assert.deepEqual([status, answer.code, closes], [413, 'too_large', true])
    }
  })

  test(`${path}: a body that is no UTF-8 is refused, whole and in pieces`, async () => {
    const latin1 = Buffer.from('{"name":"Zo\u00eb"}', 'latin1')
    for (const [headers, pieces] of [
      [sized(latin1), [latin1]],
      [chunked, [chunk(latin1.subarray(0, 12)), chunk(latin1.subarray(12)), lastChunk]],
    ] as const) {
      const { status, answer } = await exchange(path, [...headers], [...pieces])
      assert.deepEqual([status, answer.code], [400, 'invalid_request'])
    }
  })

  test(`${path}: a missing body is read as an empty one`, async () => {
    const { status, answer } = await exchange(path, chunked, [lastChunk])
    assert.deepEqual([status, answer.body], [200, ''])
  })
}
