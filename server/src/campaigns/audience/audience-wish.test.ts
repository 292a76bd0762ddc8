import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../../tests/support/businesses/campaigns.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Generated {
  campaign_id: string
  audience: object
  audience_wish: string | null
  notes: string[]
}

async function briefed(audience: string | undefined, more: object = {}) {
  const scene = await campaignScene(testbed)
  await scene.subscribers(2, { tags: ['vip'] })
  const brief = { goal: 'Tell them that the garden opens on Monday.', audience }
  const made = await scene.owner.get<Generated>('campaign.generate', {
    channel: 'email',
    brief,
    ...more,
  })
  return { scene, made, input: { campaign_id: made.campaign_id } }
}

test('an audience wish without a matching tag stops the deploy until an audience is chosen', async () => {
  const { scene, made, input } = await briefed('gardeners in Lyon')
  assert.equal(made.audience_wish, 'gardeners in Lyon')
  assert.match(made.notes.join(' '), /gardeners in Lyon/)
  const refused = await scene.refused('campaign.deploy', input)
  assert.equal(refused.code, 'conflict')
  assert.match(refused.message, /gardeners in Lyon/)
  assert.match(`${refused.fix?.tool}`, /campaign\.save$/)
  // The unchanged fix chooses no audience, and neither do other changes.
  await scene.owner.get('campaign.save', { ...refused.fix?.arguments })
  await scene.owner.get('campaign.save', { ...input, content: { subject: 'The garden' } })
  await scene.refused('campaign.deploy', input)
  await scene.owner.get('campaign.save', { ...input, audience: { tags: ['vip'] } })
  const { status } = await deployPlanned<{ status: string }>(scene.owner, input)
  assert.equal(status, 'deployed')
})

test('an empty audience chosen explicitly means every contact', async () => {
  const { scene, input } = await briefed('gardeners')
  await scene.owner.get('campaign.save', { ...input, audience: {} })
  const shown = await scene.owner.get<Generated>('campaign.get', input)
  assert.equal(shown.audience_wish, null)
  await deployPlanned(scene.owner, input)
})

for (const [wish, more, name] of [
  ['VIP customers', {}, 'a tag that matches'],
  ['all our subscribers', {}, 'a wish for everyone'],
  ['gardeners', { audience: {} }, 'an audience that the call gives'],
  [undefined, {}, 'no wish'],
] as const) {
  test(`a generated draft with ${name} can be deployed without choosing an audience`, async () => {
    const { scene, made, input } = await briefed(wish, more)
    assert.equal(made.audience_wish, null)
    await deployPlanned(scene.owner, input)
  })
}
