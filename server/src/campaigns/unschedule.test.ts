import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { ShiftedClock } from '../../../tests/support/time/shifted-clock.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { hours, later, minutes } from '../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed({ clock, idle: false })
})
after(() => testbed.close())

interface Shown {
  campaign_id: string
  status: string
  possible: string[]
  recipients: number | null
  send_at: string | null
  pause_reason: string | null
  counts: Record<string, number>
}
type Scene = Awaited<ReturnType<typeof campaignScene>>

const shownBy = (scene: Scene, campaign_id: string) =>
  scene.owner.get<Shown>('campaign.get', { campaign_id })
const at = (ms: number) => later(clock.now(), ms).toISOString()
const set = ({ businessId }: Scene, key: string, value: string) =>
  setBusiness(testbed.db, businessId, { key, value, now: new Date() })

async function scheduled(subscribers = 3, limit = 'none') {
  const scene = await campaignScene(testbed)
  await set(scene, 'deploy_limit', limit)
  await scene.subscribers(subscribers)
  const { campaign_id } = await scene.draft()
  const order = { campaign_id, send_at: at(minutes(5)) }
  const { status } = await deployPlanned<Shown>(scene.owner, order)
  return { scene, campaign_id, status }
}

/** What the order and the freeze left behind, whatever the views show of it. */
async function rest(campaign_id: string) {
  const id = parseId('campaign', campaign_id)
  return testbed.db.one<Record<string, unknown>>(sql`
    select approval, unapproved, ordered_by as "orderedBy", plan_hash as "planHash",
      deployed_at as "deployedAt", frozen_at as "frozenAt", utm,
      (select count(*)::int from campaign_recipients where campaign_id = ${id}) as recipients,
      (select count(*)::int from campaign_runs where campaign_id = ${id}) as runs,
      (select count(*)::int from campaign_counts where campaign_id = ${id}) as counts,
      (select count(*)::int from message_holds where campaign_id = ${id}) as holds
    from campaigns where id = ${id}
  `)
}
const nothing = {
  approval: null,
  unapproved: 0,
  orderedBy: null,
  planHash: null,
  deployedAt: null,
  frozenAt: null,
  utm: null,
  recipients: 0,
  runs: 0,
  counts: 0,
  holds: 0,
}

test('a scheduled campaign is a draft again, which can be changed and never goes out by itself', async () => {
  const { scene, campaign_id } = await scheduled()
  const scheduledView = await shownBy(scene, campaign_id)
  assert.ok(scheduledView.possible.some((name) => name.endsWith('campaign.unschedule')))
  const refusal = await scene.refused('campaign.save', {
    campaign_id,
    content: { subject: 'Other news' },
  })
  assert.match(refusal.fix?.tool ?? '', /campaign\.unschedule$/)
  const draft = await scene.owner.get<Shown>('campaign.unschedule', { campaign_id })
  assert.deepEqual([draft.status, draft.send_at, draft.recipients], ['draft', null, null])
  assert.deepEqual(await rest(campaign_id), nothing)
  await scene.owner.get('campaign.save', { campaign_id, name: 'Other news' })
  clock.forward(minutes(5))
  const { campaign_id: other } = await scene.draft({ name: 'Later' })
  await deployPlanned(scene.owner, { campaign_id: other })
  await eventually(
    () => shownBy(scene, other),
    ({ status }) => status === 'completed',
  )
  assert.equal((await shownBy(scene, campaign_id)).status, 'draft')
})

test('unscheduling gives back the recipients that the order reserved of the approval limit', async () => {
  const { scene, campaign_id } = await scheduled(3, '4')
  const second = await scene.draft({ name: 'Second' })
  const order = { campaign_id: second.campaign_id, send_at: at(minutes(5)) }
  await scene.owner.get('campaign.unschedule', { campaign_id })
  const { status } = await deployPlanned<Shown>(scene.owner, order)
  assert.equal(status, 'scheduled')
})

test('an order that awaits a person can be taken back, and one that was approved needs them again', async () => {
  const { scene, campaign_id, status } = await scheduled(3, '0')
  assert.equal(status, 'awaiting_approval')
  const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
  const approve = async () => {
    const { plan_hash } = await person.get<{ plan_hash: string }>('campaign.preview', {
      campaign_id,
    })
    return person.get<Shown>('campaign.decide', { campaign_id, decision: 'approve', plan_hash })
  }
  await scene.owner.get('campaign.unschedule', { campaign_id })
  assert.deepEqual(await rest(campaign_id), nothing)
  const order = { campaign_id, send_at: at(minutes(5)) }
  await deployPlanned(scene.owner, order)
  assert.equal((await approve()).status, 'scheduled')
  await scene.owner.get('campaign.unschedule', { campaign_id })
  const again = await deployPlanned<Shown>(scene.owner, order)
  assert.equal(again.status, 'awaiting_approval', 'the approval was void')
})

