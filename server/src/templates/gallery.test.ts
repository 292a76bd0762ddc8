import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  openCampaignTestbed,
  yes,
} from '../../../tests/support/businesses/campaigns.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { emptySlotsIn, galleryMails } from './gallery/entries.ts'
import { fillMail } from './gallery/fill.ts'
import { type GalleryMail, galleryLanguages, optionalSlot, requiredSlot } from './gallery/mail.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Listed {
  language: string
  mails: {
    key: string
    purpose: string
    title: string
    subject?: string
    slots: { name: string; kind: string; required: boolean }[]
    blocks?: object[]
  }[]
}

test('the gallery is listed without blocks, and one mail with them', async () => {
  const { owner, refused } = await campaignScene(testbed)
  const all = await owner.get<Listed>('template.gallery')
  assert.equal(all.mails.length, galleryMails().length)
  assert.ok(all.mails.every(({ blocks }) => blocks === undefined))
  assert.ok(JSON.stringify(all).length < 24_000, `${JSON.stringify(all).length} characters`)
  const sales = await owner.get<Listed>('template.gallery', { purpose: 'sale' })
  assert.deepEqual([...new Set(sales.mails.map(({ purpose }) => purpose))], ['sale'])
  const { mails } = await owner.get<Listed>('template.gallery', { key: 'sale', language: 'fr' })
  assert.match(mails[0]?.subject ?? '', /remise/)
  assert.ok((mails[0]?.blocks?.length ?? 0) > 3)
  const refusal = await refused('template.gallery', { key: 'sales' })
  assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'key'])
  assert.match(refusal.message, /Did you mean sale\?/)
})

test('text messages of the gallery are listed, made into drafts and templates, and no mails', async () => {
  const { owner, refused } = await campaignScene(testbed)
  interface WithTexts {
    mails: object[]
    texts: { key: string; text: string; slots: { name: string }[] }[]
  }
  const all = await owner.get<WithTexts>('template.gallery')
  assert.equal(all.texts.length, 6)
  const sale = await owner.get<WithTexts>('template.gallery', { key: 'sms-sale' })
  assert.deepEqual([sale.mails, sale.texts.length], [[], 1])
  const slots = { percent: '20%', code: 'TINSEL', ends: '24 December' }
  const made = { channel: 'sms', gallery: 'sms-sale', slots }
  const draft = await owner.get<{ text: string; notes?: string[] }>('campaign.generate', made)
  const { template_id } = await owner.get<{ template_id: string }>('template.save', {
    gallery: 'sms-sale',
    slots,
  })
  const { templates } = await owner.get<{ templates: { channel: string; source: object }[] }>(
    'template.list',
    { template_id },
  )
  assert.equal(templates[0]?.channel, 'sms')
  assert.match(JSON.stringify(templates[0]), /20% off with code TINSEL, until 24 December/)
  assert.equal(draft.notes, undefined)
  const part = await owner.get<{ notes: string[] }>('campaign.generate', { ...made, slots: {} })
  assert.match(part.notes.join(), /\[\[Last day\]\] \(ends\)/)
  for (const [channel, gallery] of [
    ['email', 'sms-sale'],
    ['sms', 'sale'],
  ]) {
    const refusal = await refused('campaign.generate', { channel, gallery, slots })
    assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'gallery'])
  }
})

test('what the gallery calls marketing is never marked as transactional', async () => {
  const { owner, businessId } = await campaignScene(testbed)
  const app = await testbed.appCaller({ businesses: [businessId] })
  const mark = async (gallery: string) => {
    const { template_id } = await owner.get<{ template_id: string }>('template.save', { gallery })
    return app.call('template.mark', { template_id, transactional: true, version: 1 })
  }
  for (const gallery of ['review', 'sms-event']) {
    const { status, body } = await mark(gallery)
    assert.equal(status, 409, JSON.stringify(body))
    assert.match(JSON.stringify(body), /marketing/)
  }
  assert.equal((await mark('receipt')).status, 200)
})

test('the gallery speaks the language of the business, and English where it has none', async () => {
  const { owner, businessId } = await campaignScene(testbed)
  for (const [language, shown] of [
    ['de-CH', 'de'],
    ['pt', 'en'],
  ] as const) {
    const setting = { key: 'language', value: language, now: new Date() }
    await setBusiness(testbed.db, businessId, setting)
    assert.equal((await owner.get<Listed>('template.gallery')).language, shown)
  }
})

test('an assistant comes from the gallery to a preview in three calls', async () => {
  const { owner, contact } = await campaignScene(testbed)
  await contact({ email: 'ana@example.com', consent: { email: yes } })
  const { mails } = await owner.get<Listed>('template.gallery', { purpose: 'event' })
  const [mail] = mails
  assert.ok(mail)
  const facts: Record<string, string> = {
    name: 'Quiz night',
    date: 'Friday 6 March',
    time: '7.30pm',
    place: 'The Old Brewery',
  }
  const slots = Object.fromEntries(
    mail.slots
      .filter(({ required }) => required)
      .map(({ name, kind }) => [name, facts[kind] ?? '']),
  )
  const made = { channel: 'email', gallery: mail.key, slots }
  const { campaign_id } = await owner.get<{ campaign_id: string }>('campaign.generate', made)
  const { recipients, gates } = await owner.get<{
    recipients: number
    gates: { gate: string; result: string }[]
  }>('campaign.preview', { campaign_id })
  assert.equal(recipients, 1)
  assert.equal(gates.find(({ gate }) => gate === 'content')?.result, 'pass')
})

