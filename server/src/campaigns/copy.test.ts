import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../tests/support/businesses/campaigns.ts'
import { recordActivity } from '../contacts/timeline/activity.ts'
import { type Id, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { campaignStates } from './campaign.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Shown {
  campaign_id: string
  name: string
  status: string
  version: number
  send_at: string | null
  recipients: number | null
  audience: object
  topic: string | null
  utm: object | null
  written_by: string
  variants: { subject: string; share: number; content: { subject: string; html: string } }[]
  ab?: object
}

async function original() {
  const scene = await campaignScene(testbed)
  await scene.subscribers(3, { tags: ['vip'] })
  await scene.owner.get('topic.save', { topic: 'tea', name: 'Tea' })
  const { campaign_id } = await scene.draft({ audience: { tags: ['vip'] }, topic: 'tea' })
  const ab = { variants: [{ subject: 'Other words' }], sample_percent: 40, winner_by: 'opens' }
  await scene.owner.get('campaign.save', { campaign_id, ab, utm: { source: 'crier' } })
  return { scene, campaign_id }
}
type Scene = Awaited<ReturnType<typeof campaignScene>>

const whole = ({ owner }: Scene, campaign_id: string) =>
  owner.get<Shown>('campaign.get', { campaign_id, content: true })

/** What a copy has in common with its original. */
function copied({ variants, audience, topic, utm, written_by, ab }: Shown) {
  const content = variants.map((variant) => [variant.subject, variant.share, variant.content])
  return { content, audience, topic, utm, written_by, ab }
}

test('a campaign in every state can be copied to a draft with its content, audience, topic and test', async () => {
  const { scene, campaign_id } = await original()
  const id = parseId('campaign', campaign_id)
  for (const state of campaignStates) {
    await testbed.db.run(sql`update campaigns set state = ${state} where id = ${id}`)
    const copy = await scene.owner.get<Shown>('campaign.copy', { campaign_id })
    assert.notEqual(copy.campaign_id, campaign_id)
    assert.deepEqual(
      [copy.status, copy.version, copy.send_at, copy.recipients, copy.name],
      ['draft', 1, null, null, 'News (copy)'],
    )
    assert.deepEqual(
      copied(await whole(scene, copy.campaign_id)),
      copied(await whole(scene, campaign_id)),
    )
  }
})

test('a copy is a campaign of its own: changing or sending it leaves the original as it is', async () => {
  const { scene, campaign_id } = await original()
  const before = await whole(scene, campaign_id)
  const copy = await scene.owner.get<Shown>('campaign.copy', { campaign_id, name: 'Second round' })
  assert.equal(copy.name, 'Second round')
  const content = { subject: 'New subject' }
  await scene.owner.get('campaign.save', { campaign_id: copy.campaign_id, content })
  await deployPlanned(scene.owner, { campaign_id: copy.campaign_id })
  assert.deepEqual(await whole(scene, campaign_id), before)
})

test('a copy of a copy, and of a very long name, has a name within the limit', async () => {
  const scene = await campaignScene(testbed)
  const { campaign_id } = await scene.draft({ name: 'n'.repeat(200) })
  const copy = await scene.owner.get<Shown>('campaign.copy', { campaign_id })
  assert.match(copy.name, /^n{193} \(copy\)$/)
  const second = await scene.owner.get<Shown>('campaign.copy', { campaign_id: copy.campaign_id })
  assert.equal(second.name, copy.name)
})

test('a copy takes over no link parameters that only the freeze wrote down', async () => {
  const { scene, campaign_id } = await original()
  const id = parseId('campaign', campaign_id)
  await testbed.db.run(sql`
    update campaigns set utm = '{}', frozen_at = now(), state = 'completed' where id = ${id}
  `)
  const { utm } = await scene.owner.get<Shown>('campaign.copy', { campaign_id })
  assert.equal(utm, null)
})

