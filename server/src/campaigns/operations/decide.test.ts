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

/** A campaign to three that waits, since the limit is two; and a person who may decide. */
async function waiting(role: 'viewer' | 'editor' | 'admin' = 'admin', input: object = {}) {
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

const told = async ({ businessId }: { businessId: Parameters<typeof eventsOf>[1] }) =>
  (await eventsOf(testbed.db, businessId))
    .map(({ type }) => type)
    .filter((type) => type.startsWith('campaign.'))

test('what a person approves goes out by the plan that they were shown', async () => {
  const { scene, plan, decide } = await waiting()
  const { body } = await decide('approve', (await plan()).plan_hash)
  assert.equal(body['status'], 'deployed')
  assert.deepEqual(await told(scene), ['campaign.deployed'])
  const row = await testbed.db.one<object>(sql`
    select approval, recipients, decided_by is not null as by_person, plan is not null as planned
    from campaigns where business_id = ${scene.businessId}
  `)
  assert.deepEqual(row, { approval: 'approved', recipients: 3, by_person: true, planned: true })
})

test('what has drifted since it was shown is shown again, not sent', async () => {
  const { scene, plan, decide } = await waiting()
  const { plan_hash } = await plan()
  await scene.contact({ email: 'late@example.com', consent: { email: yes } })
  const { status, body } = await decide('approve', plan_hash)
  assert.deepEqual([status, body['code']], [409, 'conflict'])
  assert.deepEqual(body['drift'], [{ what: 'recipients', before: 3, now: 4 }])
  const again = await decide('approve', (await plan()).plan_hash)
  assert.equal(again.body['status'], 'deployed')
})

test('what a person refuses is a draft again, with the reason', async () => {
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const { scene, campaign_id, plan, decide } = await waiting('admin', { send_at })
  const { plan_hash } = await plan()
  const reason = 'Not before the fair.'
  assert.equal((await decide('refuse', undefined, reason)).body['status'], 'draft')
  const { body } = await decide('approve', plan_hash)
  assert.deepEqual([body['code'], body['status']], ['conflict', 'draft'])
  assert.deepEqual(await told(scene), [])
  const get = () => scene.owner.get<Record<string, unknown>>('campaign.get', { campaign_id })
  const shown = await get()
  assert.deepEqual(
    [shown['refusal_reason'], shown['send_at'], shown['recipients']],
    [reason, null, null],
  )
  // It is changed and asked for again, and then nobody has refused it.
  await scene.owner.get('campaign.save', { campaign_id, content: { subject: 'After the fair' } })
  await scene.owner.get('campaign.deploy', { campaign_id })
  assert.equal((await get())['refusal_reason'], null)
  assert.equal((await decide('approve', (await plan()).plan_hash)).body['status'], 'deployed')
})

test('approved for later, it is scheduled', async () => {
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const { plan, decide } = await waiting('admin', { send_at })
  assert.equal((await decide('approve', (await plan()).plan_hash)).body['status'], 'scheduled')
})

test('an editor looks at it and decides nothing; nor does a token of the owner', async () => {
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

test('to approve takes the plan, and no other campaign’s', async () => {
  const { decide } = await waiting()
  const other = await waiting()
  for (const hash of [undefined, (await other.plan()).plan_hash]) {
    const { body } = await decide('approve', hash)
    assert.deepEqual([body['code'], body['field']], ['invalid_request', 'plan_hash'])
  }
})
