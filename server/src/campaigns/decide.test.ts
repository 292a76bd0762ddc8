import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
  yes,
} from '../../../tests/support/businesses/campaigns.ts'
import { eventsOf } from '../../../tests/support/businesses/contacts.ts'
import { someoneWaits } from '../../../tests/support/postgres/locks.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { formatId, newId } from '../core/ids.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'

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
  await deployPlanned(scene.owner, { campaign_id, ...input })
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
  await deployPlanned(scene.owner, { campaign_id })
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

test('an order that is replaced while a person approves it is not approved in its place', async () => {
  const another = newId('user')
  for (const [what, change] of [
    ['its content', sql`update campaigns set version = version + 1`],
    ['its time', sql`update campaigns set send_at = ${new Date(Date.now() + 3_600_000)}`],
    ['who ordered it', sql`update campaigns set ordered_by = ${another}`],
    ['its plan', sql`update campaigns set recipients = recipients + 20`],
  ] as const) {
    for (const decision of ['approve', 'refuse']) {
      const { scene, campaign_id, plan, decide } = await waiting()
      const { plan_hash } = await plan()
      const decided = await testbed.db.tx(async (tx) => {
        const mine = sqlWithin`business_id = ${scene.businessId}`
        await tx.run(sqlWithin`select from campaigns where ${mine} for update`)
        const deciding = decide(decision, decision === 'approve' ? plan_hash : undefined)
        await someoneWaits(testbed.db)
        await tx.run(sqlWithin`${change} where ${mine}`)
        return { deciding }
      })
      const { status, body } = await decided.deciding
      assert.deepEqual([status, body['reason']], [409, 'ordered_anew'], `${what}: ${decision}`)
      const shown = await scene.owner.get<Plan>('campaign.get', { campaign_id })
      assert.equal(shown.status, 'awaiting_approval', what)
    }
  }
})

test('who ordered the campaign anew while they approve it does not approve their own order', async () => {
  const { scene, person, plan, decide } = await waiting()
  const { plan_hash } = await plan()
  const decided = await testbed.db.tx(async (tx) => {
    await tx.run(sql`update businesses set two_people = true where id = ${scene.businessId}`)
    await tx.run(sql`
      update campaigns set ordered_by = ${person.userId} where business_id = ${scene.businessId}
    `)
    const deciding = decide('approve', plan_hash)
    await someoneWaits(testbed.db)
    return { deciding }
  })
  assert.equal((await decided.deciding).status, 409)
})

test('an owner may raise the limit with their approval, for as many as the campaign page offers', async () => {
  const { scene, campaign_id, person: admin, plan } = await waiting()
  const { plan_hash } = await plan()
  const decision = { campaign_id, decision: 'approve', plan_hash, deploy_limit: 250 }
  const byAdmin = await admin.call('campaign.decide', decision)
  assert.deepEqual([byAdmin.status, byAdmin.body['code']], [403, 'role_required'])
  const owner = await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
  const waitsFor = async (caller: typeof owner) =>
    (await caller.get<{ waits: Record<string, unknown> }>('campaign.get', { campaign_id })).waits
  assert.equal((await waitsFor(owner))['raise_limit_to'], 250)
  assert.equal((await waitsFor(admin))['raise_limit_to'], null)
  const refusing = { ...decision, decision: 'refuse' }
  assert.equal((await owner.call('campaign.decide', refusing)).body['field'], 'deploy_limit')
  const limit = async () =>
    (await owner.get<{ deploy_limit: number }>('business.get', {})).deploy_limit
  assert.equal(await limit(), 2)
  const { body } = await owner.call('campaign.decide', decision)
  assert.equal(body['status'], 'deployed')
  assert.equal(await limit(), 250)
  const next = await scene.draft({ name: 'Next' })
  const { status } = await deployPlanned<Plan>(scene.owner, { campaign_id: next.campaign_id })
  assert.equal(status, 'deployed', 'the next one need not wait')
})
