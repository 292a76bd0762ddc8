import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  openCampaignTestbed,
} from '../../../../tests/support/businesses/campaigns.ts'
import { type Id, newId, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

type Scene = Awaited<ReturnType<typeof campaignScene>>
interface Saved {
  template_id: string
  version: number
}
interface Listed {
  templates: { template_id: string; tags: string[] }[]
  tags?: string[]
}
interface Results {
  months: { month: string; sent: number; opened: number; clicked: number }[]
  campaigns: { campaign_id: string; name: string; status: string }[]
  messages_30_days: number
  connections_30_days: number
  looked_at: number
}

const welcome = { name: 'Welcome', subject: 'Hello', html: '<p>Good to have you</p>' }
const save = ({ owner }: Scene, more: object = {}) =>
  owner.get<Saved>('template.save', { ...welcome, ...more })

test('templates are found by their tags, which make no version', async () => {
  const scene = await campaignScene(testbed)
  const list = (input: object = {}) => scene.owner.get<Listed>('template.list', input)
  const first = await save(scene, { tags: ['spring', ' news ', 'news'] })
  const second = await save(scene, { tags: ['receipts'] })
  const { template_id } = first
  assert.deepEqual((await list({ template_id })).templates[0]?.tags, ['news', 'spring'])
  assert.deepEqual((await list()).tags, ['news', 'receipts', 'spring'])
  const found = await list({ tag: 'news' })
  assert.deepEqual(
    found.templates.map((entry) => entry.template_id),
    [template_id],
  )
  await save(scene, { template_id: second.template_id, name: 'Order', key: 'order-1' })
  for (const [q, expected] of [
    ['WELC', [template_id]],
    ['rder-1', [second.template_id]],
    ['receip', [second.template_id]],
    ['%', []],
  ] as const) {
    const { templates } = await list({ q })
    assert.deepEqual(
      templates.map((entry) => entry.template_id),
      expected,
      q,
    )
  }
  const again = await scene.owner.get<Saved>('template.save', { template_id, tags: [] })
  assert.equal(again.version, 1)
  assert.deepEqual((await list()).tags, ['receipts'])
  const other = await campaignScene(testbed)
  assert.deepEqual((await other.owner.get<Listed>('template.list', {})).tags, [])
  const tags = Array.from({ length: 20 }, (_, n) => `tag ${n}`)
  await save(scene, { template_id: second.template_id, tags })
  for (const wrong of [[...tags, 'one more'], ['x'.repeat(51)], ['']]) {
    const refusal = await scene.refused('template.save', { ...welcome, tags: wrong })
    assert.equal(refusal.code, 'invalid_request')
    assert.match(refusal.field ?? '', /^tags/)
  }
})

test('a version says which member saved it, to members alone', async () => {
  const scene = await campaignScene(testbed)
  const person = await testbed.appCaller({ businesses: [scene.businessId], role: 'editor' })
  const { template_id } = await save(scene)
  await person.get('template.save', { template_id, subject: 'Hello again' })
  interface Versions {
    versions: { version: number; by?: string; through_connection: boolean }[]
  }
  const { versions } = await person.get<Versions>('template.versions', { template_id })
  assert.deepEqual(
    versions.map(({ version, through_connection }) => [version, through_connection]),
    [
      [2, false],
      [1, true],
    ],
  )
  assert.match(versions[0]?.by ?? '', /@/)
  assert.equal(versions[1]?.by, null)
  const seen = await scene.owner.get<Versions>('template.versions', { template_id })
  assert.deepEqual(
    seen.versions.map(({ by }) => by),
    [undefined, undefined],
  )
})

test('the results of a template are those of its campaigns and of its single messages', async () => {
  const scene = await campaignScene(testbed)
  const { businessId, owner } = scene
  const results = (template_id: string) => owner.get<Results>('template.results', { template_id })
  const { template_id } = await save(scene)
  assert.deepEqual(await results(template_id), {
    months: [],
    campaigns: [],
    messages_30_days: 0,
    connections_30_days: 0,
    looked_at: 0,
  })
  const draft = await owner.get<{ campaign_id: string }>('campaign.generate', {
    channel: 'email',
    template_id,
    name: 'Made of it',
  })
  const whole = await owner.get<{ variants: { subject: string }[] }>('campaign.get', {
    campaign_id: draft.campaign_id,
  })
  assert.equal(whole.variants[0]?.subject, 'Hello')
  const taken = await scene.draft({ name: 'Taken later' })
  const content = { subject: 'Hello', html: welcome.html }
  await owner.get('campaign.save', { campaign_id: taken.campaign_id, content, template_id })
  await owner.get('campaign.copy', { campaign_id: taken.campaign_id, name: 'Copied' })
  await scene.draft({ name: 'Another' })
  const sent = parseId('campaign', draft.campaign_id) as Id<'campaign'>
  await testbed.db.run(sql`
    update campaigns set state = 'completed', deployed_at = ${new Date('2026-10-31T23:30:00Z')}
    where id = ${sent}
  `)
  await testbed.db.run(sql`
    insert into campaign_counts (business_id, campaign_id, variant, metric, amount)
    select ${businessId}, ${sent}, 0, metric, amount from
      (values ('sent', 10), ('opened', 4), ('clicked', 1), ('delivered', 9)) as c (metric, amount)
  `)
  await owner.get('business.save', { time_zone: 'Asia/Tokyo' })
  for (const n of [1, 2, 3]) {
    await owner.get('email.send', { to: `who-${n}@example.com`, template_id })
  }
  const messages = await testbed.db.all<{ id: Id<'message'> }>(sql`
    update messages set state = 'delivered' where business_id = ${businessId} returning id
  `)
  const visit = (n: number, type: string, machine: boolean) =>
    testbed.db.run(sql`
      insert into message_events (business_id, message_id, id, type, happened_at, machine, created_at)
      values (${businessId}, ${messages[n]?.id ?? null}, ${newId('activity')}, ${type}, ${new Date()},
        ${machine}, ${new Date()})
    `)
  await visit(0, 'opened', false)
  await visit(0, 'opened', false)
  await visit(0, 'clicked', false)
  await visit(1, 'opened', true)
  const shown = await results(template_id)
  const now = new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Tokyo' }).slice(0, 7)
  const single = { month: now, sent: 3, opened: 1, clicked: 1 }
  const ofCampaign = { month: '2026-11', sent: 10, opened: 4, clicked: 1 }
  assert.deepEqual(
    shown.months,
    now === ofCampaign.month
      ? [{ month: now, sent: 13, opened: 5, clicked: 2 }]
      : [ofCampaign, single],
  )
  assert.deepEqual(
    shown.campaigns.map(({ name, status }) => [name, status]),
    [
      ['Copied', 'draft'],
      ['Taken later', 'draft'],
      ['Made of it', 'completed'],
    ],
  )
  assert.deepEqual([shown.messages_30_days, shown.connections_30_days, shown.looked_at], [3, 1, 3])
  const other = await campaignScene(testbed)
  assert.equal((await other.refused('template.results', { template_id })).code, 'not_found')
  const refusals = [
    await other.refused('campaign.generate', { channel: 'email', template_id }),
    await scene.refused('campaign.generate', { channel: 'sms', template_id }),
    await scene.refused('campaign.save', { campaign_id: taken.campaign_id, template_id }),
  ]
  assert.deepEqual(
    refusals.map(({ code, field }) => [code, field]),
    [
      ['not_found', 'template_id'],
      ['invalid_request', 'template_id'],
      ['invalid_request', 'template_id'],
    ],
  )
})
