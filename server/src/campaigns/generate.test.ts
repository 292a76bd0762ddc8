import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  news,
  openCampaignTestbed,
} from '../../../tests/support/businesses/campaigns.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Shown {
  name: string
  status: string
  possible: string[]
  audience: object
  written_by: string
  recipients: number | null
  variants: { variant: number; share: number; subject?: string; content: object }[]
  counts: object
}

test('given content becomes a draft with exactly that content, and no mail is sent', async () => {
  const { owner, draft } = await campaignScene(testbed)
  const { campaign_id, status } = await draft({ audience: { tags: [' vip ', 'beta', 'vip'] } })
  assert.equal(status, 'draft')
  const shown = await owner.get<Shown>('campaign.get', { campaign_id, content: true })
  assert.equal(shown.name, 'News')
  assert.equal(shown.written_by, 'caller')
  assert.equal(shown.recipients, null)
  assert.deepEqual(shown.audience, { tags: ['beta', 'vip'] })
  assert.deepEqual(shown.variants, [
    { variant: 0, share: 1, subject: news.subject, content: news, outdated: [], counts: {} },
  ])
  assert.deepEqual(shown.counts, {})
  assert.ok(shown.possible.includes('svc.v1.campaign.deploy'))
  const { messages } = await owner.get<{ messages: object[] }>('message.list')
  assert.deepEqual(messages, [])
})

test('a subject with values to fill in becomes a name that people can read', async () => {
  const { owner, draft } = await campaignScene(testbed)
  const { name } = await owner.get<{ name: string }>('business.get', {})
  const subject =
    '{% if contact.name %}{{ contact.name | default: "Hello" }}{% endif %}: news of {{ business.name }}, {{ contact.language }}'
  const { campaign_id } = await draft({ content: { ...news, subject } })
  const shown = await owner.get<Shown>('campaign.get', { campaign_id })
  assert.equal(shown.name, `Hello: news of ${name}`)
  assert.equal(shown.variants[0]?.subject, subject)
  const text = await draft({
    channel: 'sms',
    content: { text: 'Hi there!\nCome to {{ business.name }}' },
  })
  assert.equal(
    (await owner.get<Shown>('campaign.get', { campaign_id: text.campaign_id })).name,
    'Hi there!',
  )
})

test('the contract’s bare operation names call the same operations', async () => {
  const { bare } = await campaignScene(testbed)
  const made = await bare<{ campaign_id: string }>('generate_campaign', {
    channel: 'email',
    content: news,
  })
  const { campaigns } = await bare<{ campaigns: { campaign_id: string }[] }>('list_campaigns', {
    status: 'draft',
  })
  assert.deepEqual(
    campaigns.map(({ campaign_id }) => campaign_id),
    [made.campaign_id],
  )
})

test('the content of a campaign is not listed as a template', async () => {
  const { owner, draft } = await campaignScene(testbed)
  await draft()
  const { templates } = await owner.get<{ templates: object[] }>('template.list')
  assert.deepEqual(templates, [])
})

test('content that cannot be sent is refused at its field', async () => {
  const { refused } = await campaignScene(testbed)
  for (const [content, field] of [
    [{ html: '<p>No subject</p>' }, 'subject'],
    [{ subject: 'Only a subject' }, 'html'],
    [{ subject: 'Broken', html: '{% if %}' }, 'html'],
  ] as const) {
    const refusal = await refused('campaign.generate', { channel: 'email', content })
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', `content.${field}`])
  }
  const sms = { channel: 'sms', content: { subject: 'No', text: 'Hello' } }
  assert.equal((await refused('campaign.generate', sms)).field, 'content.subject')
  const tag = { channel: 'email', content: news, audience: { tags: ['two\nlines\u0007'] } }
  assert.equal((await refused('campaign.generate', tag)).field, 'audience.tags[0]')
})
