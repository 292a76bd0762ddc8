import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff, standings } from '../../../../tests/support/businesses/campaign-drafts.ts'
import { awaitState } from '../../../../tests/support/businesses/campaign-runs.ts'
import {
  campaignScene,
  deployPlanned,
  noonZone,
  yes,
} from '../../../../tests/support/businesses/campaigns.ts'
import { parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

test('an SMS campaign reaches the phones of contacts with SMS consent', async () => {
  const scene = await campaignScene(testbed)
  const awake = { attributes: { time_zone: noonZone() } }
  const numbers = ['+14155550111', '+14155550112']
  for (const phone of numbers) {
    await scene.contact({ phone, name: `Ana ${phone.slice(-1)}`, consent: { sms: yes }, ...awake })
  }
  await scene.contact({ phone: '+14155550113' })
  const content = { text: 'Shop: hello {{ contact.name }}! Reply STOP to opt out.' }
  const { campaign_id } = await scene.draft({ channel: 'sms', content })
  const campaignId = parseId('campaign', campaign_id)
  assert.ok(campaignId)
  const running = { db: testbed.db, businessId: scene.businessId, campaignId }
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 2, 'skipped:not_subscribed': 1 })
  const texts = await testbed.db.all<{ phone: string; body: string }>(sql`
    select phone, body from inbox_texts where phone = any (${numbers}) order by phone
  `)
  assert.deepEqual(
    texts.map(({ body }) => body),
    ['Shop: hello Ana 1! Reply STOP to opt out.', 'Shop: hello Ana 2! Reply STOP to opt out.'],
  )
})

test('the segments of an SMS campaign count towards the tier’s quota', async () => {
  const scene = await campaignScene(testbed, 'growth')
  const awake = { attributes: { time_zone: noonZone() } }
  for (const phone of ['+14155550121', '+14155550122']) {
    await scene.contact({ phone, consent: { sms: yes }, ...awake })
  }
  const text = `${'Shop: the new menu is here. '.repeat(6)}Reply STOP to opt out.`
  const { campaign_id } = await scene.draft({ channel: 'sms', content: { text } })
  const plan = await scene.owner.get<{ cost: object }>('campaign.preview', { campaign_id })
  assert.deepEqual(plan.cost, { metric: 'sms', amount: 4, left: 2_500 })
  await deployPlanned(scene.owner, { campaign_id })
  const campaignId = parseId('campaign', campaign_id)
  assert.ok(campaignId)
  const running = { db: testbed.db, businessId: scene.businessId, campaignId }
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 2 })
  const { cost } = await scene.owner.get<{ cost: { left: number } }>('campaign.preview', {
    campaign_id: (await scene.draft({ channel: 'sms', content: { text } })).campaign_id,
  })
  assert.equal(cost.left, 2_496)
})
