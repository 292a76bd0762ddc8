import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  news,
  openCampaignTestbed,
  yes,
} from '../../../../tests/support/businesses/campaigns.ts'
import { eventsOf } from '../../../../tests/support/businesses/contacts.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Deployed {
  campaign_id: string
  status: string
  recipients: number
  approval_url?: string
}
type Scene = Awaited<ReturnType<typeof campaignScene>>

const deploy = ({ owner }: Scene, input: object) => owner.get<Deployed>('campaign.deploy', input)
const plan = ({ owner }: Scene, campaign_id: string) =>
  owner.get<{ plan_hash: string; recipients: number }>('campaign.preview', { campaign_id })
const setLimit = ({ businessId }: Scene, value: string) =>
  setBusiness(testbed.db, businessId, { key: 'deploy_limit', value, now: new Date() })

async function ready(subscribers = 3) {
  const scene = await campaignScene(testbed)
  await scene.subscribers(subscribers)
  const { campaign_id } = await scene.draft()
  return { scene, campaign_id }
}

/** The kinds of the campaign's waiting jobs. */
const jobsOf = async (campaign_id: string) => {
  const id = parseId('campaign', campaign_id)
  const rows = await testbed.db.all<{ kind: string; due: Date }>(sql`
    select kind, due_at as due from jobs where payload ->> 'campaign_id' = ${id}
  `)
  return rows.map(({ kind }) => kind)
}

test('a deployed draft emits its event and queues the freeze job', async () => {
  const { scene, campaign_id } = await ready()
  const { plan_hash } = await plan(scene, campaign_id)
  const answer = await deploy(scene, { campaign_id, plan_hash, throttle_per_minute: 60 })
  assert.deepEqual(answer, {
    campaign_id,
    status: 'deployed',
    recipients: 3,
    // The testbed has no mail server.
    leaves_this_machine: false,
  })
  assert.deepEqual(await jobsOf(campaign_id), ['campaign.freeze'])
  const events = await eventsOf(testbed.db, scene.businessId)
  const told = events.filter(({ type }) => type.startsWith('campaign.'))
  assert.deepEqual(
    told.map(({ type, data }) => [type, data]),
    [
      [
        'campaign.deployed',
        { campaign_id, name: news.subject, channel: 'email', recipients: 3, status: 'deployed' },
      ],
    ],
  )
})

test('a campaign for more people than its connection may reach in a day is refused, and stays a draft', async () => {
  const { scene, campaign_id } = await ready()
  const { plan_hash } = await plan(scene, campaign_id)
  const limitTo = (limit: number) =>
    testbed.db.run(sql`
      with changed as (
        update connections set recipients_per_day = ${limit}
        where ${scene.businessId} = any (business_ids) returning id
      ), head as (update access_head set position = position + 1 returning position)
      insert into access_changes (position, subject, changed_at)
      select position, id, now() from head cross join changed
    `)
  await limitTo(2)
  const { body } = await scene.owner.call('campaign.deploy', { campaign_id, plan_hash })
  assert.deepEqual([body['code'], body['reason']], ['rate_limited', 'connection_limit'])
  const shown = await scene.owner.get<object>('campaign.get', { campaign_id })
  assert.partialDeepStrictEqual(shown, { status: 'draft' })
  await limitTo(3)
  assert.equal((await deploy(scene, { campaign_id, plan_hash })).status, 'deployed')
})

test('deploy, pause and resume each emit an event, and cancel emits none', async () => {
  const { scene, campaign_id } = await ready()
  await scene.bare('deploy_campaign', { campaign_id })
  await scene.bare('pause_campaign', { campaign_id })
  const shown = await scene.owner.get<object>('campaign.get', { campaign_id })
  assert.partialDeepStrictEqual(shown, { status: 'paused', pause_reason: 'requested' })
  await scene.bare('resume_campaign', { campaign_id })
  await scene.owner.get('campaign.cancel', { campaign_id })
  const events = await eventsOf(testbed.db, scene.businessId)
  const told = events.filter(({ type }) => type.startsWith('campaign.'))
  assert.deepEqual(
    told.map(({ type, data }) => [type, data['status'], data['sent']]),
    [
      ['campaign.deployed', 'deployed', undefined],
      ['campaign.paused', 'paused', 0],
      ['campaign.resumed', 'deployed', 0],
    ],
  )
})

