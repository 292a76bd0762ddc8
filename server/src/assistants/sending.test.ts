import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../tests/support/businesses/campaigns.ts'
import { newMember } from '../../../tests/support/clients/grants.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { ShiftedClock } from '../../../tests/support/time/shifted-clock.ts'
import { startSession } from '../accounts/sign-in/session.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { stopLink } from '../core/press-link.ts'
import { sql } from '../lib/db/db.ts'
import { minutes } from '../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed({ clock, idle: false })
})
after(() => testbed.close())

type Scene = Awaited<ReturnType<typeof campaignScene>>

async function connectionOf({ businessId }: Scene): Promise<string> {
  const { id } = await testbed.db.one<{ id: Id<'connection'> }>(sql`
    select id from connections where ${businessId} = any (business_ids) order by id limit 1
  `)
  return formatId('connection', id)
}

const person = ({ businessId }: Scene, role: 'owner' | 'admin' | 'editor' | 'viewer' = 'owner') =>
  testbed.appCaller({ businesses: [businessId], role })

interface Shown {
  status: string
  pause_reason: string | null
}

const shown = (scene: Scene, campaign_id: string) =>
  scene.owner.get<Shown>('campaign.get', { campaign_id })

test('a stopped assistant does nothing more, what it ordered waits, and a resume loses and doubles nothing', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(3)
  const boss = await person(scene)
  const connection_id = await connectionOf(scene)
  const due = await scene.draft({ name: 'Due' })
  const send_at = new Date(clock.now().getTime() + minutes(5)).toISOString()
  await deployPlanned(scene.owner, { campaign_id: due.campaign_id, send_at })
  const running = await scene.draft({ name: 'Running' })
  const { campaign_id } = running
  await deployPlanned(scene.owner, { campaign_id, throttle_per_minute: 1 })
  const stopped = await boss.get<{ campaigns: number }>('connection.stop', { connection_id })
  assert.equal(stopped.campaigns, 1)
  for (const operation of ['contact.list', 'campaign.resume', 'email.send'] as const) {
    const input =
      operation === 'email.send'
        ? { to: 'a@example.com', subject: 'Hello', text: 'Hello' }
        : operation === 'campaign.resume'
          ? { campaign_id }
          : {}
    const refusal = await scene.refused(operation, input)
    assert.deepEqual([refusal.code, refusal['reason']], ['access_denied', 'stopped'])
    assert.match(refusal.fix?.url ?? '', /\/connections$/)
  }
  const paused = await boss.get<Shown>('campaign.get', { campaign_id })
  assert.deepEqual([paused.status, paused.pause_reason], ['paused', 'stopped'])
  clock.forward(minutes(5))
  const fallenDue = await eventually(
    () => boss.get<Shown>('campaign.get', { campaign_id: due.campaign_id }),
    ({ status }) => status !== 'scheduled',
  )
  assert.deepEqual([fallenDue.status, fallenDue.pause_reason], ['paused', 'stopped'])

  const viewer = await person(scene, 'viewer')
  assert.equal((await viewer.call('connection.resume', { connection_id })).status, 404)
  const admin = await person(scene, 'admin')
  const resumed = await admin.get<{ campaigns: number }>('connection.resume', { connection_id })
  assert.equal(resumed.campaigns, 2)
  assert.equal((await shown(scene, campaign_id)).status, 'deployed')
  await eventually(
    () => shown(scene, due.campaign_id),
    ({ status }) => status === 'completed',
  )
  const got = await testbed.db.one<{ mails: number; people: number }>(sql`
    select count(*)::int as mails, count(distinct recipient)::int as people from messages
    where business_id = ${scene.businessId}
      and campaign_id = ${parseId('campaign', due.campaign_id)}
  `)
  assert.deepEqual(got, { mails: 3, people: 3 })
  await boss.get('connection.resume', { connection_id })
})

test('stopping all sending holds marketing and, if chosen, what assistants send, until it is resumed', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(2)
  const [boss, other] = [await person(scene, 'editor'), await person(scene, 'editor')]
  const { campaign_id } = await scene.draft()
  await boss.get('sending.stop', { with_messages: true })
  const { plan_hash } = await scene.owner.get<{ plan_hash: string }>('campaign.preview', {
    campaign_id,
  })
  const refused = await scene.refused('campaign.deploy', { campaign_id, plan_hash })
  assert.equal(refused['reason'], 'sending_stopped')
  const receipt = { to: 'who-1@example.com', subject: 'Receipt', text: 'Paid' }
  const { message_id } = await scene.owner.get<{ message_id: string }>('email.send', receipt)
  const stateOf = () =>
    scene.owner.get<{ status: string; due_at: string }>('message.get', { message_id })
  const waiting = await eventually(stateOf, ({ due_at }) => new Date(due_at) > clock.now())
  assert.equal(waiting.status, 'queued')
  const state = await boss.get<{ stopped_at: string | null; with_messages: boolean }>('sending.get')
  assert.deepEqual([state.stopped_at !== null, state.with_messages], [true, true])
  assert.equal((await other.call('sending.resume', {})).body['code'], 'role_required')
  await boss.get('sending.resume')
  clock.forward(minutes(2))
  const sent = await eventually(stateOf, ({ status }) => !['queued', 'attempting'].includes(status))
  assert.ok(['accepted', 'delivered'].includes(sent.status), sent.status)
  await scene.owner.get('campaign.deploy', { campaign_id, plan_hash })
})

