import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Bind, startBind, withoutBind } from '../../../../tests/support/network/bind.ts'
import { createResolver, type Resolver } from './resolver.ts'

describe('the DNS resolver against BIND', { skip: withoutBind() }, () => {
  let bind: Bind
  let resolver: Resolver
  before(async () => {
    bind = await startBind(['shop.test', 'operator.test'])
    resolver = createResolver({ servers: [bind.server] })
  })
  after(() => bind.stop())

  test('a TXT record is its strings joined, with its TTL', async () => {
    await bind.update('add a.shop.test 123 TXT "v=DKIM1; " "k=rsa; p=abc"')
    const found = await resolver.lookup('a.shop.test', 'TXT')
    assert.deepEqual(found, {
      outcome: 'found',
      records: [{ name: 'a.shop.test', ttl: 123, type: 'TXT', text: 'v=DKIM1; k=rsa; p=abc' }],
      ttl: 123,
      aliases: [],
    })
  })

  test('aliases are followed into another zone, and listed', async () => {
    await bind.update(
      'add b.shop.test 700 CNAME c.shop.test',
      'add c.shop.test 20 CNAME key.operator.test',
      'add key.operator.test 30 TXT "here"',
    )
    const found = await resolver.lookup('b.shop.test', 'TXT')
    assert.equal(found.outcome, 'found')
    assert.deepEqual(found.aliases, ['c.shop.test', 'key.operator.test'])
    assert.deepEqual(found.outcome === 'found' && found.ttl, 700)
    const itself = await resolver.lookup('b.shop.test', 'CNAME')
    assert.deepEqual(itself.outcome === 'found' && itself.records[0]?.target, 'c.shop.test')
  })

  test('an unknown name and a name without such a record are both absent', async () => {
    await bind.update('add mx.shop.test 60 MX 10 Mail.Operator.TEST.')
    const gone = await resolver.lookup('nothing.shop.test', 'TXT')
    assert.deepEqual(gone, { outcome: 'absent', retryIn: 1, aliases: [] })
    assert.equal((await resolver.lookup('mx.shop.test', 'TXT')).outcome, 'absent')
    const mx = await resolver.lookup('mx.shop.test', 'MX')
    assert.equal(mx.outcome === 'found' && mx.records[0]?.exchange, 'mail.operator.test')
  })

  test('an alias to an unknown name is absent, and its target is listed', async () => {
    await bind.update('add d.shop.test 60 CNAME gone.operator.test')
    const { outcome, aliases } = await resolver.lookup('d.shop.test', 'TXT')
    assert.deepEqual([outcome, aliases], ['absent', ['gone.operator.test']])
  })

  test('a loop of aliases is distinguished from an unknown name', async () => {
    await bind.update(
      'add e.shop.test 60 CNAME f.shop.test',
      'add f.shop.test 60 CNAME e.shop.test',
    )
    const lookup = await resolver.lookup('e.shop.test', 'TXT')
    assert.equal(lookup.outcome === 'failed' && lookup.failure, 'alias_loop')
  })

  test('a reply that does not fit one packet is queried over TCP', async () => {
    const strings = Array.from({ length: 120 }, (_, i) => `"${String(i).padEnd(250, 'x')}"`)
    await bind.update(`add huge.shop.test 60 TXT ${strings.slice(0, 60).join(' ')}`)
    await bind.update(`add huge.shop.test 60 TXT ${strings.slice(60).join(' ')}`)
    const found = await resolver.lookup('huge.shop.test', 'TXT')
    assert.equal(found.outcome, 'found')
    const lengths = found.outcome === 'found' && found.records.map(({ text }) => text.length)
    assert.deepEqual(lengths, [15_000, 15_000])
  })
})
