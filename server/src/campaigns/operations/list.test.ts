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

interface Page {
  campaigns: { campaign_id: string; status: string }[]
  next_cursor?: string
}

test('campaigns are listed newest first, in pages, and by status', async () => {
  const { owner, draft } = await campaignScene(testbed)
  const made: string[] = []
  for (const name of ['one', 'two', 'three']) made.push((await draft({ name })).campaign_id)
  const first = await owner.get<Page>('campaign.list', { limit: 2 })
  const second = await owner.get<Page>('campaign.list', { limit: 2, cursor: first.next_cursor })
  const ids = [...first.campaigns, ...second.campaigns].map(({ campaign_id }) => campaign_id)
  assert.deepEqual(ids, made.toReversed())
  assert.equal(second.next_cursor, undefined)
  const deployed = await owner.get<Page>('campaign.list', { status: 'deployed' })
  assert.deepEqual(deployed.campaigns, [])
})

test('another business’s campaign is reported as not found', async () => {
  const one = await campaignScene(testbed)
  const other = await campaignScene(testbed)
  const { campaign_id } = await one.draft()
  for (const operation of ['campaign.get', 'campaign.preview']) {
    const { code, message } = await other.refused(operation, { campaign_id })
    assert.equal(code, 'not_found')
    assert.equal(message, `This business has no campaign ${campaign_id}.`)
  }
})
