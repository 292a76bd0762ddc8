import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  openCampaignTestbed,
  yes,
} from '../../../../tests/support/businesses/campaigns.ts'
import { eventsOf } from '../../../../tests/support/businesses/contacts.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { formatId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Plan {
  plan_hash: string
  status: string
  recipients: number
}

/** A campaign to three, awaiting approval since the limit is two; and a person who may decide. */
async function waiting(
  role: 'viewer' | 'approver' | 'editor' | 'admin' = 'admin',
  input: object = {},
) {
  const scene = await campaignScene(testbed)
  await scene.subscribers(3)
  const setting = { key: 'deploy_limit', value: '2', now: new Date() }
  await setBusiness(testbed.db, scene.businessId, setting)
  const { campaign_id } = await scene.draft()
  await scene.owner.get('campaign.deploy', { campaign_id, ...input })
  const person = await testbed.appCaller({ businesses: [scene.businessId], role })
  const plan = () => person.get<Plan>('campaign.preview', { campaign_id })
  const decide = (decision: string, plan_hash?: string, reason?: string) => {
    const said = { ...(plan_hash && { plan_hash }), ...(reason && { reason }) }
    return person.call('campaign.decide', { campaign_id, decision, ...said })
  }
  return { scene, campaign_id, person, plan, decide }
}

const campaignEventsOf = async ({ businessId }: { businessId: Parameters<typeof eventsOf>[1] }) =>
  (await eventsOf(testbed.db, businessId))
    .map(({ type }) => type)
    .filter((type) => type.startsWith('campaign.'))

test('an approved campaign is sent by the plan that the person was shown', async () => {
  const { scene, plan, decide } = await waiting()
  const { body } = await decide('approve', (await plan()).plan_hash)
  assert.equal(body['status'], 'deployed')
  assert.deepEqual(await campaignEventsOf(scene), [
    'campaign.awaiting_approval',
    'campaign.deployed',
  ])
  const row = await testbed.db.one<object>(sql`
    select approval, recipients, decided_by is not null as by_person, plan is not null as planned
    from campaigns where business_id = ${scene.businessId}
  `)
  assert.deepEqual(row, { approval: 'approved', recipients: 3, by_person: true, planned: true })
})

test('an approval of a plan that has drifted is refused, and the new plan can be approved', async () => {
  const { scene, plan, decide } = await waiting()
  const { plan_hash } = await plan()
  await scene.contact({ email: 'late@example.com', consent: { email: yes } })
  const { status, body } = await decide('approve', plan_hash)
  assert.deepEqual([status, body['code']], [409, 'conflict'])
  assert.deepEqual(body['drift'], [{ what: 'recipients', before: 3, now: 4 }])
  const again = await decide('approve', (await plan()).plan_hash)
  assert.equal(again.body['status'], 'deployed')
})

test('a refused campaign becomes a draft again, with the reason', async () => {
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const { scene, campaign_id, plan, decide } = await waiting('admin', { send_at })
  const { plan_hash } = await plan()
  const reason = 'Not before the fair.'
  assert.equal((await decide('refuse', undefined, reason)).body['status'], 'draft')
  const { body } = await decide('approve', plan_hash)
  assert.deepEqual([body['code'], body['status']], ['conflict', 'draft'])
  assert.deepEqual(await campaignEventsOf(scene), ['campaign.awaiting_approval'])
  const get = () => scene.owner.get<Record<string, unknown>>('campaign.get', { campaign_id })
  const shown = await get()
  assert.deepEqual(
    [shown['refusal_reason'], shown['send_at'], shown['recipients']],
    [reason, null, null],
  )
  // After a change and a new deploy, the campaign has no refusal any more.
  await scene.owner.get('campaign.save', { campaign_id, content: { subject: 'After the fair' } })
  await scene.owner.get('campaign.deploy', { campaign_id })
  assert.equal((await get())['refusal_reason'], null)
  assert.equal((await decide('approve', (await plan()).plan_hash)).body['status'], 'deployed')
})

test('a campaign approved with a later send time becomes scheduled', async () => {
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const { plan, decide } = await waiting('admin', { send_at })
  assert.equal((await decide('approve', (await plan()).plan_hash)).body['status'], 'scheduled')
})

test('an approver reads a waiting campaign and decides on it, but neither changes nor sends anything', async () => {
  const { scene, campaign_id, plan, decide } = await waiting('approver')
  const { plan_hash } = await plan()
  const business_id = formatId('business', scene.businessId)
  const approver = await testbed.appCaller({ businesses: [scene.businessId], role: 'approver' })
  for (const [name, input] of [
    ['campaign.save', { campaign_id, name: 'Mine' }],
    ['campaign.deploy', { campaign_id }],
    ['campaign.pause', { campaign_id }],
    ['campaign.test', { campaign_id }],
    ['contact.upsert', { email: 'new@example.com' }],
    ['export.create', {}],
    ['member.save', { email: 'new@example.com', role: 'approver' }],
  ] as const) {
    const { status, body } = await approver.call(name, { business_id, ...input })
    assert.deepEqual([status, body['code']], [403, 'role_required'], name)
  }
  assert.equal((await decide('approve', plan_hash)).body['status'], 'deployed')
})

test('an editor or an owner’s token can read a waiting campaign but cannot decide on it', async () => {
  const { scene, campaign_id, plan, decide } = await waiting('editor')
  const { plan_hash } = await plan()
  assert.equal((await decide('approve', plan_hash)).body['code'], 'role_required')
  const token = await testbed.restCaller({ businesses: [scene.businessId] })
  const input = { campaign_id, decision: 'approve', plan_hash }
  assert.equal((await token.call('campaign.decide', input)).body['code'], 'role_required')
  const { body } = await scene.owner.call('campaign.decide', input)
  assert.match(JSON.stringify(body), /campaign\.decide/)
  assert.equal((await plan()).status, 'awaiting_approval')
})

test('an approval requires the plan hash of the campaign itself', async () => {
  const { decide } = await waiting()
  const other = await waiting()
  for (const hash of [undefined, (await other.plan()).plan_hash]) {
    const { body } = await decide('approve', hash)
    assert.deepEqual([body['code'], body['field']], ['invalid_request', 'plan_hash'])
  }
})
