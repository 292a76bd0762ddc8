/** A change of keys from the first day to the last, by the clock and with a real DNS server. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type DomainBench,
  domainBench,
  publishing,
} from '../../../../tests/support/businesses/domains.ts'
import { withoutBind } from '../../../../tests/support/network/bind.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { days, seconds } from '../../lib/time/clock.ts'
import { operatorZone } from '../records/operator-zone.ts'
import { createSenders } from '../senders/senders.ts'
import { changeKeyOf } from './change-key.ts'

describe('rotating a DKIM key that the owner publishes', { skip: withoutBind() }, () => {
  let bench: DomainBench
  before(async () => {
    bench = await domainBench()
  })
  after(() => bench.close())

  test('the new DKIM key is used twice its TTL after our own check, and the old key is removed after a week', async () => {
    const { bind, clock, database, facility } = bench
    const parts = { ...facility, db: database.db, clock }
    const { caller, id } = await bench.newOwner()
    await bench.verified(caller, 'shop.test')
    const selector = async () => {
      const sender = await createSenders(parts).senderOf(id)
      return isRefusal(sender) ? undefined : sender.keys.map((key) => key.selector).join()
    }
    const record = async (name: string) => {
      const { records } = await bench.statusOf(caller, 'shop.test')
      return records.find((entry) => entry.name === `${name}._domainkey.shop.test`)
    }
    clock.forward(days(30))
    await bench.runChecks()

    assert.equal(await changeKeyOf(parts, 'shop.test'), 2)
    const again = await orRefusal(() => changeKeyOf(parts, 'shop.test'))
    assert.ok(isRefusal(again) && /being changed already/.test(again.message))
    await bench.nextChecks()
    const coming = await record('s2')
    assert.deepEqual([coming?.status, coming?.needed_for], ['missing', 'key_change'])
    assert.equal(await selector(), 's1', 'nothing changes before it is published')

    await bind.update(...publishing([coming ?? assert.fail()], 600))
    await bench.nextChecks()
    const seenAt = clock.now()
    assert.equal(await selector(), 's1')
    clock.forward(seconds(1199))
    await bench.runChecks()
    assert.equal(await selector(), 's1')
    clock.forward(seconds(1))
    await bench.runChecks()
    assert.equal(clock.now().getTime(), seenAt.getTime() + 2 * 600 * 1000)
    assert.equal(await selector(), 's2')

    const switchedAt = clock.now()
    assert.equal((await record('s1'))?.needed_for, 'key_change', 'kept for mail on its way')
    while (clock.now().getTime() < switchedAt.getTime() + days(7)) await bench.nextChecks()
    assert.equal(clock.now().getTime(), switchedAt.getTime() + days(7), 'to the moment')
    await bench.nextChecks()
    const old = await record('s1')
    assert.deepEqual([old?.status, old?.value], ['wrong', 'v=DKIM1; k=rsa; p='])
    assert.match(old?.remedy ?? '', /no longer used/)
    await bind.update(
      'delete s1._domainkey.shop.test TXT',
      'add s1._domainkey.shop.test 60 TXT "v=DKIM1; k=rsa; p="',
    )
    await bench.nextChecks()
    assert.equal((await record('s1'))?.status, 'ok')
    assert.equal((await bench.statusOf(caller, 'shop.test')).status, 'verified')
    assert.equal(await changeKeyOf(parts, 'shop.test'), 1, 'the slots take turns')
  })
})

describe("rotating a DKIM key in the operator's zone", { skip: withoutBind() }, () => {
  let bench: DomainBench
  before(async () => {
    bench = await domainBench({ zone: 'operator.test' })
  })
  after(() => bench.close())

  /** Loads the printed zone, as the operator does. */
  async function loadZone(): Promise<string> {
    const { database, facility, bind } = bench
    const zone = await operatorZone(database.db, 'operator.test', facility.settings)
    const lines = zone.split('\n').filter((line) => line !== '' && !line.startsWith(';'))
    const names = new Set(lines.map((line) => line.split(' ')[0]))
    await bind.update(...[...names].map((name) => `delete ${name}`))
    await bind.update(...lines.map((line) => `add ${line.replace(' IN ', ' ')}`))
    return zone
  }

  test('the DKIM key rotates by itself after half a year, without the owner', async () => {
    const { caller } = await bench.newOwner()
    const added = await caller.get<{ records: Parameters<typeof publishing>[0] }>(bench.tools.add, {
      domain: 'shop.test',
    })
    assert.deepEqual(
      added.records.map(({ type, name }) => `${type} ${name}`),
      [
        'CNAME s1._domainkey.shop.test',
        'CNAME s2._domainkey.shop.test',
        'CNAME send.shop.test',
        'TXT _dmarc.shop.test',
        'CNAME t.shop.test',
      ],
    )
    await bench.bind.update(...publishing(added.records))
    const early = await bench.statusOf(caller, 'shop.test', true)
    assert.match(early.records[0]?.remedy ?? '', /The CNAME is right.*crier domains zone/)
    await loadZone()
    await bench.nextChecks()
    await bench.nextChecks()
    const verified = await bench.statusOf(caller, 'shop.test')
    assert.deepEqual(verified.may_send, { transactional: true, marketing: true })
    assert.deepEqual(new Set(verified.records.map(({ status }) => status)), new Set(['ok']))

    bench.clock.forward(days(180))
    await bench.nextChecks()
    const before = await loadZone()
    assert.match(before, /^s2\.\w{26}\.operator\.test\. 3600 IN TXT "v=DKIM1; k=rsa; p=MII/m)
    const start = bench.clock.now().getTime()
    while (bench.clock.now().getTime() < start + days(9)) {
      await bench.nextChecks()
      await loadZone()
    }
    const after = await loadZone()
    assert.match(after, /^s1\.\w{26}\.operator\.test\. 3600 IN TXT "v=DKIM1; k=rsa; p="$/m)
    const changed = await bench.statusOf(caller, 'shop.test')
    assert.deepEqual([changed.status, changed.may_send.marketing], ['verified', true])
  })
})