test('one that a gate paused at its hour can be taken back after its freeze, and later reaches each once', async () => {
  const { scene, campaign_id } = await scheduled()
  await set(scene, 'postal_address', '')
  clock.forward(minutes(5))
  const id = parseId('campaign', campaign_id)
  const frozen = () =>
    testbed.db.one<{ state: string; frozenAt: Date | null }>(sql`
      select state, frozen_at as "frozenAt" from campaigns where id = ${id}
    `)
  const { state } = await eventually(frozen, ({ frozenAt }) => frozenAt !== null)
  assert.equal(state, 'paused')
  assert.notDeepEqual(await rest(campaign_id), nothing)
  await scene.owner.get('campaign.unschedule', { campaign_id })
  assert.deepEqual(await rest(campaign_id), nothing)
  await set(scene, 'postal_address', '1 Example Street')
  await deployPlanned(scene.owner, { campaign_id })
  const { counts } = await eventually(
    () => shownBy(scene, campaign_id),
    ({ status }) => status === 'completed',
  )
  assert.equal(counts['delivered'] ?? counts['sent'], 3)
})

test('of a campaign whose first recipient was taken nothing is taken back: a copy is the way on', async () => {
  const { scene, campaign_id } = await scheduled(50)
  const id = parseId('campaign', campaign_id)
  await scene.owner.get('campaign.unschedule', { campaign_id })
  await deployPlanned(scene.owner, { campaign_id, throttle_per_minute: 60 })
  await eventually(
    () => testbed.db.maybe(sql`select from campaign_runs where campaign_id = ${id} and taken > 0`),
    (run) => run !== undefined,
  )
  await scene.owner.get('campaign.pause', { campaign_id })
  const { possible } = await shownBy(scene, campaign_id)
  assert.ok(!possible.some((name) => name.endsWith('campaign.unschedule')))
  const refusal = await scene.refused('campaign.unschedule', { campaign_id })
  assert.deepEqual([refusal.code, refusal['status']], ['conflict', 'paused'])
  assert.match(refusal.fix?.tool ?? '', /campaign\.copy$/)
  const { status } = await scene.owner.get<Shown>('campaign.copy', refusal.fix?.arguments ?? {})
  assert.equal(status, 'draft')
})

test('another send_at moves a scheduled campaign, and nothing goes out at the first hour', async () => {
  const { scene, campaign_id } = await scheduled()
  const send_at = at(minutes(10))
  const moved = await deployPlanned<Shown>(scene.owner, { campaign_id, send_at })
  assert.equal(moved.status, 'scheduled')
  assert.equal((await shownBy(scene, campaign_id)).send_at, send_at)
  for (const same of [{}, { send_at }]) {
    const refusal = await scene.refused('campaign.deploy', { campaign_id, ...same })
    assert.deepEqual([refusal.code, refusal.field], ['conflict', 'send_at'])
    assert.match(refusal.message, /scheduled for .* already\. Another send_at moves it/)
  }
  clock.forward(minutes(5))
  const { campaign_id: other } = await scene.draft({ name: 'Later' })
  await deployPlanned(scene.owner, { campaign_id: other })
  await eventually(
    () => shownBy(scene, other),
    ({ status }) => status === 'completed',
  )
  assert.equal((await shownBy(scene, campaign_id)).status, 'scheduled')
  clock.forward(minutes(5))
  const { counts } = await eventually(
    () => shownBy(scene, campaign_id),
    ({ status }) => status === 'completed',
  )
  assert.equal(counts['delivered'] ?? counts['sent'], 3)
})

test('a campaign that a person approved waits for a person again when a connection moves it', async () => {
  const { scene, campaign_id } = await scheduled(3, '0')
  const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'owner' })
  const { plan_hash } = await person.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  await person.get('campaign.decide', { campaign_id, decision: 'approve', plan_hash })
  const order = { campaign_id, send_at: at(minutes(8)) }
  const moved = await deployPlanned<Shown>(scene.owner, order)
  assert.equal(moved.status, 'awaiting_approval')
})

test('moving a campaign counts no recipient twice, neither for the limit nor for its connection', async () => {
  const { scene, campaign_id } = await scheduled(3, '4')
  await testbed.db.run(sql`
    with changed as (
      update connections set recipients_per_day = 4
      where ${scene.businessId} = any (business_ids) returning id
    ), head as (update access_head set position = position + 1 returning position)
    insert into access_changes (position, subject, changed_at)
    select position, id, now() from head cross join changed
  `)
  const move = (ms: number) => deployPlanned<Shown>(scene.owner, { campaign_id, send_at: at(ms) })
  for (const hour of [1, 2, 3]) assert.equal((await move(hours(hour))).status, 'scheduled')
})

test('of many calls that move or take back one campaign, each is answered and the last state holds', async () => {
  const { scene, campaign_id } = await scheduled()
  const { plan_hash } = await scene.owner.get<{ plan_hash: string }>('campaign.preview', {
    campaign_id,
  })
  const calls = Array.from({ length: 8 }, (_, i) =>
    i % 4 === 3
      ? scene.owner.call('campaign.unschedule', { campaign_id })
      : scene.owner.call('campaign.deploy', { campaign_id, plan_hash, send_at: at(hours(3 + i)) }),
  )
  for (const { kind, body } of await Promise.all(calls)) {
    assert.ok(kind === 'answer' || body['code'] === 'conflict', JSON.stringify(body))
  }
  const { status } = await shownBy(scene, campaign_id)
  const { unapproved, planHash } = await rest(campaign_id)
  if (status === 'draft') assert.deepEqual([unapproved, planHash], [0, null])
  else assert.deepEqual([status, unapproved], ['scheduled', 3])
})
