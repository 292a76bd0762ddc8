import assert from 'node:assert/strict'
import dgram from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { type Bind, startBind, withoutBind } from '../../../../tests/support/network/bind.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { createResolver, type Resolver } from '../../lib/dns/resolver.ts'
import { createProviderFinder, providerByName, receivingLimits } from './provider.ts'

const skip = withoutBind()
const zones = ['bakery.de', 'lawyers.fr', 'club.it', 'school.se', 'own.ch', 'moving.at']
let bind: Bind
before(async () => {
  if (!skip) bind = await startBind(zones)
})
after(() => bind?.stop())

/** A resolver that counts its lookups. */
function counted(resolver: Resolver) {
  const asked: string[] = []
  const counting: Resolver = {
    lookup(name, type, signal) {
      asked.push(name)
      return resolver.lookup(name, type, signal)
    },
  }
  return { asked, resolver: counting }
}

const absent: Resolver = {
  lookup: async () => ({ outcome: 'absent', retryIn: 60, aliases: [] }),
}

test('domains whose mail servers are a large provider’s count as that provider', {
  skip,
}, async () => {
  await bind.update(
    'add bakery.de 300 MX 5 backup.bakery.de',
    'add bakery.de 300 MX 1 ASPMX.L.GOOGLE.COM',
    'add lawyers.fr 300 MX 0 lawyers-fr.mail.protection.outlook.com',
    'add club.it 300 MX 1 mx-eu.mail.am0.yahoodns.net',
    'add school.se 300 MX 10 mx01.mail.icloud.com',
    'add own.ch 300 MX 10 mail.notgoogle.com',
  )
  const find = createProviderFinder({
    resolver: createResolver({ servers: [bind.server] }),
    clock: new ManualClock(),
  })
  const found = await Promise.all(zones.map((zone) => find(`ana@${zone}`)))
  const expected = ['gmail', 'microsoft', 'yahoo', 'apple', 'own.ch', 'moving.at']
  assert.deepEqual(found, expected)
})

test('an answer is remembered for an hour at least, and a change of servers is seen after it', {
  skip,
}, async () => {
  await bind.update('add moving.at 1 MX 1 smtp.google.com')
  const clock = new ManualClock()
  const { asked, resolver } = counted(createResolver({ servers: [bind.server] }))
  const find = createProviderFinder({ resolver, clock })
  assert.equal(await find('a@moving.at'), 'gmail')
  await bind.update('delete moving.at MX', 'add moving.at 1 MX 1 moving-at.a-v1.mx.microsoft')
  clock.forward(receivingLimits.leastMs - 1)
  assert.equal(await find('b@moving.at'), 'gmail')
  assert.deepEqual(asked, ['moving.at'])
  clock.forward(1)
  assert.equal(await find('c@moving.at'), 'microsoft')
})

test('the large providers’ own domains and reserved names are never asked of DNS', async () => {
  const { asked, resolver } = counted(absent)
  const find = createProviderFinder({ resolver, clock: new ManualClock() })
  const addresses = ['a@gmail.com', 'A@Outlook.COM', 'a@shop.test', 'a@example.com', 'a@localhost']
  const found = await Promise.all(addresses.map((address) => find(address)))
  assert.deepEqual(found, ['gmail', 'microsoft', 'shop.test', 'example.com', 'localhost'])
  assert.deepEqual(asked, [])
  assert.equal(await providerByName('a@Bakery.de'), 'bakery.de')
})

test('a DNS server that is silent delays a message by the patience at most, and later ones not at all', async (t) => {
  const silent = dgram.createSocket('udp4')
  t.after(() => silent.close())
  silent.bind(0, '127.0.0.1')
  await once(silent, 'listening')
  const server = { address: '127.0.0.1', port: (silent.address() as AddressInfo).port }
  const clock = new ManualClock()
  const rounds = [receivingLimits.patienceMs + 200]
  const { asked, resolver } = counted(createResolver({ servers: [server], rounds }))
  const find = createProviderFinder({ resolver, clock })
  const first = ['one.de', 'two.de', 'three.de']
  assert.deepEqual(await Promise.all(first.map((domain) => find(`a@${domain}`))), first)
  // The lookups end after the messages went on.
  await eventually(
    () => find(`a@next${asked.length}.de`),
    (answer) => !asked.includes(answer),
  )
  const before = asked.length
  assert.equal(await find('a@last.de'), 'last.de')
  assert.equal(asked.length, before)
  clock.forward(receivingLimits.restMs)
  assert.equal(await find('a@last.de'), 'last.de')
  assert.equal(asked.length, before + 1)
})

test('no more lookups run at once than the limit, and no more domains are remembered', async () => {
  const gate = Promise.withResolvers<void>()
  const { asked, resolver } = counted({
    lookup: async (name, type) => {
      await gate.promise
      return absent.lookup(name, type)
    },
  })
  const find = createProviderFinder({ resolver, clock: new ManualClock() })
  const many = Array.from({ length: receivingLimits.atOnce + 1 }, (_, n) => find(`a@d${n}.de`))
  assert.equal(asked.length, receivingLimits.atOnce)
  gate.resolve()
  await Promise.all(many)
  const again = Array.from({ length: receivingLimits.remembered }, (_, n) => `a@e${n}.de`)
  for (const address of again) await find(address)
  asked.length = 0
  await find(again.at(-1) as string)
  await find(again[0] as string)
  assert.deepEqual(asked, [])
  // The oldest was dropped for the ones above.
  await find('a@d0.de')
  assert.deepEqual(asked, ['d0.de'])
})