test('a template of the gallery is sent whole, and as what it is', async () => {
  const { owner, refused, contact } = await campaignScene(testbed)
  await contact({ email: 'ana@example.com', consent: { email: yes } })
  const empty = await owner.get<{ template_id: string; warnings: string[] }>('template.save', {
    gallery: 'event',
  })
  assert.match(empty.warnings.join(' '), /slots are empty: .*\[\[Date\]\]/)
  const to = 'ana@example.com'
  const send = { to, template_id: empty.template_id }
  assert.equal((await refused('email.send', send)).field, 'kind')
  const unfilled = await refused('email.send', { ...send, kind: 'marketing' })
  assert.equal(unfilled.field, 'template_id')
  assert.match(unfilled.message, /\[\[Date\]\]/)
  const slots = { percent: '20%', code: 'TINSEL20' }
  const whole = await owner.get<{ template_id: string; warnings: string[] }>('template.save', {
    gallery: 'sale',
    slots,
    name: 'December',
  })
  const { template_id } = whole
  assert.equal((await refused('email.send', { to, template_id })).field, 'kind')
  await owner.get('email.send', { to, template_id, kind: 'marketing' })
  // A later version is still made of it.
  await owner.get('template.save', { template_id, subject: 'Other words' })
  assert.equal((await refused('email.send', { to, template_id })).field, 'kind')
  for (const [call, field] of [
    [{ gallery: 'sale', template_id }, 'gallery'],
    [{ slots, name: 'x' }, 'gallery'],
  ] as const) {
    assert.equal((await refused('template.save', call)).field, field)
  }
})

const mail: GalleryMail = {
  key: 'test',
  purpose: 'sale',
  kind: 'marketing',
  slots: [
    requiredSlot('when', 'date', ['When', 'Wann', 'Quand']),
    requiredSlot('page', 'url', ['Your page', 'Ihre Seite', 'Votre page']),
    optionalSlot('price', 'price', ['Price', 'Preis', 'Prix']),
  ],
  words: Object.fromEntries(
    galleryLanguages.map((language) => [
      language,
      {
        title: 'T',
        about: 'A',
        subject: 'On [[when]]',
        preview_text: 'P',
        blocks: [
          { type: 'heading', text: 'It is [[when]]' },
          { type: 'text', text: 'For [[price]]' },
          {
            type: 'columns',
            columns: [[{ type: 'text', text: '[[price]]' }], [{ type: 'text', text: 'Left' }]],
          },
          { type: 'button', text: 'Go', url: '[[page]]' },
        ],
      },
    ]),
  ) as unknown as GalleryMail['words'],
}

test('an optional slot without a fact takes its block along, and a required one shows its label', () => {
  const { subject, blocks, empty } = fillMail(mail, { language: 'de', facts: {} })
  assert.equal(subject, 'On [[Wann]]')
  assert.deepEqual(blocks, [
    { type: 'heading', text: 'It is [[Wann]]' },
    { type: 'text', text: 'Left' },
    { type: 'button', text: 'Go', url: 'https://[[Ihre-Seite]]' },
  ])
  assert.deepEqual(
    empty.map(({ name }) => name),
    ['when', 'page'],
  )
})

test('lists of one item beside each other become one', () => {
  const item = (text: string, more: object = {}) => ({ type: 'list', items: [text], ...more })
  const words = {
    ...mail.words.en,
    blocks: [item('a'), item('[[price]]'), item('b'), item('c', { background: '#eeeeee' })],
  }
  const lists = { ...mail, words: { ...mail.words, en: words } } as GalleryMail
  const { blocks } = fillMail(lists, { language: 'en', facts: {} })
  assert.deepEqual(blocks, [
    { type: 'list', items: ['a', 'b'] },
    { type: 'list', items: ['c'], background: '#eeeeee' },
  ])
})

test('a fact stands in its slot as it is, and is neither Liquid, a link nor another slot', () => {
  const facts = { when: '[[price]] {{ x }} [a](b)', page: 'https://a.example', price: '$1' }
  const { subject, blocks } = fillMail(mail, { language: 'en', facts })
  assert.equal(subject, 'On [[price]] {{ "{" }}{ x }} [a](b)')
  assert.deepEqual(blocks[0], {
    type: 'heading',
    text: 'It is [[price]] {{ "{" }}{ x }} [a] (b)',
  })
  assert.deepEqual(blocks[1], { type: 'text', text: 'For $1' })
})

test('empty slots are found each once, and are neither long nor on two lines', () => {
  assert.deepEqual(emptySlotsIn(['[[A]] and [[A]]', 'x [[B c]] [[', '[[]] [[a\nb]]']), [
    '[[A]]',
    '[[B c]]',
  ])
  assert.deepEqual(emptySlotsIn([`[[${'a'.repeat(296)}]]`]).length, 1)
  assert.deepEqual(emptySlotsIn([`[[${'a'.repeat(297)}]]`]), [])
})
