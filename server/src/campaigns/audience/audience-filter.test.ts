/** A filter in an audience: the number shown is the number of messages sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendOff, standings } from '../../../../tests/support/businesses/campaign-drafts.ts'
import { awaitState, draftTo } from '../../../../tests/support/businesses/campaign-runs.ts'
import { deployPlanned } from '../../../../tests/support/businesses/campaigns.ts'
import { sinkTestbed } from '../../../../tests/support/mail/sink-testbed.ts'
import { formatId } from '../../core/ids.ts'

const bench = sinkTestbed('?pool=4&rate=600&warmup=no')
const { skip } = bench

interface Plan {
  recipients: number
  excluded: { reason: string; count: number }[]
  plan_hash: string
}

const yes = { email: { status: 'subscribed', source: 'a page' } }
const filter = {
  and: [
    { field: 'attributes.plan', op: 'in', value: ['pro', 'team'] },
    { not: { tag: 'staff' } },
    { field: 'attributes.ends', op: 'upcoming', value: '7 days' },
  ],
}

test('exactly the contacts that match the filter are listed, planned and sent to', {
  skip,
}, async () => {
  const running = await draftTo(bench.testbed, 20)
  const { scene, name: campaign_id } = running
  const ends = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const contact = (email: string, more: object) =>
    scene.contact({ email, attributes: { plan: 'pro', ends }, consent: yes, ...more })
  await contact('ana@example.com', {})
  await contact('bo@example.com', { attributes: { plan: 'team', ends } })
  await contact('cy@example.com', { tags: ['staff'] })
  await contact('di@example.com', { attributes: { plan: 'pro', ends: '2020-01-01' } })
  const quiet = await contact('ed@example.com', { consent: undefined })
  const saved = await scene.owner.get<{ audience: object }>('campaign.save', {
    campaign_id,
    audience: { filter },
  })
  assert.deepEqual(saved.audience, { filter })

  const { contacts } = await scene.owner.get<{ contacts: { email: string }[] }>('contact.list', {
    filter,
  })
  assert.deepEqual(
    contacts.map(({ email }) => email),
    ['ed@example.com', 'bo@example.com', 'ana@example.com'],
  )
  const planned = await scene.owner.get<Plan>('campaign.preview', { campaign_id })
  assert.equal(planned.recipients, 2)
  assert.deepEqual(planned.excluded, [{ reason: 'not_subscribed', count: 1 }])
  const contact_id = formatId('contact', quiet)
  const why = await scene.owner.get<{
    recipients: { clause: string; reason: string }[]
    evidence: { conditions: { path: string; true: boolean }[] }
  }>('campaign.why', { campaign_id, contact_id })
  assert.deepEqual(
    why.evidence.conditions.map((condition) => [condition.path, condition.true]),
    [
      ['audience.filter.and[0]', true],
      ['audience.filter.and[1].not', false],
      ['audience.filter.and[2]', true],
    ],
  )
  assert.deepEqual(
    why.recipients.map(({ clause, reason }) => [clause, reason]),
    [['filter', 'not_subscribed']],
  )

  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 2, 'skipped:not_subscribed': 1 })
})

test('a plan hash is refused after the audience filter was changed', { skip }, async () => {
  const { scene, name: campaign_id } = await draftTo(bench.testbed, 3)
  const everyone = { field: 'email', op: 'exists' }
  await scene.owner.get('campaign.save', { campaign_id, audience: { filter: everyone } })
  const { plan_hash, recipients } = await scene.owner.get<Plan>('campaign.preview', { campaign_id })
  assert.equal(recipients, 3)
  const others = { or: [everyone, { tag: 'vip' }] }
  await scene.owner.get('campaign.save', { campaign_id, audience: { filter: others } })
  const refused = await scene.refused('campaign.deploy', { campaign_id, plan_hash })
  assert.equal(refused.code, 'conflict')
  assert.match(refused.message, /the audience was changed/)
})

test('an invalid filter is refused, and the draft is unchanged', { skip }, async () => {
  const { scene, name: campaign_id } = await draftTo(bench.testbed, 1)
  const wrong = { tags: ['vip'], filter: { field: 'plan', op: 'is', value: 'pro' } }
  const refused = await scene.refused('campaign.save', { campaign_id, audience: wrong })
  assert.deepEqual([refused.code, refused.field], ['invalid_request', 'audience.filter.field'])
  const { audience } = await scene.owner.get<{ audience: object }>('campaign.get', { campaign_id })
  assert.deepEqual(audience, {})
})

test('changing a segment invalidates its plan, and a segment used by a scheduled campaign is not deleted', {
  skip,
}, async () => {
  const { scene, name: campaign_id } = await draftTo(bench.testbed, 3)
  await scene.contact({ email: 'vip@example.com', tags: ['vip'], consent: yes })
  const { segment_id } = await scene.owner.get<{ segment_id: string }>('segment.save', {
    name: 'VIPs',
    filter: { tag: 'vip' },
  })
  await scene.owner.get('campaign.save', { campaign_id, audience: { segment_id } })
  const plan = await scene.owner.get<Plan>('campaign.preview', { campaign_id })
  assert.equal(plan.recipients, 1)
  await scene.owner.get('segment.save', { segment_id, filter: { not: { tag: 'vip' } } })
  const drifted = await scene.refused('campaign.deploy', { campaign_id, plan_hash: plan.plan_hash })
  assert.match(drifted.message, /the audience was changed/)
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  await deployPlanned(scene.owner, { campaign_id, send_at })
  const used = await scene.refused('segment.delete', { segment_id })
  assert.deepEqual([used.code, used['used_by']], ['conflict', [campaign_id]])
  await scene.owner.get('campaign.cancel', { campaign_id })
  await scene.owner.get('segment.delete', { segment_id })
})

test('a draft whose segment was deleted reports it, and cannot be sent', { skip }, async () => {
  const { scene, name: campaign_id } = await draftTo(bench.testbed, 1)
  const { segment_id } = await scene.owner.get<{ segment_id: string }>('segment.save', {
    name: 'Gone',
    filter: { not: { tag: 'vip' } },
  })
  await scene.owner.get('campaign.save', { campaign_id, audience: { segment_id } })
  await scene.owner.get('segment.delete', { segment_id })
  const { gates, recipients } = await scene.owner.get<Plan & { gates: { gate: string }[] }>(
    'campaign.preview',
    { campaign_id },
  )
  assert.equal(recipients, 0)
  assert.ok(gates.some(({ gate }) => gate === 'audience'))
  await scene.refused('campaign.deploy', { campaign_id })
  const again = await scene.refused('campaign.save', { campaign_id, audience: { segment_id } })
  assert.equal(again.field, 'audience.segment_id')
})
