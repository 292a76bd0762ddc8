/** Domains on a service that only its own machine can reach, and its hints about marketing. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type DomainBench,
  domainBench,
  publishing,
} from '../../../../tests/support/businesses/domains.ts'
import { withoutBind } from '../../../../tests/support/network/bind.ts'
import { sql } from '../../lib/db/db.ts'
import { domainAdd } from '../operations/add.ts'
import { domainStatus } from '../operations/status.ts'
import type { DomainView } from '../operations/view.ts'

describe('adding a domain on a local service', { skip: withoutBind() }, () => {
  let bench: DomainBench
  before(async () => {
    bench = await domainBench()
  })
  after(() => bench.close())

  type Added = DomainView & { created: boolean; warning?: string }
  const toolsWith = (settings: Partial<DomainBench['facility']['settings']>) => {
    const facility = { ...bench.facility, settings: { ...bench.facility.settings, ...settings } }
    return { add: domainAdd(facility), status: domainStatus(facility) }
  }
  const local = ['localhost', '127.0.0.1', '[::1]', 'crier.localhost']

  test('with a strict gate, domain.add on a local service is refused and names the settings to change', async () => {
    const { caller, id } = await bench.newOwner()
    for (const trackingHost of local) {
      const { add } = toolsWith({ gate: 'strict', trackingHost })
      const refusal = await caller.refused(add, { domain: 'a.shop.test' })
      assert.deepEqual([refusal.code, refusal.details.field], ['conflict', 'domain'])
      assert.ok(refusal.message.includes(`point the tracking name at ${trackingHost}`))
      assert.match(refusal.message, /bounces at bounce\.operator\.test/)
      assert.match(refusal.message, /sets BASE_URL .* and BOUNCE_DOMAIN; then add the domain/)
    }
    const { n } = await bench.database.db.one<{ n: number }>(sql`
      select count(*)::int as n from domains where business_id = ${id}
    `)
    assert.equal(n, 0)
  })

  test('with an open gate, a domain on a local service is added with a warning about its records', async () => {
    const { caller } = await bench.newOwner()
    const { add } = toolsWith({ gate: 'off', trackingHost: 'localhost' })
    const added = await caller.get<Added>(add, { domain: 'b.shop.test' })
    assert.equal(added.created, true)
    assert.match(added.warning ?? '', /point the tracking name at localhost/)
    assert.match(added.warning ?? '', /sets BASE_URL .* then remove this domain and add it again/)
    const again = await caller.get<Added>(add, { domain: 'b.shop.test' })
    assert.deepEqual([again.created, again.warning], [false, added.warning])
  })

  test('a public service adds a domain without a warning', async () => {
    const { caller } = await bench.newOwner()
    for (const gate of ['strict', 'off'] as const) {
      const { add } = toolsWith({ gate })
      const { warning } = await caller.get<Added>(add, { domain: `${gate}.shop.test` })
      assert.equal(warning, undefined)
    }
  })

  test('domain.status never says that marketing waits when marketing may be sent', async () => {
    const { caller } = await bench.newOwner()
    const { records } = await caller.get<Added>(toolsWith({ gate: 'strict' }).add, {
      domain: 'c.shop.test',
    })
    const look = async (gate: 'strict' | 'off') => {
      const { domains } = await caller.get<{ domains: DomainView[] }>(toolsWith({ gate }).status, {
        domain: 'c.shop.test',
        check: true,
      })
      bench.clock.forward(3_600_000)
      return domains[0] ?? assert.fail('it has no status')
    }
    const waits = /Marketing (also needs|waits)/
    const states = new Set<string>()
    const agree = async () => {
      for (const gate of ['strict', 'off'] as const) {
        const { may_send, summary, status } = await look(gate)
        states.add(status)
        assert.equal(may_send.marketing, gate === 'off')
        // Between two checks the summary says when the next one is, and nothing about marketing.
        if (gate === 'off') assert.doesNotMatch(summary, waits)
        else assert.match(summary, /Marketing (also needs|waits)|One more check/)
      }
    }
    await agree()
    // Only DKIM: verified, but without the records that marketing needs.
    const dkim = records.filter(({ needed_for }) => needed_for === 'verification')
    await bench.bind.update(...publishing(dkim))
    await agree()
    await agree()
    assert.deepEqual([...states], ['pending', 'verified'])
  })
})
