/** The sender gate, through the tool endpoint: tripped, and satisfied by the call in its remedy. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { campaignScene, deployPlanned } from '../../../../../tests/support/businesses/campaigns.ts'
import { publishing } from '../../../../../tests/support/businesses/domains.ts'
import { type FakeRelay, startFakeRelay } from '../../../../../tests/support/mail/fake-relay.ts'
import { mailService } from '../../../../../tests/support/mail/mail-service.ts'
import { type Bind, startBind, withoutBind } from '../../../../../tests/support/network/bind.ts'
import { setBusiness } from '../../../accounts/settings/settings.ts'
import { sql } from '../../../lib/db/db.ts'
import type { DomainView } from '../../../sender-domains/operations/view.ts'
import type { Gate } from './gate.ts'

describe('the sender gate where senders must be verified', { skip: withoutBind() }, () => {
  let bind: Bind
  let relay: FakeRelay
  before(async () => {
    bind = await startBind(['shop.test', 'operator.test'])
    relay = await startFakeRelay()
  })
  after(async () => {
    await relay?.stop()
    await bind?.stop()
  })

  test('a sender domain without its DNS records blocks a campaign; with them it can be deployed', async (t) => {
    /** Milliseconds by which the service's clock is ahead of ours. */
    let ahead = 0
    const mail = await mailService(relay.url('?warmup=no'), {
      clock: { now: () => new Date(Date.now() + ahead) },
      settings: {
        DNS_SERVERS: `${bind.server.address}:${bind.server.port}`,
        BOUNCE_DOMAIN: 'bounce.operator.test',
        MAIL_FROM: 'crier@operator.test',
        BASE_URL: 'https://crier.operator.test',
        SENDER_GATE: 'strict',
        FEEDBACK_GATE: 'off',
      },
    })
    t.after(() => mail.close())
    const scene = await campaignScene(mail.testbed)
    const { owner, businessId } = scene
    const value = 'Ana <ana@shop.test>'
    await setBusiness(mail.testbed.db, businessId, { key: 'sender', value, now: new Date() })
    await scene.subscribers(1)
    const { records } = await owner.get<DomainView>('domain.add', { domain: 'shop.test' })
    ahead += 11_000
    const { campaign_id } = await scene.draft()
    const gate = async () => {
      const { gates } = await owner.get<{ gates: Gate[] }>('campaign.preview', { campaign_id })
      return gates.find((entry) => entry.gate === 'sender') ?? assert.fail('it is not looked at')
    }
    const { result, evidence, fix } = await gate()
    assert.equal(result, 'block')
    assert.match(evidence, /shop\.test is not verified/)
    assert.equal(fix?.tool, 'svc.v1.domain.status')
    const refusal = await scene.refused('campaign.deploy', { campaign_id })
    assert.match(refusal.message, /shop\.test is not verified/)

    await bind.update(...publishing(records))
    for (let look = 0; look < 2; look++) {
      await owner.get('domain.status', fix?.arguments)
      await mail.testbed.db.run(sql`update domains set passed_at = passed_at - interval '1 hour'`)
    }
    ahead += 11_000
    assert.equal((await gate()).result, 'pass')
    await deployPlanned(owner, { campaign_id })
  })
})
