import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import { campaignScene, openCampaignTestbed } from '../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { ShiftedClock } from '../../../tests/support/time/shifted-clock.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { formatId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { seconds } from '../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed({ clock, idle: false })
})
after(() => testbed.close())

interface Shown {
  status: string
  send_at: string | null
  recipients: number | null
  schedule: { at: string; zone: string } | null
  starts_in_ms: number | null
}
interface Confirmation {
  first: { name: string | null; address: string }[]
  undo_seconds: number | null
}

const set = (
  scene: { businessId: Parameters<typeof setBusiness>[1] },
  key: string,
  value: string,
) => setBusiness(testbed.db, scene.businessId, { key, value, now: new Date() })

/** A draft to three people, and a person in the app who may send it. */
async function ready() {
  const scene = await campaignScene(testbed)
  await scene.subscribers(3)
  const { campaign_id } = await scene.draft()
  const business_id = formatId('business', scene.businessId)
  const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
  const { plan_hash } = await person.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  const shown = () => person.get<Shown>('campaign.get', { campaign_id })
  const progress = async () => {
    const { body } = await person.send(
      'GET',
      `/v1/campaigns/${campaign_id}/progress?business_id=${business_id}`,
    )
    return body as unknown as Shown
  }
  return { scene, campaign_id, person, plan_hash, shown, progress }
}

test('what a person sends in the app starts a minute later, and until then it can be taken back', async () => {
  const { campaign_id, person, plan_hash, shown, progress } = await ready()
  const before = await shown()
  const answer = await person.get<Shown>('campaign.send', { campaign_id, plan_hash })
  assert.equal(answer.status, 'scheduled')
  assert.ok(answer.schedule)
  const { starts_in_ms } = await progress()
  assert.ok(starts_in_ms !== null && starts_in_ms <= seconds(60), String(starts_in_ms))
  clock.forward(seconds(40))
  const left = (await progress()).starts_in_ms
  assert.ok(left !== null && left <= seconds(20), String(left))
  await person.get('campaign.unschedule', { campaign_id })
  assert.equal((await progress()).starts_in_ms, null)
  const { updated_at: _before, ...draft } = { ...before, updated_at: '' }
  const { updated_at: _after, ...again } = { ...(await shown()), updated_at: '' }
  assert.deepEqual(again, draft, 'the draft is as it was')
})

test('what nobody takes back goes out after the minute, and then it is too late', async () => {
  const { campaign_id, person, plan_hash, shown } = await ready()
  await person.get('campaign.send', { campaign_id, plan_hash })
  clock.forward(seconds(60))
  await eventually(shown, ({ status }) => status === 'completed')
  const { status, body } = await person.call('campaign.unschedule', { campaign_id })
  assert.deepEqual([status, body['code']], [409, 'conflict'])
})

test('a campaign that was sent is not sent again, and a draft that drifted is not sent', async () => {
  const { scene, campaign_id, person, plan_hash } = await ready()
  await scene.subscribers(5)
  const drifted = await person.call('campaign.send', { campaign_id, plan_hash })
  assert.deepEqual([drifted.status, drifted.body['code']], [409, 'conflict'])
  await person.get('campaign.send', { campaign_id })
  const again = await person.call('campaign.send', { campaign_id })
  assert.deepEqual([again.status, again.body['code']], [409, 'conflict'])
})

test('programs start at once, and cannot send as the app does', async () => {
  const { scene, campaign_id, plan_hash } = await ready()
  const token = await testbed.appCaller({ businesses: [scene.businessId], role: 'viewer' })
  const viewer = await token.call('campaign.send', { campaign_id, plan_hash })
  assert.equal(viewer.body['code'], 'role_required')
  const deployed = await scene.owner.get<Shown>('campaign.deploy', { campaign_id, plan_hash })
  assert.equal(deployed.status, 'deployed')
})

test('where a second person approves, it waits for them, and starts with the approval', async () => {
  const { scene, campaign_id, person, plan_hash, progress } = await ready()
  const other = await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
  await set(scene, 'deploy_limit', '0')
  await set(scene, 'two_people', 'yes')
  const confirmation = await person.get<Confirmation>('campaign.confirmation', { campaign_id })
  assert.equal(confirmation.undo_seconds, null)
  const answer = await person.get<Shown>('campaign.send', { campaign_id, plan_hash })
  assert.deepEqual([answer.status, answer.schedule], ['awaiting_approval', null])
  assert.equal((await progress()).starts_in_ms, null)
  const plan = await other.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  const decision = { campaign_id, decision: 'approve', plan_hash: plan.plan_hash }
  assert.equal((await other.get<Shown>('campaign.decide', decision)).status, 'deployed')
})

test('an order within the limit of a business with two people reserves it, and Undo gives it back', async () => {
  const { scene, campaign_id, person, plan_hash } = await ready()
  await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
  await set(scene, 'deploy_limit', '4')
  await set(scene, 'two_people', 'yes')
  for (const attempt of ['first', 'second', 'third']) {
    const { status } = await person.get<Shown>('campaign.send', { campaign_id, plan_hash })
    assert.equal(status, 'scheduled', attempt)
    await person.get('campaign.unschedule', { campaign_id })
  }
})

test('the confirmation names the first three who get it, and nobody who does not', async () => {
  const scene = await campaignScene(testbed)
  const yes = { email: { status: 'subscribed', source: 'checkout page' } }
  await scene.contact({ email: 'quiet@example.com', name: 'Quiet' })
  for (const name of ['Ana', '', 'Cem', 'Dora']) {
    const email = `${name || 'nobody'}@example.com`.toLowerCase()
    await scene.contact({ email, ...(name && { name }), consent: yes, tags: ['vip'] })
  }
  const { campaign_id } = await scene.draft({ audience: { tags: ['vip'] } })
  const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
  assert.deepEqual(await person.get<Confirmation>('campaign.confirmation', { campaign_id }), {
    first: [
      { name: 'Ana', address: 'ana@example.com' },
      { name: null, address: 'nobody@example.com' },
      { name: 'Cem', address: 'cem@example.com' },
    ],
    undo_seconds: 60,
  })
})

test('a campaign is drawn small once for each version of its content', async () => {
  const { scene, campaign_id, person } = await ready()
  const picture = () => person.get<{ html: string | null }>('campaign.picture', { campaign_id })
  const first = await picture()
  assert.match(first.html ?? '', /Hello Ana/)
  const content = { subject: 'Other', html: '<p>Other words</p>' }
  await scene.owner.get('campaign.save', { campaign_id, content })
  const second = await picture()
  assert.match(second.html ?? '', /Other words/)
  // What is drawn already is not rendered again.
  await testbed.db.run(sql`
    update template_versions set compiled = '{}' where business_id = ${scene.businessId}
  `)
  assert.deepEqual(await picture(), second)
  const text = await scene.draft({ channel: 'sms', content: { text: 'News. STOP' } })
  const ofText = await person.get('campaign.picture', { campaign_id: text.campaign_id })
  assert.deepEqual(ofText, { html: null })
  const other = await ready()
  const { status } = await other.person.call('campaign.picture', { campaign_id })
  assert.equal(status, 404)
})
