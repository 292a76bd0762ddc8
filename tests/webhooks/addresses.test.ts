/**
 * Every spelling of an internal address, at registration and at delivery: it is refused with the
 * reason, and nothing connects to it. Loopback works if the operator allowed it.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parseId } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { type Bench, deliveryBench } from '../support/businesses/deliveries.ts'
import { httpServer } from '../support/network/remote-server.ts'
import { type TestDatabase, testDatabase } from '../support/postgres/database.ts'

const literals = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '192.0.0.8',
  '198.18.0.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '１２７.0.0.1',
  '127。0。0。1',
  '[::]',
  '[::1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
]
/** Names with all their addresses. */
const names: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'inner.example': ['10.0.0.5'],
  'metadata.example': ['169.254.169.254'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'nowhere.example': [],
}

let database: TestDatabase
let bench: Bench
before(async () => {
  database = await testDatabase()
  const resolve = async (name: string) => names[name] ?? ['93.184.216.34']
  bench = await deliveryBench(database.db, { allow: [], resolve })
})
after(async () => {
  await bench.close()
  await database.drop()
})

const urls = [...literals, ...Object.keys(names)].map((host) => `https://${host}/hook`)

test('each internal address is refused when a webhook is created with it or changed to it', async () => {
  const { webhook_id } = await bench.subscribe('https://fine.example/')
  for (const url of urls) {
    for (const asked of [
      { url, events: ['usage.threshold'] },
      { webhook_id, url },
    ]) {
      const { code, message, details } = await bench.owner.refused(bench.tools.save, asked)
      assert.deepEqual([code, details.field], ['invalid_request', 'url'], url)
      // An address of this machine has its own message, which says how developers can reach it.
      assert.match(message, /not public|does not call its own machine/, url)
    }
  }
})

test('a delivery to each internal address is refused, and the log says why', async () => {
  const { webhook_id } = await bench.subscribe('https://fine.example/')
  for (const url of urls) {
    // Like a name that led to another address when it was registered.
    await database.db.run(sql`
      update webhooks set url = ${url} where id = ${parseId('webhook', webhook_id)}
    `)
    const { delivery_id } = await bench.owner.get<{ delivery_id: string }>(bench.tools.test, {
      webhook_id,
    })
    assert.equal(await bench.deliver(webhook_id, { test: true }), 1)
    const { deliveries } = await bench.owner.get<{
      deliveries: { state: string; error: { code: string; message: string } }[]
    }>(bench.tools.deliveries, { delivery_id })
    const [attempt] = deliveries
    assert.equal(attempt?.state, 'failed', url)
    assert.equal(attempt?.error.code, 'invalid_request', url)
    assert.match(attempt?.error.message ?? '', /not public, and nothing was sent/, url)
  }
})

test('a webhook on loopback works where the operator allowed it, on that port only', async (t) => {
  let requests = 0
  const server = await httpServer((_request, response) => {
    requests++
    response.end()
  })
  t.after(() => server.close())
  const testbed = await deliveryBench(database.db, { allow: [`127.0.0.0/8:${server.port}`] })
  t.after(() => testbed.close())
  const hook = await testbed.subscribe(`http://127.0.0.1:${server.port}/`)
  await testbed.emit('usage.threshold')
  await testbed.fanOut()
  await testbed.deliver(hook.webhook_id)
  assert.equal(requests, 1)
  for (const port of [server.port + 1, 80]) {
    const input = { url: `http://127.0.0.1:${port}/`, events: ['usage.threshold'] }
    assert.equal((await testbed.owner.refused(testbed.tools.save, input)).details.field, 'url')
  }
})

test('a webhook URL with plain http, another port or a password is refused with the reason', async () => {
  const refused: [string, RegExp][] = [
    ['http://fine.example/', /https/],
    ['https://fine.example:8443/', /Port 8443/],
    ['https://fine.example:22/', /Port 22/],
    ['https://user:word@fine.example/', /password/],
    ['gopher://fine.example/', /https/],
    ['//fine.example/', /not a URL/],
  ]
  for (const [url, reason] of refused) {
    const input = { url, events: ['usage.threshold'] }
    const { message, details } = await bench.owner.refused(bench.tools.save, input)
    assert.equal(details.field, 'url')
    assert.match(message, reason)
  }
})
