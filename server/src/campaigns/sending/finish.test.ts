import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import { draftTo } from '../../../../tests/support/businesses/campaign-runs.ts'
import { openCampaignTestbed } from '../../../../tests/support/businesses/campaigns.ts'
import { minutes, seconds } from '../../lib/time/clock.ts'
import { finishOf } from './pace.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed({ settings: { CANARY_SECONDS: '1800' } })
})
after(() => testbed.close())

const start = new Date('2026-11-22T09:00:00Z')
const after_ = (recipients: number, canaryWaitMs: number) => {
  const finish = finishOf(recipients, { perMinute: 100, canaryWaitMs }, start)
  return finish && finish.getTime() - start.getTime()
}

test('the throttle determines when the last message is sent, and only large campaigns wait for the canary', () => {
  assert.equal(after_(50, seconds(90)), seconds(30))
  assert.equal(after_(1_000, seconds(90)), minutes(10))
  assert.equal(after_(2_000, seconds(90)), minutes(20) + seconds(90))
  assert.equal(after_(2_000, 0), minutes(20))
  assert.equal(finishOf(2_000, { perMinute: null, canaryWaitMs: 0 }, start), null)
})

test('the finish time of a plan includes the configured canary wait', async () => {
  const { scene, name: campaign_id } = await draftTo(testbed, 1_200)
  const asked = { campaign_id, throttle_per_minute: 1_200 }
  const before = Date.now()
  const { finishes_at } = await scene.owner.get<{ finishes_at: string }>('campaign.preview', asked)
  const takes = Date.parse(finishes_at) - before
  assert.ok(takes >= minutes(31) && takes < minutes(32), `${takes} ms`)
})
