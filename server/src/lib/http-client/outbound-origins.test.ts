import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { request } from 'undici'
import { httpServer, type RemoteServer } from '../../../../tests/support/network/remote-server.ts'
import { createOrigins } from './outbound-fetch.ts'

const open: { close(): Promise<void> }[] = []
after(() => Promise.all(open.map((entry) => entry.close())))

async function far(handle: Parameters<typeof httpServer>[0]): Promise<RemoteServer & { url: URL }> {
  const server = await httpServer(handle)
  open.push(server)
  return Object.assign(server, { url: new URL(`http://127.0.0.1:${server.port}/`) })
}

test('connections are kept open for the most recently used origins, up to a maximum', async () => {
  const origins = createOrigins({ max: 2, pool: { connections: 1 } })
  open.push(origins)
  const [a, b, c] = await Promise.all([1, 2, 3].map(() => far((_, response) => response.end('ok'))))
  assert.ok(a && b && c)
  const get = async ({ url }: { url: URL }) => {
    const { body } = await request(url, { dispatcher: origins.poolOf(url) })
    assert.equal(await body.text(), 'ok')
  }
  for (const server of [a, b, a, c, a]) await get(server)
  assert.deepEqual([a.connections, b.connections, c.connections], [1, 1, 1])
  assert.equal(origins.size, 2)
  await get(b)
  assert.equal(b.connections, 2, 'it had made room')
  await get(a)
  assert.equal(a.connections, 1, 'a was used after c')
})

test('a request under way completes normally when its origin is evicted', async () => {
  const origins = createOrigins({ max: 1, pool: { connections: 1 } })
  open.push(origins)
  const asked = Promise.withResolvers<ServerResponse>()
  const slow = await far((_, response) => asked.resolve(response))
  const quick = await far((_, response) => response.end('ok'))
  const waiting = request(slow.url, { dispatcher: origins.poolOf(slow.url) })
  const response = await asked.promise
  await request(quick.url, { dispatcher: origins.poolOf(quick.url) })
  response.end('at last')
  assert.equal(await (await waiting).body.text(), 'at last')
})
