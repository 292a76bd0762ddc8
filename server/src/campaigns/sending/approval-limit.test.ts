/** The approval limit counts all marketing of 24 hours without a person's approval. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../../tests/support/businesses/campaigns.ts'
import { eventsOf } from '../../../../tests/support/businesses/contacts.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { sql } from '../../lib/db/db.ts'
import { hours, later } from '../../lib/time/clock.ts'
import { bucketOf, countRecipients, lockAllowance } from '../../usage/approval-limit.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

type Scene = Awaited<ReturnType<typeof campaignScene>>

async function limited(limit: number, subscribers = 6) {
  const scene = await campaignScene(testbed)
  if (subscribers > 0) await scene.subscribers(subscribers)
  await setBusiness(testbed.db, scene.businessId, {
    key: 'deploy_limit',
    value: `${limit}`,
    now: new Date(),
  })
  return scene
}

const mail = (n: number, more: object = {}) => ({
  to: `who-${n}@example.com`,
  subject: 'News',
  text: `Number ${n}`,
  kind: 'marketing',
  ...more,
})

async function tagged(scene: Scene, count: number, tag: string) {
  const contacts = Array.from({ length: count }, (_, i) => ({
    email: `${tag}-${i}@example.com`,
    tags: [tag],
    consent: { email: { status: 'subscribed', source: 'shop' } },
  }))
  await scene.owner.get('contact.import', { contacts })
}

async function deploy(scene: Scene, audience: object = {}, more: object = {}) {
  const { campaign_id } = await scene.draft({ audience })
  const { status } = await deployPlanned<{ status: string }>(scene.owner, {
    campaign_id,
    ...more,
  })
  return { campaign_id, status }
}

test('when an audience is split into two campaigns, the second one waits for approval', async () => {
  const scene = await limited(4, 0)
  await tagged(scene, 3, 'a')
  await tagged(scene, 3, 'b')
  assert.equal((await deploy(scene, { tags: ['a'] })).status, 'deployed')
  const waiting = await deploy(scene, { tags: ['b'] })
  assert.equal(waiting.status, 'awaiting_approval')
  const events = await eventsOf(testbed.db, scene.businessId)
  assert.deepEqual(
    events
      .filter(({ type }) => type === 'campaign.awaiting_approval')
      .map(({ data }) => [data['campaign_id'], data['status'], data['recipients']]),
    [[waiting.campaign_id, 'awaiting_approval', 3]],
  )
})

test('a scheduled campaign reserves its recipients of the limit, and cancelling releases them', async () => {
  const scene = await limited(4, 0)
  await tagged(scene, 3, 'a')
  const send_at = later(new Date(), hours(2)).toISOString()
  const first = await deploy(scene, { tags: ['a'] }, { send_at })
  assert.equal(first.status, 'scheduled')
  assert.equal((await deploy(scene, { tags: ['a'] })).status, 'awaiting_approval')
  await scene.owner.get('campaign.cancel', { campaign_id: first.campaign_id })
  assert.equal((await deploy(scene, { tags: ['a'] })).status, 'deployed')
})

test('a paused campaign still reserves its recipients of the limit', async () => {
  const scene = await limited(4, 0)
  await tagged(scene, 3, 'a')
  const { campaign_id } = await deploy(scene, { tags: ['a'] })
  await scene.owner.get('campaign.pause', { campaign_id })
  assert.equal((await deploy(scene, { tags: ['a'] })).status, 'awaiting_approval')
})

test('of two concurrent deploys that each fit the limit alone, one waits for approval', async () => {
  const scene = await limited(8, 0)
  await tagged(scene, 5, 'a')
  const states = await Promise.all([deploy(scene, { tags: ['a'] }), deploy(scene, { tags: ['a'] })])
  assert.deepEqual(states.map(({ status }) => status).sort(), ['awaiting_approval', 'deployed'])
})

test('a hundred concurrent sends beside a campaign do not exceed what is left of the limit', async () => {
  const scene = await limited(40, 0)
  await tagged(scene, 10, 'a')
  await scene.subscribers(100)
  await deploy(scene, { tags: ['a'] })
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => scene.owner.call('email.send', mail(i + 1))),
  )
  const sent = answers.filter(({ kind }) => kind === 'answer')
  const refused = answers.filter(({ kind }) => kind === 'refusal')
  assert.equal(sent.length, 30)
  assert.ok(refused.every(({ body }) => body['code'] === 'conflict'))
  const body = refused[0]?.body as {
    fix?: { tool: string }
    reason?: string
    deploy_limit?: number
  }
  assert.match(`${body.fix?.tool}`, /campaign\.generate$/)
  assert.deepEqual([body.reason, body.deploy_limit], ['approval_limit', 40])
  // A refused mail leaves no trace, so sending it again is no duplicate. Mail that people asked for
  // is still sent.
  const first = answers.findIndex(({ kind }) => kind === 'refusal') + 1
  const again = await scene.refused('email.send', mail(first))
  assert.equal(again.code, 'conflict')
  const { kind: _kind, ...receipt } = mail(1, { text: 'A receipt' })
  await scene.owner.get('email.send', receipt)
})

test('text messages count towards the same limit as mails', async () => {
  const scene = await limited(1)
  await scene.contact({
    phone: '+33612345678',
    consent: { sms: { status: 'subscribed', source: 'till' } },
  })
  await scene.owner.get('email.send', mail(1))
  const input = { to: '+33612345678', text: 'News. STOP to end', kind: 'marketing' }
  const refused = await scene.refused('sms.send', input)
  assert.equal(refused.code, 'conflict')
  const { channel, content } = refused.fix?.arguments ?? {}
  assert.deepEqual([channel, content], ['sms', { text: input.text }])
  // The call in the fix works without changes.
  await scene.owner.get('campaign.generate', { ...refused.fix?.arguments })
})

test('with a limit of 0 no marketing message is sent without approval', async () => {
  const scene = await limited(0)
  assert.equal((await scene.refused('email.send', mail(1))).code, 'conflict')
  assert.equal((await deploy(scene)).status, 'awaiting_approval')
})

test('without a limit all messages are sent, and they count once a limit is set', async () => {
  const scene = await limited(2)
  const set = (value: string) =>
    setBusiness(testbed.db, scene.businessId, { key: 'deploy_limit', value, now: new Date() })
  await set('none')
  for (const n of [1, 2, 3]) await scene.owner.get('email.send', mail(n))
  await set('3')
  await scene.refused('email.send', mail(4))
})

test('an admin in the app approves by deploying, unless the business requires two people', async () => {
  const scene = await limited(2)
  const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'admin' })
  const other = await testbed.appCaller({ businesses: [scene.businessId], role: 'admin' })
  const byPerson = async () => {
    const { campaign_id } = await scene.draft()
    const { status } = await person.get<{ status: string }>('campaign.deploy', { campaign_id })
    return { campaign_id, status }
  }
  assert.equal((await byPerson()).status, 'deployed')
  // Campaigns approved by a person use nothing of the apps' limit.
  for (const n of [1, 2]) await scene.owner.get('email.send', mail(n))
  await testbed.db.run(sql`update businesses set two_people = true where id = ${scene.businessId}`)
  const waits = await byPerson()
  assert.equal(waits.status, 'awaiting_approval')
  const { campaign_id } = waits
  const { plan_hash } = await person.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  const decision = { campaign_id, decision: 'approve', plan_hash }
  const own = await person.call('campaign.decide', decision)
  assert.deepEqual([own.body['code'], own.body['reason']], ['conflict', 'two_people'])
  assert.equal((await other.call('campaign.decide', decision)).body['status'], 'deployed')
})

test('an editor in the app cannot approve a send', async () => {
  const scene = await limited(0)
  const editor = await testbed.appCaller({ businesses: [scene.businessId], role: 'editor' })
  assert.equal((await editor.call('email.send', mail(1))).body['code'], 'conflict')
})

test('a recipient counts towards the limit for 24 hours and at most one bucket longer', async () => {
  const { businessId } = await limited(1)
  const at = new Date((bucketOf(new Date()) + 1) * 1_800_000 - 1)
  await testbed.db.tx((tx) => countRecipients(tx, [{ businessId, at, amount: 1 }]))
  const fits = (moment: Date) =>
    testbed.db.tx(async (tx) => {
      const allowance = await lockAllowance(tx, [{ businessId, at: moment }])
      return allowance.take({ businessId, at: moment, amount: 1 })
    })
  const edge = hours(24)
  assert.equal(await fits(at), false)
  assert.equal(await fits(later(at, edge - 1)), false)
  assert.equal(await fits(later(at, edge + 1_800_000)), true)
  // Scheduled messages count around their hour, not before it.
  assert.equal(await fits(later(at, 1 - edge)), false)
  assert.equal(await fits(later(at, -edge - 1_800_000)), true)
})
