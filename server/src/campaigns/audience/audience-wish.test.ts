import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
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

test('a wish that no tag matches stops the deploy until somebody chooses', async () => {
  const { scene, made, input } = await briefed('gardeners in Lyon')
  assert.equal(made.audience_wish, 'gardeners in Lyon')
  assert.match(made.notes.join(' '), /gardeners in Lyon/)
  const refused = await scene.refused('campaign.deploy', input)
  assert.equal(refused.code, 'conflict')
  assert.match(refused.message, /gardeners in Lyon/)
  assert.match(`${refused.fix?.tool}`, /campaign\.save$/)
  // The fix as it stands chooses nothing, and other changes do not either.
  await scene.owner.get('campaign.save', { ...refused.fix?.arguments })
  await scene.owner.get('campaign.save', { ...input, content: { subject: 'The garden' } })
  await scene.refused('campaign.deploy', input)
  await scene.owner.get('campaign.save', { ...input, audience: { tags: ['vip'] } })
  const { status } = await scene.owner.get<{ status: string }>('campaign.deploy', input)
  assert.equal(status, 'deployed')
})

test('everyone is chosen by saying so', async () => {
  const { scene, input } = await briefed('gardeners')
  await scene.owner.get('campaign.save', { ...input, audience: {} })
  const shown = await scene.owner.get<Generated>('campaign.get', input)
  assert.equal(shown.audience_wish, null)
  await scene.owner.get('campaign.deploy', input)
})

for (const [wish, more, name] of [
  ['VIP customers', {}, 'a tag that matches'],
  ['all our subscribers', {}, 'a wish for everyone'],
  ['gardeners', { audience: {} }, 'an audience that the call gives'],
  [undefined, {}, 'no wish'],
] as const) {
  test(`${name} leaves nothing to choose`, async () => {
    const { scene, made, input } = await briefed(wish, more)
    assert.equal(made.audience_wish, null)
    await scene.owner.get('campaign.deploy', input)
  })
}
