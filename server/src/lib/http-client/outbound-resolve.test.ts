import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import dns from 'node:dns/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createResolve } from './outbound-guard.ts'

/** A name server that knows 192.0.2.7 for `fine`, and answers nothing else. */
const server = dgram.createSocket('udp4')
let queries = 0
before(async () => {
  server.on('message', (query, from) => {
    queries++
    const name = query.subarray(12)
    const isFour = query.readUInt16BE(query.indexOf(0, 12) + 1) === 1
    if (!name.subarray(1).toString('latin1').startsWith('fine')) return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isFour ? 1 : 0, 0, 0, 0, 0])
    query.copy(head, 0, 0, 2)
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 7])
    server.send(Buffer.concat([head, question, ...(isFour ? [record] : [])]), from.port)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())

const resolve = () =>
  createResolve({ servers: [`127.0.0.1:${(server.address() as AddressInfo).port}`] })

test('a host name is resolved through the name server', async () => {
  assert.deepEqual(await resolve()('fine.example.com'), ['192.0.2.7'])
})

test('host names whose DNS servers are silent do not hold up other lookups', async () => {
  let ended = 0
  const silent = Array.from({ length: 16 }, async (_, i) => {
    await assert.rejects(resolve()(`silent-${i}.example.com`), { code: 'ETIMEOUT' })
    ended++
  })
  await Promise.all([
    resolve()('fine.example.com'),
    // Both lookups use one of the four threads of libuv's pool.
    dns.lookup('127.0.0.1'),
    dns.lookup('localhost'),
  ])
  assert.equal(ended, 0)
  await Promise.all(silent)
})

test('the local machine’s host names are resolved without a DNS query', async () => {
  const before = queries
  const found = await resolve()('localhost')
  assert.ok(found.some((address) => ['127.0.0.1', '::1'].includes(address)))
  assert.equal(queries, before)
})
