import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  type Drafted,
  openCampaignTestbed,
} from '../../../tests/support/businesses/campaigns.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

const content = {
  subject: 'News',
  html: '<p>Monday at nine.</p>',
  text: 'Monday at nine, in text.',
}

test('new HTML replaces the old text body, with a warning, and the preview shows the new content', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(1)
  const { campaign_id } = await scene.draft({ content })
  const save = (change: object) =>
    scene.owner.get<Drafted>('campaign.save', { campaign_id, content: change })
  const said = async () => {
    const { samples } = await scene.owner.get<{ samples: { text: string }[] }>('campaign.preview', {
      campaign_id,
    })
    return `${samples[0]?.text}`
  }
  const { warnings } = await save({ html: '<p>Tuesday at ten.</p>' })
  assert.match(warnings.join(' '), /old text was dropped/)
  assert.match(await said(), /Tuesday at ten/)
  assert.doesNotMatch(await said(), /Monday/)
  // A text given with the HTML is saved, and a save with the same HTML keeps the text.
  const both = await save({ html: '<p>Friday.</p>', text: 'Friday, in text.' })
  assert.deepEqual(both.warnings, [])
  await save({ subject: 'Other news' })
  await save({ html: '<p>Friday.</p>' })
  assert.match(await said(), /Friday, in text/)
})
