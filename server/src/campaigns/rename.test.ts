/** The name of a campaign is for its people alone, so it can be changed when the mail is out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../tests/support/businesses/campaigns.ts'
import { formatId, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, later } from '../lib/time/clock.ts'
import { campaignStates } from './campaign.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Shown {
  name: string
  version: number
  utm: Record<string, string> | null
}

test('a campaign that was ordered gets another name and nothing else, and its links keep theirs', async () => {
  const scene = await campaignScene(testbed)
  for (const state of campaignStates) {
    const { campaign_id } = await scene.draft({ name: 'Spring menu' })
    await scene.owner.get('campaign.save', { campaign_id, utm: { source: 'news' } })
    const id = parseId('campaign', campaign_id)
    await testbed.db.run(sql`update campaigns set state = ${state} where id = ${id}`)
    const get = () => scene.owner.get<Shown>('campaign.get', { campaign_id })
    const before = await get()
    const rename = { campaign_id, name: 'Summer menu' }
    if (state === 'draft') continue
    const saved = await scene.owner.get<Shown>('campaign.save', {
      ...rename,
      business_id: formatId('business', scene.businessId),
    })
    assert.deepEqual([saved.name, saved.version], ['Summer menu', before.version], state)
    const after = await get()
    assert.deepEqual(after.utm, { source: 'news', campaign: 'spring-menu' })
    assert.equal((await scene.refused('campaign.save', { ...rename, utm: {} })).code, 'conflict')
    assert.equal((await scene.refused('campaign.save', { campaign_id, name: '' })).field, 'name')
    assert.equal((await get()).name, 'Summer menu')
  }
})

test('links of a scheduled campaign keep the name that it was ordered by', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(1)
  await scene.owner.get('business.save', { utm: { source: 'shop', medium: 'email' } })
  const { campaign_id } = await scene.draft({ name: 'Spring menu' })
  const send_at = later(new Date(), days(2)).toISOString()
  await deployPlanned(scene.owner, { campaign_id, send_at })
  await scene.owner.get('campaign.save', { campaign_id, name: 'Summer menu' })
  const { utm } = await scene.owner.get<Shown>('campaign.get', { campaign_id })
  assert.deepEqual(utm, { source: 'shop', medium: 'email', campaign: 'spring-menu' })
})
