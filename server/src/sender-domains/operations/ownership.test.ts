/** Who owns a domain: what DNS says, and no business learns anything about another. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type DomainBench,
  domainBench,
  publishing,
} from '../../../../tests/support/businesses/domains.ts'
import { withoutBind } from '../../../../tests/support/network/bind.ts'
import { isRefusal } from '../../core/errors.ts'
import { sql } from '../../lib/db/db.ts'
import { days, hours, minutes, seconds } from '../../lib/time/clock.ts'
import { checksPerHour } from '../model/domain.ts'
import { createSenders } from '../senders/senders.ts'
import type { DomainView } from './view.ts'

describe('domain ownership', { skip: withoutBind() }, () => {
  let bench: DomainBench
  before(async () => {
    bench = await domainBench()
  })
  after(() => bench.close())

  const check = (owner: { caller: Parameters<DomainBench['statusOf']>[0] }, domain: string) => {
    bench.clock.forward(seconds(40))
    return bench.statusOf(owner.caller, domain, true)
  }
  const sends = async (
    id: Parameters<ReturnType<typeof createSenders>['senderOf']>[0],
    from: string,
  ) => {
    const parts = { ...bench.facility, db: bench.database.db, clock: bench.clock }
    return !isRefusal(await createSenders(parts).senderOf(id, from))
  }

  test('a business that adds another business’s domain learns only what DNS shows publicly', async () => {
    const first = await bench.newOwner()
    await bench.verified(first.caller, 'shop.test')
    const second = await bench.newOwner()
    const taken = await second.caller.get<DomainView>(bench.tools.add, { domain: 'shop.test' })
    assert.equal(taken.status, 'pending')
    // The published key is public, so the business may learn that it is not its own.
    assert.equal(taken.records[0]?.status, 'wrong')
    assert.doesNotMatch(JSON.stringify(taken), /account|business|verified in/)
    assert.equal((await check(second, 'shop.test')).status, 'pending')
    await second.caller.get(bench.tools.remove, { domain: 'shop.test' })
    assert.ok(await sends(first.id, 'a@shop.test'))
  })

  test('a domain is verified in one business at a time and moves to a business that alone proves it', async () => {
    const [first, second] = [await bench.newOwner(), await bench.newOwner()]
    const domain = 'b.shop.test'
    const held = await bench.verified(first.caller, domain)
    const wanted = await second.caller.get<DomainView>(bench.tools.add, { domain })
    const key = `s1._domainkey.${domain}`
    await bench.bind.update(`delete ${key} TXT`, ...publishing(wanted.records.slice(0, 1)))
    await check(second, domain)
    const refused = await check(second, domain)
    assert.equal(refused.status, 'pending')
    assert.match(refused.summary, /verified in another account of this service/)
    assert.ok(!(await sends(second.id, `a@${domain}`)))

    // The first owner's key is missing from DNS for a day.
    for (let i = 0; i < 3; i++) {
      bench.clock.forward(hours(12))
      await bench.statusOf(first.caller, domain, true)
    }
    assert.equal((await bench.statusOf(first.caller, domain)).status, 'degraded')
    assert.equal((await check(second, domain)).status, 'verified')
    assert.deepEqual(
      [await sends(first.id, `a@${domain}`), await sends(second.id, `a@${domain}`)],
      [false, true],
    )
    const lost = await check(first, domain)
    assert.deepEqual([lost.status, lost.verified_at], ['pending', null])
    await bench.bind.update(`delete ${key} TXT`, ...publishing(held.records.slice(0, 1)))
    await check(first, domain)
    assert.match((await check(first, domain)).summary, /another account/)
    await second.caller.get(bench.tools.remove, { domain })
    assert.equal((await check(first, domain)).status, 'verified')
  })

  test('adding a domain twice creates it once, within the tier’s limit, counted and audited', async () => {
    const { db } = bench.database
    const { caller, id } = await bench.newOwner('free')
    const both = await Promise.all(
      [1, 2].map(() =>
        caller.get<{ created: boolean }>(bench.tools.add, { domain: 'c.shop.test' }),
      ),
    )
    assert.equal(both.filter(({ created }) => created).length, 1)
    const refused = await caller.refused(bench.tools.add, { domain: 'd.shop.test' })
    assert.deepEqual([refused.code, refused.details.data?.['limit']], ['tier_required', 1])
    const removed = await caller.get<object>(bench.tools.remove, { domain: 'C.shop.test' })
    assert.deepEqual(removed, {
      domain: 'c.shop.test',
      removed: true,
      delete_from_dns: ['s1._domainkey.c.shop.test', 'send.c.shop.test', 't.c.shop.test'],
    })
    await caller.get(bench.tools.add, { domain: 'd.shop.test' })
    const audit = await db.all(sql`
      select action, subject from audit_entries where business_id = ${id} order by id
    `)
    assert.deepEqual(audit, [
      { action: 'domain.add', subject: 'c.shop.test' },
      { action: 'domain.remove', subject: 'c.shop.test' },
      { action: 'domain.add', subject: 'd.shop.test' },
    ])
    const left = await db.one(sql`select count(*) as n from domain_keys where business_id = ${id}`)
    assert.deepEqual(left, { n: 1 })
  })

  test('requested domain checks are limited to 60 an hour, and scheduled checks continue', async () => {
    const { caller } = await bench.newOwner()
    await caller.get(bench.tools.add, { domain: 'e.shop.test' })
    for (let i = 1; i < checksPerHour; i++) await bench.statusOf(caller, 'e.shop.test', true)
    const input = { domain: 'e.shop.test', check: true }
    const refused = await caller.refused(bench.tools.status, input)
    assert.equal(refused.code, 'rate_limited')
    assert.equal(refused.details.retryAfter, 3600)
    const before = await bench.statusOf(caller, 'e.shop.test')
    bench.clock.forward(minutes(1))
    while ((await bench.runChecks()) > 0);
    const after = await bench.statusOf(caller, 'e.shop.test')
    assert.ok((after.checked_at ?? '') > (before.checked_at ?? ''))
    await caller.refused(bench.tools.status, { check: true })
  })

  test('a removed domain is not checked again', async () => {
    const { caller } = await bench.newOwner()
    await caller.get(bench.tools.add, { domain: 'f.shop.test' })
    await caller.get(bench.tools.remove, { domain: 'f.shop.test' })
    bench.clock.forward(days(1))
    while ((await bench.runChecks()) > 0);
    const missing = await caller.refused(bench.tools.status, { domain: 'f.shop.test' })
    assert.equal(missing.code, 'not_found')
    const { domains } = await caller.get<{ domains: unknown[] }>(bench.tools.status)
    assert.deepEqual(domains, [])
  })
})