test('an approver stops another member’s assistant, a viewer only their own', async () => {
  const scene = await campaignScene(testbed)
  const connection_id = await connectionOf(scene)
  const viewer = await person(scene, 'viewer')
  assert.equal((await viewer.call('connection.stop', { connection_id })).status, 404)
  assert.equal((await viewer.call('sending.stop', {})).body['code'], 'role_required')
  const { userId } = viewer
  const own = await testbed.caller({ businesses: [scene.businessId], role: 'viewer', userId })
  const { connections } = await viewer.get<{ connections: { connection_id: string }[] }>(
    'sending.get',
  )
  assert.equal(connections.length, 1)
  await viewer.get('connection.stop', { connection_id: connections[0]?.connection_id })
  assert.equal((await own.call('contact.list', {})).body['code'], 'access_denied')
  await scene.owner.get('contact.list')
  const editor = await person(scene, 'editor')
  await editor.get('sending.stop', { with_connections: true })
  assert.equal((await scene.refused('contact.list', {})).code, 'access_denied')
})

/** Two businesses of one person, in each of which a campaign is being sent. */
async function twoBusinesses() {
  const scenes = [await campaignScene(testbed), await campaignScene(testbed)] as const
  const ids = scenes.map(({ businessId }) => businessId)
  const userId = await newMember(testbed.db, { businesses: ids, role: 'approver' })
  const cookie = `crier-session=${await startSession(testbed.db, userId, new Date())}`
  const campaigns: string[] = []
  for (const scene of scenes) {
    await scene.subscribers(3)
    const { campaign_id } = await scene.draft({ name: 'Running' })
    await deployPlanned(scene.owner, { campaign_id, throttle_per_minute: 1 })
    campaigns.push(campaign_id)
  }
  const states = () =>
    Promise.all(scenes.map(async (scene, i) => (await shown(scene, campaigns[i] ?? '')).status))
  return { scenes, userId, cookie, states }
}

test('the page of the red button stops one of two businesses, and needs no script', async () => {
  const { scenes, cookie, states } = await twoBusinesses()
  const [first, second] = scenes.map(({ businessId }) => formatId('business', businessId))
  const url = `${testbed.service.url}/account/stop`
  const open = (address: string) => fetch(address, { headers: { cookie }, redirect: 'manual' })
  const list = await (await open(url)).text()
  assert.ok(list.includes(`${url.slice(-13)}/${first}`) && list.includes(`/account/stop/${second}`))
  const page = await open(`${url}/${first}`)
  const html = await page.text()
  assert.doesNotMatch(html, /<script/)
  const [, key = ''] = /name="form_key" value="([^"]+)"/.exec(html) ?? []
  const cookies = [cookie, ...page.headers.getSetCookie().map((text) => text.split(';')[0])]
  const press = (body: Record<string, string>) =>
    fetch(`${url}/${first}`, {
      method: 'POST',
      headers: { cookie: cookies.join('; ') },
      body: new URLSearchParams(body),
    })
  assert.equal((await press({})).status, 403)
  assert.deepEqual(await states(), ['deployed', 'deployed'])
  const done = await press({ form_key: key, messages: 'yes' })
  assert.equal(done.status, 200)
  assert.match(await done.text(), /Campaigns paused: 1\./)
  assert.deepEqual(await states(), ['paused', 'deployed'])
  const message = { to: 'a@example.com', subject: 'Receipt', text: 'Thanks' }
  const { message_id } = await scenes[0].owner.get<{ message_id: string }>('email.send', message)
  const other = await scenes[1].owner.get<{ message_id: string }>('email.send', message)
  await eventually(
    () => {
      const { message_id: id } = other
      return scenes[1].owner.get<{ status: string }>('message.get', { message_id: id })
    },
    ({ status }) => status === 'accepted',
  )
  const receipt = await scenes[0].owner.get<{ status: string }>('message.get', { message_id })
  assert.equal(receipt.status, 'queued')
  const foreign = formatId('business', await testbed.newBusiness())
  assert.equal((await open(`${url}/${foreign}`)).status, 404)
})

test('a link in an owners’ mail stops all sending of its business, until the person has left it', async () => {
  const { scenes, userId, states } = await twoBusinesses()
  const { vault, config } = testbed.service
  const [{ businessId }] = scenes
  const deps = { vault, appUrl: config.appUrl, now: clock.now() }
  const business = formatId('business', businessId)
  const { url } = stopLink(deps, { business, user: userId, language: 'en' })
  const page = await (await fetch(url)).text()
  assert.match(page, /<form method="post"/)
  assert.deepEqual(await states(), ['deployed', 'deployed'])
  assert.equal((await fetch(url, { method: 'POST' })).status, 200)
  assert.deepEqual(await states(), ['paused', 'deployed'])
  await testbed.db.run(sql`
    delete from memberships where business_id = ${businessId} and user_id = ${userId}
  `)
  assert.equal((await fetch(url)).status, 410)
  assert.equal((await fetch(url, { method: 'POST' })).status, 404)
})