test('a campaign of another business cannot be copied', async () => {
  const { campaign_id } = await original()
  const other = await campaignScene(testbed)
  assert.equal((await other.refused('campaign.copy', { campaign_id })).code, 'not_found')
})

test('a copy for those who did not get it warns while the original can be resumed', async () => {
  const { scene, campaign_id } = await original()
  const id = parseId('campaign', campaign_id)
  const warningsAt = async (state: string) => {
    await testbed.db.run(sql`update campaigns set state = ${state} where id = ${id}`)
    const copy = { campaign_id, not_sent: true }
    return (await scene.owner.get<{ warnings?: string[] }>('campaign.copy', copy)).warnings
  }
  assert.match((await warningsAt('paused'))?.join() ?? '', /Cancel the original/)
  assert.equal(await warningsAt('cancelled'), undefined)
})

test('a copy for those who did not open it leaves out who read it and who is not tracked', async () => {
  const scene = await campaignScene(testbed)
  const { businessId, owner } = scene
  await scene.subscribers(6)
  const { campaign_id } = await scene.draft()
  const copyOf = (id: string) =>
    owner.get<Shown & { warnings: string[] }>('campaign.copy', {
      campaign_id: id,
      not_opened: true,
    })
  const early = await scene.refused('campaign.copy', { campaign_id, not_opened: true })
  assert.deepEqual([early.code, early.field], ['conflict', 'not_opened'])
  const campaignId = parseId('campaign', campaign_id) as Id<'campaign'>
  const people = await testbed.db.all<{ id: Id<'contact'> }>(sql`
    select id from contacts where business_id = ${businessId} order by email
  `)
  const does = (n: number, type: string, machine = false) => {
    const contactId = people[n]?.id as Id<'contact'>
    const row = { businessId, contactId, type, details: {}, subject: { campaignId, machine } }
    return testbed.db.tx((tx) => recordActivity(tx, [row], new Date()))
  }
  for (const n of [0, 1, 2, 3, 4]) await does(n, 'message.sent')
  await does(0, 'message.opened')
  await does(1, 'message.clicked')
  await does(2, 'message.opened', true)
  const tracking = { status: 'unsubscribed', source: 'the phone' }
  await owner.get('contact.upsert', { email: 'who-4@example.com', consent: { tracking } })
  await testbed.db.run(sql`
    insert into campaign_counts (business_id, campaign_id, variant, metric, amount)
    select ${businessId}, ${campaignId}, 0, metric, amount from
      (values ('sent', 5), ('opened', 1), ('opened_by_machine', 1)) as c (metric, amount)
  `)
  await testbed.db.run(sql`
    update campaigns set state = 'completed', audience = '{"tags": ["x"]}' where id = ${campaignId}
  `)
  const recipients = async () => {
    const copy = await copyOf(campaign_id)
    const plan = await owner.get<{ recipients: number }>('campaign.preview', {
      campaign_id: copy.campaign_id,
    })
    return { copy, count: plan.recipients }
  }
  const { copy, count } = await recipients()
  // Of those who got it, one opened it, one clicked, a machine opened it for one, and one is not tracked.
  assert.equal(count, 1)
  assert.match(copy.warnings.join(' '), /without loading images .*opens for 1, .*not tracked/)
  await owner.get('business.save', { tracking: 'agreed' })
  assert.equal((await recipients()).count, 0, 'nobody agreed to be tracked')
  await owner.get('business.save', { tracking: 'everyone', track_opens: false })
  assert.equal((await recipients()).count, 1, 'opens were recorded before')
  await testbed.db.run(sql`
    delete from campaign_counts where campaign_id = ${campaignId} and metric <> 'sent'
  `)
  const untracked = await scene.refused('campaign.copy', { campaign_id, not_opened: true })
  assert.match(untracked.message, /No opens are recorded/)
  const text = await scene.draft({ channel: 'sms', content: { text: 'News. STOP' } })
  const ofText = { campaign_id: text.campaign_id, not_opened: true }
  assert.equal((await scene.refused('campaign.copy', ofText)).code, 'invalid_request')
})
