import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../../tests/support/businesses/campaigns.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Shown {
  status: string
  waits?: { for: string; until: string | null; approval_url?: string }
}

async function deployed(more: object = {}, limit = '') {
  const scene = await campaignScene(testbed)
  await scene.subscribers(3)
  if (limit !== '') {
    const setting = { key: 'deploy_limit', value: limit, now: new Date() }
    await setBusiness(testbed.db, scene.businessId, setting)
  }
  const { campaign_id } = await scene.draft()
  await deployPlanned(scene.owner, { campaign_id, ...more })
  const get = () => scene.owner.get<Shown>('campaign.get', { campaign_id })
  return { scene, campaign_id, get }
}

test('a campaign says that it waits for a person’s approval, and where', async () => {
  const { campaign_id, get } = await deployed({}, '1')
  assert.deepEqual((await get()).waits, {
    for: 'approval',
    until: null,
    approval_url: `${testbed.service.config.appUrl}/campaigns/${campaign_id}`,
  })
})

test('a scheduled campaign says when it is sent', async () => {
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const { get } = await deployed({ send_at })
  assert.deepEqual((await get()).waits, { for: 'send_at', until: send_at })
})

test('a campaign says that its other recipients wait for the canary, and until when', async () => {
  const { scene, get } = await deployed()
  assert.equal((await get()).waits, undefined, 'it is not frozen yet')
  const { businessId } = scene
  const { id } = await testbed.db.one<{ id: string }>(sql`
    select id from campaigns where business_id = ${businessId}
  `)
  await testbed.db.run(sql`
    insert into campaign_runs (business_id, campaign_id, freeze_end, recipients, taken, canary,
      brake_from, tokens, paced_at, updated_at)
    values (${businessId}, ${id}, ${newId('contact')}, 100, 2, 2, '{}', 0, now(), now())
  `)
  assert.deepEqual((await get()).waits, {
    for: 'first_recipients',
    until: null,
    complaints_reported: false,
  })
  const until = new Date(Date.now() + 60_000)
  await testbed.db.run(sql`
    update campaign_runs set canary_until = ${until} where business_id = ${businessId}
  `)
  assert.deepEqual((await get()).waits, {
    for: 'first_recipients',
    until: until.toISOString(),
    complaints_reported: false,
  })
  await testbed.db.run(sql`
    update campaign_runs set canary_until = now() - interval '1 minute' where business_id = ${businessId}
  `)
  assert.equal((await get()).waits, undefined)
})
