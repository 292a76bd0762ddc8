import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import type { CrierEvent } from '@crier-mail/sdk'
import { deliveriesTo } from './deliveries.ts'
import { sampleEvent } from './sample-event.ts'

/** Holds each request until no more are likely to come, and records the order of arrival. */
const got: string[] = []
let holding: (() => void)[] = []
let most = 0
let letGo: NodeJS.Timeout | undefined
const server = createServer((request, response) => {
  void json(request).then((event) => {
    got.push((event as CrierEvent).id)
    holding.push(() => response.writeHead(204).end())
    most = Math.max(most, holding.length)
    clearTimeout(letGo)
    // Any other request has arrived by then, even on a busy machine where fewer than 8 are held.
    const patience = holding.length < 8 ? 2_000 : 100
    letGo = setTimeout(() => {
      const all = holding
      holding = []
      for (const answer of all) answer()
    }, patience)
  })
})
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
after(() => server.close())

function eventsAbout(contact: string, n: number): CrierEvent[] {
  return Array.from({ length: n }, (_, i) => {
    const event = sampleEvent('contact.created', {})
    return { ...event, id: `${contact}-${i}`, data: { ...event.data, contact_id: contact } }
  }) as CrierEvent[]
}

test('eight events are forwarded at once, and events about one contact in their order', async (t) => {
  t.mock.method(process.stdout, 'write', () => true)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const receiver = { url, secret: 'whsec_of-this-machine', slug: 'svc' }
  const deliveries = deliveriesTo(receiver, new AbortController().signal)
  const others = Array.from({ length: 12 }, (_, i) => eventsAbout(`other${i}`, 1)).flat()
  await deliveries.deliverAll([...eventsAbout('ana', 3), ...others])
  assert.equal(most, 8)
  assert.equal(got.length, 15)
  assert.deepEqual(
    got.filter((id) => id.startsWith('ana')),
    ['ana-0', 'ana-1', 'ana-2'],
  )
  assert.deepEqual(deliveries.counts(), { events: 15, refused: 0 })
})
