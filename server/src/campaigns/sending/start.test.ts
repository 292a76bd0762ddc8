import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  openCampaignTestbed,
} from '../../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed({ idle: false })
})
after(() => testbed.close())

interface Shown {
  status: string
  pause_reason: string | null
  recipients: number
}
type Scene = Awaited<ReturnType<typeof campaignScene>>

/** Scheduled for soon; what `meanwhile` does is done before, also on a busy machine. */
async function comeDue(meanwhile: (scene: Scene) => Promise<unknown>) {
  const scene = await campaignScene(testbed)
  await scene.subscribers(2)
  const { campaign_id } = await scene.draft()
  const send_at = new Date(Date.now() + 8_000).toISOString()
  const ordered = await scene.owner.get<Shown>('campaign.deploy', { campaign_id, send_at })
  assert.equal(ordered.status, 'scheduled')
  await meanwhile(scene)
  const shown = await eventually(
    () => scene.owner.get<Shown>('campaign.get', { campaign_id }),
    ({ status }) => status !== 'scheduled',
  )
  return { scene, campaign_id, shown }
}

const set = ({ businessId }: Scene, key: string, value: string) =>
  setBusiness(testbed.db, businessId, { key, value, now: new Date() })

test('at its hour a campaign is deployed to those who are there then', async () => {
  const { shown } = await comeDue((scene) => scene.subscribers(3))
  assert.ok(['deployed', 'completed'].includes(shown.status), shown.status)
  assert.equal(shown.recipients, 3)
})

test('a gate that closed meanwhile pauses it at once; mended, it is resumed', async () => {
  const { scene, campaign_id, shown } = await comeDue((one) => set(one, 'postal_address', ''))
  assert.deepEqual([shown.status, shown.pause_reason], ['paused', 'gate'])
  const refusal = await scene.refused('campaign.resume', { campaign_id })
  assert.match(refusal.message, /postal address/)
  await set(scene, 'postal_address', '1 Example Street')
  await scene.owner.get('campaign.resume', { campaign_id })
})

test('one that has outgrown the limit waits for a person', async () => {
  const { shown } = await comeDue((scene) => set(scene, 'deploy_limit', '1'))
  assert.equal(shown.status, 'awaiting_approval')
})
