import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../core/ids.ts'
import type { MailConnection, SendResult, Transport } from '../../lib/email/transport.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { Unreachable } from '../../lib/transport/unreachable.ts'
import { createRelays, onlyRelay, type RelayPlan } from './relays.ts'

const planOf = (relays: Record<string, [url: string, failover?: string]>): RelayPlan => {
  const [first = ''] = Object.keys(relays)
  const entries = Object.entries(relays).map(([name, [url, failover]]) => {
    return [name, { url, failover, profile: undefined }] as const
  })
  return {
    relays: new Map(entries),
    default: { transactional: first, marketing: first },
    tiers: {},
  }
}

function relaysWith(plan: RelayPlan, heard?: readonly string[]) {
  const closed: string[] = []
  const relays = createRelays({
    clock: systemClock,
    plan,
    readChoice: async () => undefined,
    ...(heard && { isHeard: async (route: string) => heard.includes(route) }),
    open: (url, route) => ({ route, close: async () => void closed.push(url) }) as Transport,
    throttleOf: () => ({}) as never,
  })
  const ways = async (kind: 'transactional' | 'marketing') => {
    const found = await relays.relaysOf(newId('business'), kind)
    return found.map(({ name }) => name)
  }
  return { relays, closed, ways }
}

const a = 'smtp://a.example'
const b = 'smtp://b.example'

test('marketing gets no failover that nothing came back from, and keeps the relay that was chosen', async () => {
  const plan = planOf({ one: [a, 'two'], two: [b] })
  const cases: [heard: string[] | undefined, marketing: string[]][] = [
    [undefined, ['one', 'two']],
    [
      ['one', 'two'],
      ['one', 'two'],
    ],
    [['one'], ['one']],
    [['two'], ['one', 'two']],
    [[], ['one']],
  ]
  for (const [heard, marketing] of cases) {
    const { ways } = relaysWith(plan, heard)
    assert.deepEqual(await ways('marketing'), marketing, String(heard))
    assert.deepEqual(await ways('transactional'), ['one', 'two'])
  }
})

test('relays that are read again keep what is the same, and close what is gone or leads elsewhere', async () => {
  const { relays, closed, ways } = relaysWith(planOf({ one: [a, 'two'], two: [b] }))
  const [one, two] = relays.all
  one?.results.set('accepted', 3)
  relays.follow?.(planOf({ two: [`${b}:26`], one: [a], three: [b] }))
  assert.deepEqual(closed, [b])
  assert.deepEqual(
    relays.all.map(({ name }) => name),
    ['two', 'one', 'three'],
  )
  const kept = relays.all[1]
  assert.equal(kept?.transport, one?.transport)
  assert.equal(kept?.health, one?.health)
  assert.equal(kept?.results.get('accepted'), 3)
  assert.equal(kept?.failover, undefined)
  assert.notEqual(relays.all[0]?.transport, two?.transport)
  assert.deepEqual(await ways('transactional'), ['two'])
})

test('a single relay that refuses sign-in mail counts as away, until it takes some', async () => {
  let fault: Error | undefined = new Unreachable('EAUTH', '535 5.7.8 no')
  let sent: SendResult = { result: 'untouched', fault: 'the relay hung up' }
  const connection: MailConnection = { send: async () => sent }
  const transport: Transport = {
    route: 'relay.example:587',
    connections: 1,
    rate: undefined,
    warmUp: false,
    use: (_turn, work) => (fault ? Promise.reject(fault) : work(connection)),
    close: async () => {},
  }
  const relays = onlyRelay(transport, {} as never)
  const isAway = () => relays.all[0]?.health.isAway(new Date())
  const send = () =>
    relays.own.use('urgent', (open) =>
      open.send({ from: 'a@a.test', to: 'b@b.test' }, Buffer.alloc(1)),
    )
  assert.equal(isAway(), false)
  await assert.rejects(send(), Unreachable)
  assert.equal(isAway(), true)
  assert.equal(relays.all[0]?.results.get('unreachable'), 1)
  fault = undefined
  await send()
  assert.equal(isAway(), true, 'the connection was lost')
  sent = { result: 'refused', code: 550, words: 'no such user' } as SendResult
  await send()
  assert.equal(isAway(), false, 'a refusal is an answer')
})
