import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  type CampaignPlace,
  sendOff,
  standings,
} from '../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  countsOf,
  draftTo,
  type Running,
} from '../../../tests/support/businesses/campaign-runs.ts'
import {
  campaignScene,
  deployPlanned,
  noonZone,
  yes,
} from '../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { addCounts } from './results/outcomes.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

interface Answer {
  resent: number
  refused: { contact_id: string; reason: string }[]
  more: boolean
}

/** A completed campaign with `unknown` recipients in doubt, as after a crash. */
async function inDoubt(people: number, unknown: number) {
  const running = await draftTo(testbed, people)
  await sendOff(running)
  return { running, ids: await doubt(running, unknown) }
}

async function doubt(running: CampaignPlace, unknown: number): Promise<string[]> {
  assert.equal(await awaitState(running, 'completed'), 'completed')
  const { businessId, campaignId } = running
  const rows = await testbed.db.all<{ id: Id<'contact'> }>(sql`
    update campaign_recipients set state = 'unknown' where campaign_id = ${campaignId}
      and contact_id in (select contact_id from campaign_recipients
        where campaign_id = ${campaignId} order by contact_id limit ${unknown})
    returning contact_id as id
  `)
  const of = { businessId, campaignId, variant: 0 }
  await testbed.db.tx((tx) =>
    addCounts(tx, [
      { ...of, metric: 'unknown', amount: unknown },
      { ...of, metric: 'sent', amount: -unknown },
    ]),
  )
  // An update returns its rows in heap order.
  return rows.map(({ id }) => formatId('contact', id)).toSorted()
}

const resend = ({ scene, name }: Running, input: object) =>
  scene.owner.get<Answer>('campaign.resend', { campaign_id: name, ...input })

function messagesOf({ campaignId }: Running) {
  return testbed.db.one<{ n: number }>(sql`
    select count(*)::int as n from messages where campaign_id = ${campaignId}
  `)
}

test('only the named recipients are sent the campaign again', async () => {
  const { running, ids } = await inDoubt(6, 3)
  const [first = '', ...others] = ids
  const answer = await resend(running, { contact_ids: [first] })
  assert.deepEqual(answer, { campaign_id: running.name, resent: 1, refused: [], more: false })
  const after = await eventually(
    () => standings(running),
    (now) => now['sent'] === 4,
  )
  assert.deepEqual(after, { sent: 4, unknown: 2 })
  assert.deepEqual(await countsOf(running), { sent: 4, unknown: 2 })
  assert.equal((await messagesOf(running)).n, 7)
  assert.equal(others.length, 2)
})

test('all recipients with unknown outcome are sent to again once, even by concurrent calls', async () => {
  const { running } = await inDoubt(6, 4)
  const answers = await Promise.all(Array.from({ length: 4 }, () => resend(running, { all: true })))
  assert.equal(
    answers.reduce((sum, { resent }) => sum + resent, 0),
    4,
  )
  await eventually(
    () => standings(running),
    (now) => now['sent'] === 6,
  )
  assert.deepEqual(await countsOf(running), { sent: 6 })
  assert.equal((await messagesOf(running)).n, 10)
})

test('a recipient who may not be resent to is reported with the reason, and stays unknown', async () => {
  const { running, ids } = await inDoubt(4, 2)
  const [quit = '', gone = ''] = ids
  const { businessId, scene } = running
  const [row] = await testbed.db.all<{ email: string }>(sql`
    select email from contacts where business_id = ${businessId} order by id limit 1
  `)
  const no = { email: { status: 'unsubscribed', source: 'told us' } }
  await scene.contact({ email: row?.email, consent: no })
  await testbed.db.run(sql`
    delete from contacts where business_id = ${businessId} and id = (
      select id from contacts where business_id = ${businessId} order by id offset 1 limit 1)
  `)
  const sure = 'con_00000000000000000000000000'
  const answer = await resend(running, { contact_ids: [...ids, sure] })
  assert.deepEqual(answer.refused, [
    { contact_id: quit, reason: 'unsubscribed' },
    { contact_id: gone, reason: 'erased' },
    { contact_id: sure, reason: 'not_unknown' },
  ])
  assert.equal(answer.resent, 0)
  assert.deepEqual(await standings(running), { sent: 2, unknown: 2 })
})

test('a resend must name its recipients, and is refused for a draft with the possible actions', async () => {
  const running = await draftTo(testbed, 0)
  const { refused } = running.scene
  const campaign_id = running.name
  const some = ['con_00000000000000000000000000']
  for (const input of [{}, { contact_ids: [] }, { all: true, contact_ids: some }]) {
    const refusal = await refused('campaign.resend', { campaign_id, ...input })
    assert.equal(refusal.field, 'contact_ids')
  }
  const many = Array(1_001).fill('con_00000000000000000000000000')
  assert.equal(
    (await refused('campaign.resend', { campaign_id, contact_ids: many })).field,
    'contact_ids',
  )
  const draft = await refused('campaign.resend', { campaign_id, all: true })
  assert.equal(draft.code, 'conflict')
  assert.match(draft.message, /is draft and cannot be sent again/)
})

test('a resent text counts its segments again, and is refused beyond the quota', async () => {
  const scene = await campaignScene(testbed, 'growth')
  const { owner, businessId } = scene
  const awake = { attributes: { time_zone: noonZone() } }
  for (const phone of ['+14155550131', '+14155550132']) {
    await scene.contact({ phone, consent: { sms: yes }, ...awake })
  }
  const text = `${'Shop: the new menu is here. '.repeat(6)}Reply STOP to opt out.`
  const { campaign_id } = await scene.draft({ channel: 'sms', content: { text } })
  await deployPlanned(owner, { campaign_id })
  const campaignId = parseId('campaign', campaign_id)
  assert.ok(campaignId)
  const [one = ''] = await doubt({ db: testbed.db, businessId, campaignId }, 2)
  const used = async () => {
    const { counters } = await owner.get<{ counters: { metric: string; used: number }[] }>(
      'meta.usage',
      {},
    )
    return counters.find(({ metric }) => metric === 'sms')?.used
  }
  assert.equal(await used(), 4)
  const answer = await owner.get<Answer>('campaign.resend', { campaign_id, contact_ids: [one] })
  assert.equal(answer.resent, 1)
  assert.equal(await used(), 6)

  await testbed.db.run(sql`
    update usage_months set amount = 2499
    where business_id = ${businessId} and metric = 'sms'
  `)
  const refusal = await scene.refused('campaign.resend', { campaign_id, all: true })
  assert.equal(refusal.code, 'tier_required')
  assert.equal(await used(), 6)
})
