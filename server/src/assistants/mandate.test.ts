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
import { formatId, type Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, minutes } from '../lib/time/clock.ts'

const clock = new ShiftedClock()
let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed({ clock, idle: false })
})
after(() => testbed.close())

type Scene = Awaited<ReturnType<typeof mandated>>

interface Mandate {
  mandate_id: string
  in_force: boolean
  people_left: number
}

interface Deployed {
  status: string
  approval_reason?: string
  mandate?: { inside: boolean; outside: { reason: string }[] }
}

/** A business where nothing leaves without a person, and a connection with a mandate. */
async function mandated(terms: object = {}) {
  const scene = await campaignScene(testbed)
  const { businessId } = scene
  await setBusiness(testbed.db, businessId, { key: 'deploy_limit', value: '0', now: new Date() })
  const { id } = await testbed.db.one<{ id: Id<'connection'> }>(sql`
    select id from connections where ${businessId} = any (business_ids) order by id limit 1
  `)
  const connection_id = formatId('connection', id)
  const boss = await testbed.appCaller({ businesses: [businessId], role: 'owner' })
  const signed = await boss.get<Mandate>('mandate.sign', {
    connection_id,
    goal: 'Tell regulars about new roasts',
    people_per_week: 5,
    days: 30,
    never_words: ['free shipping'],
    link_hosts: ['shop.example'],
    ...terms,
  })
  const deploy = async (draft: object = {}, more: object = {}) => {
    const { campaign_id } = await scene.draft(draft)
    return deployPlanned<Deployed>(scene.owner, { campaign_id, ...more })
  }
  return { ...scene, boss, signed, connection_id, deploy }
}

const reasonsOf = ({ mandate }: Deployed) => mandate?.outside.map(({ reason }) => reason)

const outside: [string, object, string][] = [
  ['a word', { content: { subject: 'FREE  shipping', html: '<p>Hello</p>' } }, 'words'],
  [
    'a host',
    { content: { subject: 'Hi', html: '<p><a href="https://evil.example">Hi</a></p>' } },
    'hosts',
  ],
  ['somebody else', { audience: {} }, 'audience'],
]

test('each term is kept, and what is outside says why', async () => {
  const scene = await mandated({ filter: { tag: 'regular' }, people_per_week: 100 })
  await scene.subscribers(2)
  await scene.contact({
    email: 'regular@example.com',
    tags: ['regular'],
    consent: { email: { status: 'subscribed', source: 'checkout page' } },
  })
  const regulars = { audience: { filter: { tag: 'regular' } } }
  for (const [name, draft, reason] of outside) {
    const answer = await scene.deploy({ ...regulars, ...draft })
    assert.deepEqual([answer.status, reasonsOf(answer)], ['awaiting_approval', [reason]], name)
  }
  const inside = await scene.deploy(regulars)
  assert.deepEqual([inside.status, reasonsOf(inside)], ['deployed', []])
  const { campaign_id } = await scene.draft(regulars)
  const unseen = await scene.owner.get<Deployed>('campaign.deploy', { campaign_id })
  assert.equal(unseen.approval_reason, 'no_plan_hash')

  await scene.boss.get('mandate.save', { mandate_id: scene.signed.mandate_id, paused: true })
  assert.deepEqual(reasonsOf(await scene.deploy(regulars)), ['paused'])
  await scene.boss.get('mandate.save', { mandate_id: scene.signed.mandate_id, paused: false })
  assert.equal((await scene.deploy(regulars)).status, 'deployed')
  await scene.boss.get('mandate.end', { mandate_id: scene.signed.mandate_id })
  assert.equal((await scene.deploy(regulars)).mandate, undefined)
})

test('orders at the same time do not take the same people of the week', async () => {
  const scene = await mandated({ people_per_week: 7 })
  await scene.subscribers(3)
  const drafts = await Promise.all(Array.from({ length: 6 }, () => scene.draft()))
  const answers = await Promise.all(
    drafts.map(({ campaign_id }) => deployPlanned<Deployed>(scene.owner, { campaign_id })),
  )
  assert.equal(answers.filter(({ mandate }) => mandate?.inside).length, 2)
  assert.equal(answers.filter(({ status }) => status === 'awaiting_approval').length, 4)
})

