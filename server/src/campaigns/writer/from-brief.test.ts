import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import { brief, goodAnswer } from '../../../../tests/support/businesses/briefs.ts'
import {
  campaignScene,
  news,
  openCampaignTestbed,
  yes,
} from '../../../../tests/support/businesses/campaigns.ts'
import {
  fails,
  inTurn,
  type ModelServer,
  modelKey,
  modelServer,
  says,
} from '../../../../tests/support/network/model-server.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { limits } from '../../config.ts'

let testbed: OwnTestbed
let modelled: OwnTestbed
let model: ModelServer
before(async () => {
  testbed = await openCampaignTestbed()
  model = await modelServer('openai', inTurn(says('openai', goodAnswer()), fails(500)))
  const { url, model: name } = model.settings
  const settings = { WRITER_URL: url, WRITER_MODEL: name, WRITER_KEY: modelKey }
  modelled = await openCampaignTestbed({ settings })
})
after(async () => {
  await Promise.all([testbed.close(), modelled.close()])
  await model.close()
})

interface Made {
  campaign_id: string
  status: string
  written_by: string
  model?: string
  name: string
  audience: object
  subject?: string
  text?: string
  sms_text?: string
  notes?: string[]
  warnings: string[]
}

const generate = { channel: 'email', brief }

test('a generated draft is made of blocks, and its text follows them', async () => {
  const { owner } = await campaignScene(testbed)
  const { campaign_id } = await owner.get<Made>('campaign.generate', generate)
  const { variants } = await owner.get<{
    variants: { content: { blocks?: { type: string }[]; text?: string; mjml?: string } }[]
  }>('campaign.get', { campaign_id, content: true })
  const { blocks, text, mjml } = variants[0]?.content ?? assert.fail()
  assert.deepEqual([text, mjml], [undefined, undefined])
  const types = new Set(blocks?.map(({ type }) => type))
  assert.deepEqual(types, new Set(['heading', 'text', 'list', 'button', 'view_link']))
})

test('a brief becomes a draft with the sender’s name and the tags that it mentions', async () => {
  const { owner, businessId, contact } = await campaignScene(testbed)
  await contact({ email: 'ana@example.com', tags: ['vip'], consent: { email: yes } })
  const setting = { key: 'sender', value: 'Ana at Blue Bottle <ana@example.com>', now: new Date() }
  await setBusiness(testbed.db, businessId, setting)
  const made = await owner.get<Made>('campaign.generate', generate)
  assert.deepEqual([made.status, made.written_by], ['draft', 'built_in'])
  assert.deepEqual(made.audience, { tags: ['vip'] })
  assert.match(made.text ?? '', /Three new cakes[\s\S]*Ana at Blue Bottle/)
  assert.match(made.sms_text ?? '', /^Ana at Blue Bottle: .*STOP to opt out$/)
  assert.deepEqual(made.warnings, [])
  const { messages } = await owner.get<{ messages: object[] }>('message.list')
  assert.deepEqual(messages, [])
  const { campaign_id } = made
  const preview = await owner.get<{ recipients: number }>('campaign.preview', { campaign_id })
  assert.equal(preview.recipients, 1)
})

test('a given audience is used, whatever the brief says', async () => {
  const { owner, contact } = await campaignScene(testbed)
  await contact({ email: 'ana@example.com', tags: ['vip'], consent: { email: yes } })
  const audience = { tags: ['beta'] }
  const made = await owner.get<Made>('campaign.generate', { ...generate, audience })
  assert.deepEqual(made.audience, audience)
})

test('a brief for SMS becomes one text message', async () => {
  const { owner } = await campaignScene(testbed)
  const made = await owner.get<Made>('campaign.generate', { channel: 'sms', brief: 'We are open' })
  assert.match(made.text ?? '', /^A business: We are open\. STOP to opt out$/)
  assert.deepEqual([made.subject, made.sms_text], [undefined, undefined])
})

test('a call with neither a brief nor content, or with both, is refused at its field', async () => {
  const { refused } = await campaignScene(testbed)
  for (const words of [{}, { brief: 'x', content: news }]) {
    const refusal = await refused('campaign.generate', { channel: 'email', ...words })
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'brief'])
  }
})

test('a configured model writes the draft, and a failing one is refused with a call that needs no model', async () => {
  const { owner, refused, contact } = await campaignScene(modelled)
  await contact({ email: 'ana@example.com', tags: ['vip'], consent: { email: yes } })
  const made = await owner.get<Made>('campaign.generate', generate)
  assert.deepEqual([made.written_by, made.model], ['model', 'test-model'])
  assert.equal(made.subject, 'The spring menu is here')
  const refusal = await refused('campaign.generate', { ...generate, name: 'Spring' })
  assert.equal(refusal.code, 'unavailable')
  assert.equal(refusal.fix?.arguments?.['writer'], 'built_in')
  const { campaigns } = await owner.get<{ campaigns: object[] }>('campaign.list')
  assert.equal(campaigns.length, 1, 'a refused call left a draft')
  const byHand = await owner.get<Made>('campaign.generate', { ...refusal.fix?.arguments })
  assert.deepEqual([byHand.written_by, byHand.name], ['built_in', 'Spring'])
})

test('the drafts that a business can have a model write in an hour are limited', async () => {
  const { refused, owner } = await campaignScene(modelled)
  const before = model.asked.length
  for (let n = 0; n < limits.modelDraftsPerHour; n++) {
    assert.equal((await refused('campaign.generate', generate)).code, 'unavailable')
  }
  assert.equal((await refused('campaign.generate', generate)).code, 'rate_limited')
  assert.equal(model.asked.length - before, limits.modelDraftsPerHour)
  await owner.get<Made>('campaign.generate', { ...generate, writer: 'built_in' })
})
