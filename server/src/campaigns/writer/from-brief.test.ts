import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import { brief } from '../../../../tests/support/businesses/briefs.ts'
import {
  campaignScene,
  news,
  openCampaignTestbed,
  yes,
} from '../../../../tests/support/businesses/campaigns.ts'
import {
  type Answering,
  fails,
  inTurn,
  type ModelServer,
  modelKey,
  modelServer,
  says,
} from '../../../../tests/support/network/model-server.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { limits } from '../../config.ts'

/** The gallery's own words under a subject of the model's, and no slot filled. */
const fillsGallery: Answering = (asked, n, response) => {
  const messages = asked.body['messages'] as { content: string }[]
  const [, question = ''] = /<brief>([\s\S]*)<\/brief>/.exec(messages.at(-1)?.content ?? '') ?? []
  const { mail, slots } = JSON.parse(question) as {
    mail: { words: string[] }
    slots: { name: string }[]
  }
  const answer = {
    subject: 'The spring menu is here',
    preheader: 'From 3 March',
    words: mail.words,
    slots: Object.fromEntries(slots.map(({ name }) => [name, ''])),
    paragraphs: ['Three new cakes.'],
    points: [],
    sms: 'Our spring menu is here from 3 March.',
    tags: [],
  }
  says('openai', answer)(asked, n, response)
}

let testbed: OwnTestbed
let modelled: OwnTestbed
let model: ModelServer
before(async () => {
  testbed = await openCampaignTestbed()
  model = await modelServer('openai', inTurn(fillsGallery, fails(500)))
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

test('without a model, a draft is a mail of the gallery with the facts of its brief', async () => {
  const { owner, businessId, contact } = await campaignScene(testbed)
  await contact({ email: 'ana@example.com', tags: ['vip'], consent: { email: yes } })
  const setting = { key: 'sender', value: 'Ana at Brindlequay <ana@example.com>', now: new Date() }
  await setBusiness(testbed.db, businessId, setting)
  const evening = {
    goal: 'Invite everybody to our jazz evening on Friday 6 March at 18:30, at the Old Brewery. Bring a friend. Keep it short.',
    facts: ['Doors at 18:00'],
    links: ['https://jazz.example/book'],
    audience: 'our VIPs',
  }
  const made = await owner.get<Made>('campaign.generate', { channel: 'email', brief: evening })
  assert.deepEqual([made.status, made.written_by], ['draft', 'built_in'])
  assert.deepEqual(made.audience, { tags: ['vip'] })
  for (const fact of [
    'Friday 6 March',
    '18:30',
    'Old Brewery',
    'Doors at 18:00',
    'Bring a friend',
    'https://jazz.example/book',
  ]) {
    assert.ok(made.text?.includes(fact), fact)
  }
  assert.ok(!made.text?.includes('Keep it short'))
  assert.ok(made.notes?.some((note) => note.includes('Keep it short')))
  assert.match(made.sms_text ?? '', /^Ana at Brindlequay: .*STOP to opt out$/)
  const { campaign_id } = made
  const { variants } = await owner.get<{
    variants: { content: { blocks?: { type: string }[]; text?: string; mjml?: string } }[]
  }>('campaign.get', { campaign_id, content: true })
  const { blocks = [], text, mjml } = variants[0]?.content ?? assert.fail()
  assert.ok(blocks.length > 3)
  assert.deepEqual([text, mjml], [undefined, undefined])
  const preview = await owner.get<{ recipients: number }>('campaign.preview', { campaign_id })
  assert.equal(preview.recipients, 1)
  const { messages } = await owner.get<{ messages: object[] }>('message.list')
  assert.deepEqual(messages, [])
})

test('a brief for what is sent by itself, or for nothing, makes no campaign and says why', async () => {
  const { owner, refused } = await campaignScene(testbed)
  for (const [brief, reason] of [
    ['Whenever somebody books a table, send them the menu', 'automation'],
    ['Why is it red at the top of the screen?', 'no_match'],
  ]) {
    const refusal = await refused('campaign.generate', { channel: 'email', brief })
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'brief'])
    assert.equal((refusal as { reason?: string }).reason, reason)
    assert.match(refusal.fix?.tool ?? '', /template\.gallery$/)
  }
  const { campaigns } = await owner.get<{ campaigns: object[] }>('campaign.list')
  assert.deepEqual(campaigns, [])
})

test('a slot that the brief leaves empty stops the deploy, and the check says which', async () => {
  const { owner } = await campaignScene(testbed)
  const brief = { goal: 'Invite everybody to our quiz night', kind: 'event' }
  const made = await owner.get<Made>('campaign.generate', { channel: 'email', brief })
  assert.ok(made.notes?.some((note) => note.includes('[[Date]]')))
  const { campaign_id } = made
  interface Checked {
    gates: { gate: string; result: string; evidence: string }[]
  }
  const { gates } = await owner.get<Checked>('campaign.preview', { campaign_id })
  const content = gates.find(({ gate }) => gate === 'content')
  assert.equal(content?.result, 'block')
  assert.match(content?.evidence ?? '', /\[\[Date\]\].*\[\[Place\]\]/)
})

test('a mail of the gallery is chosen by its key, with facts in its slots', async () => {
  const { owner, refused } = await campaignScene(testbed)
  const call = { channel: 'email', gallery: 'sale', slots: { percent: '20%', code: 'TINSEL20' } }
  const made = await owner.get<Made>('campaign.generate', call)
  assert.equal(made.written_by, 'caller')
  const { campaign_id } = made
  const { variants } = await owner.get<{ variants: { subject: string; content: object }[] }>(
    'campaign.get',
    { campaign_id, content: true },
  )
  assert.match(variants[0]?.subject ?? '', /^20% off/)
  assert.match(JSON.stringify(variants), /TINSEL20/)
  assert.doesNotMatch(JSON.stringify(variants), /\[\[/)
  for (const [changes, field] of [
    [{ gallery: 'sail' }, 'gallery'],
    [{ slots: { price: '1' } }, 'slots.price'],
    [{ slots: { code: 'X'.repeat(2_001) } }, 'slots.code'],
    [{ brief: 'x' }, 'brief'],
    [{ gallery: undefined }, 'gallery'],
    [{ channel: 'sms' }, 'gallery'],
  ] as const) {
    assert.equal((await refused('campaign.generate', { ...call, ...changes })).field, field)
  }
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
  assert.match(made.text ?? '', /^A business: We are open\. STOP to opt out\s*$/)
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
