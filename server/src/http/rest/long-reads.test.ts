import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type FastifyInstance, fastify } from 'fastify'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { eventually, until } from '../../../../tests/support/time/eventually.ts'
import { isRefusal, refuse, statusOf } from '../../core/errors.ts'
import { type Id, newId } from '../../core/ids.ts'
import type { Principal } from '../../core/operation.ts'
import { createLongReads } from './long-reads.ts'

let database: TestDatabase
let server: FastifyInstance
const connectionId = newId('connection')
const userId = newId('user')
const [one, other] = [newId('business'), newId('business')]
let isConnected = true
/** The businesses whose pages were read, in order. */
let turns: Id<'business'>[] = []
let readingNow = 0
let mostAtOnce = 0
let given = 0
/** Responses that are over, by their end or cut off. */
let ended = 0
let begun = 0

const principal: Principal = {
  connectionId,
  userId,
  scopes: new Set(['audience:read']),
  businesses: [one, other].map((id) => ({ id, name: 'x', tier: 'scale', role: 'admin' })),
}

async function* pages(businessId: Id<'business'>, count: number) {
  for (let n = 0; n < count; n++) {
    readingNow++
    mostAtOnce = Math.max(mostAtOnce, readingNow)
    turns.push(businessId)
    await new Promise((resolve) => setTimeout(resolve, 2))
    readingNow--
    given++
    yield 'é'.repeat(250_000)
  }
}

before(async () => {
  database = await testDatabase()
  const longReads = createLongReads({
    db: database.db,
    principalOf: async () => (isConnected ? principal : undefined),
    limits: { ofProcess: 3, stalledMs: 300 },
  })
  server = fastify()
  server.setErrorHandler((error, _request, reply) => {
    if (!isRefusal(error)) throw error
    return reply.code(statusOf[error.code]).send({ code: error.code, ...error.details })
  })
  server.get<{ Params: { which: string; count: string } }>('/:which/:count', (request, reply) => {
    begun++
    reply.raw.once('close', () => ended++)
    const businessId = request.params.which === 'one' ? one : other
    return longReads.answer(request, reply, {
      businessId,
      maker: {
        connection_id: connectionId,
        user_id: userId,
        scope: 'audience:read',
        role: 'admin',
      },
      headers: { 'content-type': 'text/plain' },
      missing: refuse('not_found', 'There is nothing here.'),
      open: async () => pages(businessId, Number(request.params.count)),
    })
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
})
after(async () => {
  server.server.closeAllConnections()
  await server.close()
  await database.drop()
})

interface Reader {
  status: number
  retryAfter: unknown
  response: http.IncomingMessage
  end(): void
}

/** Opens a file and reads nothing of it. */
function open(path: string, method = 'GET'): Promise<Reader> {
  const { port } = server.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, path, method, agent: false })
    request.once('response', (response) => {
      response.on('error', () => undefined)
      resolve({
        status: response.statusCode ?? 0,
        retryAfter: response.headers['retry-after'],
        response,
        end: () => void request.destroy(),
      })
    })
    request.on('error', reject)
    request.end()
  })
}

async function lengthOf({ response }: Reader): Promise<number> {
  let length = 0
  for await (const piece of response) length += (piece as Buffer).length
  return length
}

test('a business reads two files at once, the process three, and what ended makes room', async () => {
  const first = [await open('/one/200'), await open('/one/200')]
  assert.deepEqual(
    first.map(({ status }) => status),
    [200, 200],
  )
  assert.equal((await open('/one/1')).status, 429, 'of the business')
  const third = await open('/other/200')
  assert.equal(third.status, 200, 'another business')
  assert.equal((await open('/other/1')).status, 429, 'of the process')
  for (const reader of [...first, third]) reader.end()
  const again = await eventually(
    () => open('/one/1'),
    ({ status }) => status === 200,
  )
  assert.equal(again.status, 200)
})

test('a reader who takes nothing is cut off, and holds little of the file in memory', async () => {
  // What other tests left open is cut off meanwhile.
  await until(() => ended === begun, 'no file is read')
  given = 0
  const reader = await open('/one/2000')
  assert.equal(reader.status, 200)
  await until(() => ended === begun, 'the reader is cut off')
  // The kernel's buffers on loopback take some megabytes.
  assert.ok(given < 100, `${given} pages of half a megabyte were read`)
})

test('pages are read one at a time, and a business with two files gets no more turns than another', async () => {
  // Until the readers of other tests are cut off.
  const readers = await eventually(
    async () => {
      turns = []
      mostAtOnce = 0
      const opened = await Promise.all([open('/one/30'), open('/one/30'), open('/other/30')])
      if (opened.some(({ status }) => status !== 200)) for (const reader of opened) reader.end()
      return opened
    },
    (opened) => opened.every(({ status }) => status === 200),
  )
  const lengths = await Promise.all(readers.map(lengthOf))
  assert.deepEqual(lengths, [15_000_000, 15_000_000, 15_000_000])
  assert.equal(mostAtOnce, 1)
  const untilEnd = turns.slice(0, turns.lastIndexOf(other) + 1)
  const own = untilEnd.filter((id) => id === one).length
  assert.ok(own <= 50, `${own} turns of the business with two files beside 30 of the other`)
})

test('a link ends with its maker’s connection, also while it is read, and HEAD reads nothing', async () => {
  given = 0
  const head = await open('/one/5', 'HEAD')
  assert.deepEqual([head.status, head.response.headers['content-type']], [200, 'text/plain'])
  assert.equal(given, 0)
  await until(() => ended === begun, 'no file is read')
  const reader = await open('/one/2000')
  isConnected = false
  try {
    await assert.rejects(lengthOf(reader))
    assert.equal((await open('/one/1')).status, 404)
  } finally {
    isConnected = true
  }
})