test('hours are those of the business, and only an owner signs', async () => {
  const now = clock.now()
  const hour = (ahead: number) => `${String((now.getUTCHours() + ahead) % 24).padStart(2, '0')}:00`
  const scene: Scene = await mandated({ hours: { from: hour(3), to: hour(5) } })
  await setBusiness(testbed.db, scene.businessId, { key: 'time_zone', value: 'Etc/UTC', now })
  await scene.subscribers(1)
  assert.deepEqual(reasonsOf(await scene.deploy()), ['hours'])
  const send_at = new Date(now.getTime() + minutes(4 * 60)).toISOString()
  const later = await scene.deploy({}, { send_at })
  assert.deepEqual([later.status, reasonsOf(later)], ['scheduled', []])

  const admin = await testbed.appCaller({ businesses: [scene.businessId], role: 'admin' })
  const terms = { connection_id: scene.connection_id, goal: 'x', people_per_week: 1, days: 1 }
  assert.equal((await admin.call('mandate.sign', terms)).body['code'], 'role_required')
  const { mandate_id } = scene.signed
  await admin.get('mandate.save', { mandate_id, paused: true })
  const going = await admin.call('mandate.save', { mandate_id, paused: false })
  assert.equal(going.body['code'], 'role_required')
})

// Last, because tokens made before the clock moves are over afterwards.
test('a week under a mandate: inside nobody is asked, outside a person is, and the owners are told', async () => {
  const scene = await mandated()
  await scene.subscribers(3)
  const first = await scene.deploy()
  assert.deepEqual([first.status, first.mandate?.inside], ['deployed', true])
  const { businesses } = await scene.owner.get<{ businesses: { mandate?: { goal: string } }[] }>(
    'business.list',
  )
  assert.equal(businesses[0]?.mandate?.goal, 'Tell regulars about new roasts')
  const { mandates } = await scene.owner.get<{ mandates: Mandate[] }>('mandate.list')
  assert.deepEqual([mandates[0]?.people_left, mandates[0]?.in_force], [2, true])

  const second = await scene.deploy()
  assert.deepEqual([second.status, second.approval_reason], ['awaiting_approval', 'deploy_limit'])
  assert.deepEqual(reasonsOf(second), ['people_per_week'])
  const sent = () =>
    testbed.db.one<{ n: number }>(sql`
      select count(*)::int as n from messages
      where business_id = ${scene.businessId} and state in ('accepted', 'delivered')
    `)
  await eventually(sent, ({ n }) => n === 3)

  clock.forward(days(7) + minutes(1))
  const to = `${scene.boss.userId}@example.com`
  const mail = await eventually(
    async () => {
      const listing = `${testbed.service.url}/inbox/messages?to=${encodeURIComponent(to)}`
      const { messages } = (await (await fetch(listing)).json()) as {
        messages: { subject: string; text: string }[]
      }
      return messages.find(({ subject }) => subject.startsWith('What '))
    },
    (found) => found !== undefined,
  )
  assert.match(mail?.text ?? '', /3 sent/)
  const [link = ''] = /http\S+\/press\/\S+/.exec(mail?.text ?? '') ?? []
  const page = await fetch(link)
  assert.equal(page.status, 200)
  const pausedAt = () =>
    testbed.db.one<{ at: Date | null }>(sql`
      select paused_at as at from mandates where business_id = ${scene.businessId}
    `)
  // Scanners of mail follow every link.
  assert.equal((await pausedAt()).at, null)
  assert.equal((await fetch(link, { method: 'POST' })).status, 200)
  assert.notEqual((await pausedAt()).at, null)
  assert.equal((await fetch(`${link}x`, { method: 'POST' })).status, 410)
})
