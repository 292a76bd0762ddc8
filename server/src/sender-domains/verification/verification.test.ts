/** From the first record to `domain.verified`, with a real DNS server and a manual clock. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type DomainBench,
  domainBench,
  publishing,
} from '../../../../tests/support/businesses/domains.ts'
import { feedOf } from '../../../../tests/support/businesses/forms.ts'
import type { Caller } from '../../../../tests/support/clients/calls.ts'
import { withoutBind } from '../../../../tests/support/network/bind.ts'
import { sql } from '../../lib/db/db.ts'
import { createResolver } from '../../lib/dns/resolver.ts'
import { days, hours, later, seconds } from '../../lib/time/clock.ts'
import type { DomainView } from '../operations/view.ts'

describe('domain verification', { skip: withoutBind() }, () => {
  let bench: DomainBench
  before(async () => {
    bench = await domainBench()
  })
  after(() => bench.close())

  test('two passed checks in a row verify a domain, and the event is announced once', async () => {
    const { tools, bind, clock, database } = bench
    const { caller } = await bench.newOwner()
    const added = await caller.get<DomainView & { created: boolean }>(tools.add, {
      domain: 'Shop.TEST.',
    })
    assert.equal(added.created, true)
    assert.equal(added.domain, 'shop.test')
    assert.deepEqual(
      added.records.map(({ type, name, status }) => `${type} ${name} ${status}`),
      [
        'TXT s1._domainkey.shop.test missing',
        'MX send.shop.test missing',
        'TXT send.shop.test missing',
        'TXT _dmarc.shop.test missing',
        'CNAME t.shop.test missing',
      ],
    )
    await bind.update(...publishing(added.records))

    assert.equal(await bench.nextChecks(), 1)
    const first = await bench.statusOf(caller, 'shop.test')
    assert.deepEqual([first.status, first.may_send.transactional], ['pending', false])
    assert.match(first.summary, /One more check/)
    assert.deepEqual(new Set(first.records.map(({ status }) => status)), new Set(['ok']))

    assert.equal(await bench.nextChecks(), 1)
    const second = await bench.statusOf(caller, 'shop.test')
    assert.equal(second.status, 'verified')
    assert.deepEqual(second.may_send, { transactional: true, marketing: true })
    assert.equal(second.verified_at, clock.now().toISOString())
    for (let i = 0; i < 5; i++) await bench.nextChecks()
    const events = await feedOf(caller, { db: database.db, clock })
    const verified = events.filter(({ type }) => type === 'domain.verified')
    assert.deepEqual(
      verified.map(({ data }) => data),
      [{ domain: 'shop.test', verified_at: second.verified_at }],
    )
  })

  test('a failed check between two passed checks restarts the count', async () => {
    const { caller } = await bench.newOwner()
    const { records } = await caller.get<DomainView>(bench.tools.add, { domain: 'b.shop.test' })
    const dkim = publishing(records.slice(0, 1))
    await bench.bind.update(...dkim)
    await checkOf(caller, 'b.shop.test')
    await bench.bind.update('delete s1._domainkey.b.shop.test TXT')
    await checkOf(caller, 'b.shop.test')
    await bench.bind.update(...dkim)
    const again = await checkOf(caller, 'b.shop.test')
    assert.deepEqual([again.status, /One more check/.test(again.summary)], ['pending', true])
    assert.equal((await checkOf(caller, 'b.shop.test')).status, 'verified')
  })

  test('two checks at nearly the same moment count as one pass', async () => {
    const { caller } = await bench.newOwner()
    const { records } = await caller.get<DomainView>(bench.tools.add, { domain: 'c.shop.test' })
    await bench.bind.update(...publishing(records.slice(0, 1)))
    await checkOf(caller, 'c.shop.test')
    const soon = await bench.statusOf(caller, 'c.shop.test', true)
    assert.equal(soon.status, 'pending')
    bench.clock.forward(seconds(30))
    assert.equal((await bench.statusOf(caller, 'c.shop.test', true)).status, 'verified')
  })

  test('one failed check keeps a domain verified, three over 24 hours degrade it, and two passes restore it', async () => {
    const { caller, id } = await bench.newOwner()
    const name = 'd.shop.test'
    const { records } = await bench.verified(caller, name)
    const dkim = publishing(records.slice(0, 1))
    bench.clock.forward(days(10))
    await bench.bind.update(`delete s1._domainkey.${name} TXT`)
    const once = await bench.statusOf(caller, name, true)
    assert.deepEqual([once.status, once.may_send.marketing], ['verified', true])
    assert.equal(once.next_check_at, later(bench.clock.now(), hours(12)).toISOString())
    bench.clock.forward(hours(12))
    assert.equal((await bench.statusOf(caller, name, true)).status, 'verified')
    bench.clock.forward(hours(12) - 1)
    assert.equal((await bench.statusOf(caller, name, true)).status, 'verified')
    bench.clock.forward(1)
    const over = await bench.statusOf(caller, name, true)
    assert.equal(over.status, 'degraded')
    assert.deepEqual(over.may_send, { transactional: true, marketing: false })
    assert.match(over.summary, /not found any more since 2026-/)

    await bench.bind.update(...dkim)
    await checkOf(caller, name)
    assert.equal((await checkOf(caller, name)).status, 'verified')
    const told = await bench.database.db.all<{ type: string }>(sql`
      select type from events where business_id = ${id} and type like 'domain.%' order by id
    `)
    const types = told.map(({ type }) => type)
    assert.deepEqual(types, ['domain.verified', 'domain.degraded'], 'it was verified before')
  })

  test('a DNS failure neither verifies a domain nor counts as a failed check', async () => {
    const { caller } = await bench.newOwner()
    const name = 'e.shop.test'
    await bench.verified(caller, name)
    const { resolver } = bench.facility
    const nobody = createResolver({ servers: [{ address: '127.0.0.1', port: 1 }] })
    bench.facility.resolver.lookup = nobody.lookup
    for (let i = 0; i < 4; i++) {
      bench.clock.forward(hours(12))
      const { status, records, may_send } = await bench.statusOf(caller, name, true)
      assert.deepEqual([status, may_send.marketing], ['verified', true])
      assert.deepEqual(new Set(records.map((record) => record.status)), new Set(['unknown']))
    }
    bench.facility.resolver.lookup = createResolver({ servers: [bench.bind.server] }).lookup
    assert.equal(resolver, bench.facility.resolver)
  })

  /** Requests a check, long enough after the previous one. */
  function checkOf(caller: Caller, domain: string): Promise<DomainView> {
    bench.clock.forward(seconds(40))
    return bench.statusOf(caller, domain, true)
  }
})