test('a campaign with a send time is scheduled, and can be cancelled until then', async () => {
  const { scene, campaign_id } = await ready()
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const answer = await deploy(scene, { campaign_id, send_at })
  assert.equal(answer.status, 'scheduled')
  assert.deepEqual(await jobsOf(campaign_id), ['campaign.start'])
  assert.partialDeepStrictEqual(await scene.refused('campaign.pause', { campaign_id }), {
    status: 'scheduled',
    possible: ['preview', 'test', 'deploy', 'unschedule', 'copy', 'cancel'].map(
      (action) => `svc.v1.campaign.${action}`,
    ),
  })
  await scene.owner.get('campaign.cancel', { campaign_id })
})

test('a deploy tolerates up to one per cent more or fewer recipients than planned', async () => {
  const { scene, campaign_id } = await ready(100)
  await setLimit(scene, 'none')
  const { plan_hash } = await plan(scene, campaign_id)
  await scene.contact({ email: 'one@example.com', consent: { email: yes } })
  await scene.contact({ email: 'two@example.com', consent: { email: yes } })
  const refusal = await scene.refused('campaign.deploy', { campaign_id, plan_hash })
  assert.equal(refusal.code, 'conflict')
  assert.deepEqual(refusal['drift'], [{ what: 'recipients', before: 100, now: 102 }])
  assert.match(refusal.fix?.tool ?? '', /campaign\.preview$/)
  const no = { email: { status: 'unsubscribed', source: 'told us' } }
  await scene.contact({ email: 'two@example.com', consent: no })
  assert.equal((await deploy(scene, { campaign_id, plan_hash })).recipients, 101)
})

test('a plan hash of another campaign, or an invented one, is refused', async () => {
  const { scene, campaign_id } = await ready()
  const other = await scene.draft()
  const { plan_hash } = await plan(scene, other.campaign_id)
  for (const wrong of [plan_hash, 'looks fine to me', `9${plan_hash}`]) {
    const refusal = await scene.refused('campaign.deploy', { campaign_id, plan_hash: wrong })
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'plan_hash'])
  }
})

test('a connection can deploy up to the limit; one recipient more waits for a person’s approval', async () => {
  const { scene, campaign_id } = await ready(4)
  await setLimit(scene, '3')
  const answer = await deploy(scene, { campaign_id })
  assert.equal(answer.status, 'awaiting_approval')
  const approval = `${testbed.service.config.appUrl}/campaigns/${campaign_id}`
  assert.equal(answer.approval_url, approval)
  assert.deepEqual(await jobsOf(campaign_id), ['campaign.approval-mail'])
  const events = await eventsOf(testbed.db, scene.businessId)
  assert.ok(!events.some(({ type }) => type === 'campaign.deployed'))
  await setLimit(scene, '4')
  const again = await scene.draft()
  assert.equal((await deploy(scene, { campaign_id: again.campaign_id })).status, 'deployed')
})

test('a transition that the state does not allow is refused with the possible ones', async () => {
  const { scene, campaign_id } = await ready()
  const no = async (operation: string, status: string) => {
    const refusal = await scene.refused(operation, { campaign_id })
    assert.equal(refusal.code, 'conflict', operation)
    assert.equal(refusal['status'], status, operation)
  }
  for (const operation of ['pause', 'resume']) await no(`campaign.${operation}`, 'draft')
  await deploy(scene, { campaign_id })
  for (const operation of ['deploy', 'preview', 'resume']) {
    await no(`campaign.${operation}`, 'deployed')
  }
  await scene.owner.get('campaign.cancel', { campaign_id })
  for (const operation of ['deploy', 'preview', 'pause', 'resume', 'cancel']) {
    await no(`campaign.${operation}`, 'cancelled')
  }
})

test('of many concurrent deploys exactly one succeeds', async () => {
  const { scene, campaign_id } = await ready()
  const calls = await Promise.all(
    Array.from({ length: 6 }, () => scene.owner.call('campaign.deploy', { campaign_id })),
  )
  assert.equal(calls.filter(({ kind }) => kind === 'answer').length, 1)
  assert.deepEqual(await jobsOf(campaign_id), ['campaign.freeze'])
})

test('an editor can draft and pause; deploy, resume and cancel require an admin', async () => {
  const { scene, campaign_id } = await ready()
  const { businessId } = scene
  const editor = await testbed.caller({ businesses: [businessId], role: 'editor' })
  for (const operation of ['deploy', 'resume', 'cancel']) {
    const { body } = await editor.call(`campaign.${operation}`, { campaign_id })
    assert.equal(body['code'], 'role_required', operation)
  }
  await deploy(scene, { campaign_id })
  await editor.get('campaign.pause', { campaign_id })
})
