import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  openCampaignTestbed,
} from '../../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { ShiftedClock } from '../../../../tests/support/time/shifted-clock.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { minutes } from '../../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed({ clock, idle: false })
})
after(() => testbed.close())

interface Shown {
  status: string
  pause_reason: string | null
  recipients: number
}
type Scene = Awaited<ReturnType<typeof campaignScene>>

/** Schedules for later, and runs `meanwhile` before that time comes. */
async function comeDue(meanwhile: (scene: Scene) => Promise<unknown>) {
  const scene = await campaignScene(testbed)
  await scene.subscribers(2)
  const { campaign_id } = await scene.draft()
  const send_at = new Date(clock.now().getTime() + minutes(5)).toISOString()
  const ordered = await scene.owner.get<Shown>('campaign.deploy', { campaign_id, send_at })
  assert.equal(ordered.status, 'scheduled')
  await meanwhile(scene)
  clock.forward(minutes(5))
  const shown = await eventually(
    () => scene.owner.get<Shown>('campaign.get', { campaign_id }),
    ({ status }) => status !== 'scheduled',
  )
  return { scene, campaign_id, shown }
}

const set = ({ businessId }: Scene, key: string, value: string) =>
  setBusiness(testbed.db, businessId, { key, value, now: new Date() })

test('a scheduled campaign is deployed at its hour to the contacts that match then', async () => {
  const { shown } = await comeDue((scene) => scene.subscribers(3))
  assert.ok(['deployed', 'completed'].includes(shown.status), shown.status)
  assert.equal(shown.recipients, 3)
})

test('a gate that fails at the scheduled hour pauses the campaign; once corrected, it can be resumed', async () => {
  const { scene, campaign_id, shown } = await comeDue((entry) => set(entry, 'postal_address', ''))
  assert.deepEqual([shown.status, shown.pause_reason], ['paused', 'gate'])
  const refusal = await scene.refused('campaign.resume', { campaign_id })
  assert.match(refusal.message, /postal address/)
  await set(scene, 'postal_address', '1 Example Street')
  await scene.owner.get('campaign.resume', { campaign_id })
})

test('a scheduled campaign that exceeds the limit at its hour waits for a person’s approval', async () => {
  const { shown } = await comeDue((scene) => set(scene, 'deploy_limit', '1'))
  assert.equal(shown.status, 'awaiting_approval')
})
