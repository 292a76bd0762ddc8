/** The brand as callers set it, and as mail made of blocks has it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { smallPng } from '../../../tests/images/pictures.ts'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import { campaignScene, openCampaignTestbed } from '../../../tests/support/businesses/campaigns.ts'
import type { Brand } from '../accounts/businesses/brand.ts'
import { contrastOf } from '../accounts/settings/contrast.ts'
import { formatId } from '../core/ids.ts'
import { type OwnWord, wordsIn } from '../core/recipient-words/languages.ts'
import { sql } from '../lib/db/db.ts'
import { hours, later } from '../lib/time/clock.ts'
import type { Block } from '../templates/blocks/block.ts'
import { laidOver } from '../templates/blocks/laid-over.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Shown {
  logo: { url: string; width: number; dark_url?: string } | null
  colours: { name: string; value: string }[]
  contrast: { name: string; enough: boolean; mended?: string; ratio: number }[]
  font: string
  radius: number
  header: object[]
  footer: object[]
  tone: string | null
  words: object[]
  locked: string[]
}

async function scene() {
  const { businessId, owner, refused, subscribers } = await campaignScene(testbed)
  const html = async (blocks: object[]) => {
    const input = { name: 'News', subject: 'News', blocks, dry_run: true }
    const { previews } = await owner.get<{ previews: { html: string }[] }>('template.save', input)
    return previews[0]?.html ?? ''
  }
  const picture = async (word: string) =>
    (await owner.get<{ image_id: string }>('image.upload', { data: smallPng(word) })).image_id
  const set = (change: object) => owner.get<Shown>('brand.set', change)
  return { businessId, owner, refused, subscribers, html, picture, set }
}

test('a brand is set part by part, and null removes one', async () => {
  const { businessId, owner, set, picture } = await scene()
  const first = await owner.get<Shown>('brand.get', {})
  assert.deepEqual(
    [first.logo, first.colours, first.font, first.radius, first.tone, first.locked],
    [null, [], 'system', 8, null, []],
  )
  await set({ logo: { image_id: await picture('a'), dark_image_id: await picture('b') } })
  await set({ colours: [{ name: 'accent', value: '#1D4ED8' }], font: 'georgia', radius: 0 })
  const named = { business_id: formatId('business', businessId), idempotency_key: 'tone' }
  const shown = await set({ tone: 'Warm and brief.', locked: ['footer'], ...named })
  const { parts } = await testbed.db.one<{ parts: string[] }>(sql`
    select array(select jsonb_object_keys(brand)) as parts from businesses where id = ${businessId}
  `)
  assert.deepEqual(
    parts.filter((part) => part in named),
    [],
  )
  assert.match(shown.logo?.url ?? '', /\/images\/[0-9a-f]{32}\.png$/)
  assert.notEqual(shown.logo?.url, shown.logo?.dark_url)
  assert.deepEqual(
    [shown.logo?.width, shown.colours, shown.font, shown.radius, shown.tone, shown.locked],
    [140, [{ name: 'accent', value: '#1d4ed8' }], 'georgia', 0, 'Warm and brief.', ['footer']],
  )
  const settings = await owner.get<{ colour: string }>('business.get', {})
  assert.equal(settings.colour, '#1d4ed8', 'the accent is the colour of the settings')
  const tried = await set({ tone: 'Loud.', font: 'arial', dry_run: true })
  assert.match((tried as { preview?: string }).preview ?? '', /Arial[\s\S]*What’s new/)
  assert.equal((await owner.get<Shown>('brand.get', {})).tone, 'Warm and brief.')
  const cleared = await set({ logo: null, colours: [], font: null, tone: null, locked: [] })
  assert.deepEqual(
    [cleared.logo, cleared.colours, cleared.font, cleared.radius, cleared.tone, cleared.locked],
    [null, [], 'system', 0, null, []],
  )
})

test('a colour that cannot be read is told, with the nearest that can', async () => {
  const { set } = await scene()
  const { contrast } = await set({
    colours: [
      { name: 'accent', value: '#ffcc00' },
      { name: 'text', value: '#222222' },
      { name: 'background', value: '#eeeeee' },
    ],
  })
  const [accent, text] = contrast
  assert.equal(contrast.length, 2)
  assert.deepEqual([accent?.enough, text?.enough, text?.mended], [false, true, undefined])
  const mended = await set({ colours: [{ name: 'accent', value: accent?.mended ?? '' }] })
  assert.deepEqual([mended.contrast[0]?.enough, (mended.contrast[0]?.ratio ?? 0) < 5], [true, true])
  const dark = await set({
    colours: [
      { name: 'accent', value: '#1d2a4d' },
      { name: 'card', value: '#101010' },
    ],
  })
  const light = await set({
    colours: [
      { name: 'accent', value: dark.contrast[0]?.mended ?? '' },
      { name: 'card', value: '#101010' },
    ],
  })
  assert.equal(light.contrast[0]?.enough, true)
})

test('recipients read the words of the business, each in its own language', async () => {
  const { owner, set, html } = await scene()
  await owner.get('business.save', { language: 'de' })
  const word = (name: string, text: string, language = 'de') => ({ language, name, text })
  const words = [
    word('unsubscribe', 'Keine Briefe mehr <bitte>'),
    word('view_link', 'x'.repeat(300)),
    word('view_link', 'Online', 'en'),
    word('sent_with', ''),
  ]
  const { words: stored } = await set({ words })
  assert.deepEqual(stored, words)
  const mail = await html([
    { type: 'view_link' },
    { type: 'text', text: 'Hi' },
    { type: 'footer', text: 'Tschüs' },
  ])
  assert.match(mail, /Keine Briefe mehr &lt;bitte&gt;/)
  assert.match(mail, />x{300}</)
  assert.ok(!mail.includes('Online'))
  const german = wordsIn('de', words as OwnWord[])
  assert.equal(german.sentWith, '')
  assert.equal(german.confirmation.button, wordsIn('de').confirmation.button)
  const back = await set({ words: [] })
  assert.deepEqual(back.words, [])
  assert.match(await html([{ type: 'footer', text: 'Tschüs' }]), /Abmelden/)
})

test('what is no brand is refused with its place', async () => {
  const { refused, picture } = await scene()
  const colour = (name: string, value = '#112233') => ({ name, value })
  const wrong: [object, string][] = [
    [{}, 'colours'],
    [{ colours: [colour('a'), colour('a')] }, 'colours[1].name'],
    [{ colours: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => colour(name)) }, 'colours'],
    [{ colours: [colour('a', 'red')] }, 'colours[0].value'],
    [{ logo: { image_id: 'img_00000000000000000000000000' } }, 'logo.image_id'],
    [{ logo: { image_id: await picture('c'), link: 'javascript:alert(1)' } }, 'logo.link'],
    [{ social: [{ network: 'x', url: 'ftp://x.com' }] }, 'social[0].url'],
    [{ radius: 25 }, 'radius'],
    [{ font: 'Comic Sans' }, 'font'],
    [{ tone: ' warm' }, 'tone'],
    [{ words: [{ language: 'de', name: 'view_link', text: '' }] }, 'words[0].text'],
    [{ words: [{ language: 'de', name: 'view_link', text: 'a\nb' }] }, 'words[0].text'],
    [{ words: [{ language: 'de', name: 'view_link', text: 'x'.repeat(301) }] }, 'words[0].text'],
    [{ words: [{ language: 'sv', name: 'view_link', text: 'a' }] }, 'words[0].language'],
    [{ words: [{ language: 'de', name: 'other', text: 'a' }] }, 'words[0].name'],
    [
      { words: ['a', 'b'].map((text) => ({ language: 'de', name: 'view_link', text })) },
      'words[1].name',
    ],
    [{ footer: [{ type: 'mjml', mjml: '<mj-text>x</mj-text>' }] }, 'footer[0].type'],
    [{ footer: [{ type: 'text' }] }, 'footer[0].text'],
    [{ footer: [{ type: 'text', text: 'Hi', show_if: { tag: 'vip' } }] }, 'footer'],
    [{ header: [{ type: 'text', text: '{% if x %}' }] }, 'header[0].text'],
    [{ header: Array.from({ length: 11 }, () => ({ type: 'divider' })) }, 'header'],
    [
      {
        footer: [
          { type: 'text', text: 'x'.repeat(9_000) },
          { type: 'text', text: 'x'.repeat(9_000) },
        ],
      },
      'footer',
    ],
  ]
  for (const [change, field] of wrong) {
    const refusal = await refused('brand.set', change)
    assert.equal(refusal.field, field, refusal.message)
  }
})

test('mail of blocks has the colours, font, corners, logo, header and footer of the brand', async () => {
  const { html, set, picture } = await scene()
  const plain = await html([{ type: 'logo' }, { type: 'text', text: 'Hi [now]{color=berry}' }])
  assert.match(plain, /Hi now</, 'words in a colour that is not there are plain')
  assert.doesNotMatch(plain, /<img/)
  await set({
    logo: { image_id: await picture('d'), dark_image_id: await picture('e'), alt: 'Shop' },
    colours: [
      { name: 'accent', value: '#7a1f3d' },
      { name: 'text', value: '#102030' },
      { name: 'background', value: '#203040' },
      { name: 'berry', value: '#881144' },
    ],
    font: 'georgia',
    radius: 3,
    header: [{ type: 'logo' }],
    footer: [{ type: 'text', text: 'Since 2011' }, { type: 'social' }],
    social: [{ network: 'x', url: 'https://x.com/shop' }],
  })
  const mail = await html([
    { type: 'heading', text: 'Sale' },
    { type: 'text', text: 'Hi [now]{color=berry}' },
    { type: 'button', text: 'Go', url: 'https://shop.example' },
  ])
  assert.match(mail, /Georgia/)
  assert.match(mail, /border-radius: ?3px/)
  for (const colour of ['#7a1f3d', '#102030', '#203040', '#881144'])
    assert.ok(mail.includes(colour))
  assert.match(
    mail,
    /class="logo-light"[\s\S]*class="logo-dark"[\s\S]*<h1[\s\S]*Since 2011[\s\S]*x\.com\/shop/,
  )
  assert.match(mail, /\.crier-footer a\{color: ?#ffffff!important\}/, 'the footer on a dark page')
  const own = await html([
    { type: 'logo', src: 'https://shop.example/own.png', alt: 'Own' },
    { type: 'text', text: 'Hi' },
    { type: 'social', links: [{ network: 'youtube', url: 'https://youtube.com/shop' }] },
  ])
  assert.doesNotMatch(own, /logo-light" |Since 2011/, 'a mail with its own has no second one')
})

test('what an owner has locked is refused in mails, and laid over those that have it', async () => {
  const { owner, refused, set } = await scene()
  const red = { type: 'text', text: 'Hi', colour: '#aa0000' }
  const content = { subject: 'News', blocks: [red] }
  const drafted = await owner.get<{ campaign_id: string; version: number }>('campaign.generate', {
    channel: 'email',
    content,
  })
  const { campaign_id } = drafted
  await set({
    colours: [{ name: 'accent', value: '#1d4ed8' }],
    footer: [{ type: 'text', text: 'Since 2011' }],
    locked: ['colours', 'footer', 'logo'],
  })
  const logo = { type: 'logo', src: 'https://shop.example/a.png', alt: 'A' }
  const social = { type: 'social', links: [{ network: 'x', url: 'https://x.com/a' }] }
  const blue = { type: 'text', text: 'Hi', colour: '#1D4ED8' }
  const within = { type: 'columns', columns: [[blue], [red]] }
  const wrong: [object, string][] = [
    [{ blocks: [red] }, 'blocks[0].colour'],
    [{ blocks: [within] }, 'blocks[0].columns[1][0].colour'],
    [{ blocks: [{ type: 'text', text: 'Hi', background: '#fafafa' }] }, 'blocks[0].background'],
    [{ blocks: [blue, logo] }, 'blocks[1].src'],
    [{ blocks: [blue, social] }, 'blocks[1]'],
    [{ blocks: [{ type: 'mjml', mjml: '<mj-text>x</mj-text>' }] }, 'blocks[0].type'],
    [{ html: '<p>Hi</p>' }, 'html'],
    [{ mjml: '<mjml><mj-body></mj-body></mjml>' }, 'mjml'],
  ]
  for (const [body, field] of wrong) {
    const mail = { subject: 'Hi', ...body }
    const template = await refused('template.save', { name: 'News', ...mail })
    const { code, message } = template
    assert.deepEqual([code, template.field], ['invalid_request', field], message)
    assert.match(message, /lock/)
    const campaign = await refused('campaign.save', { campaign_id, content: mail })
    assert.equal(campaign.field, `content.${field}`, campaign.message)
    const generated = await refused('campaign.generate', { channel: 'email', content: mail })
    assert.match(generated.message, /lock/)
  }
  const translated = await refused('template.save', {
    name: 'News',
    subject: 'Hi',
    text: 'Hi',
    translations: { de: { blocks: [red] } },
  })
  assert.equal(translated.field, 'translations.de.blocks[0].colour')
  const fine = await owner.get<{ previews: { html: string }[] }>('template.save', {
    name: 'News',
    subject: 'Hi',
    blocks: [blue],
    dry_run: true,
  })
  assert.match(fine.previews[0]?.html ?? '', /Since 2011/)
  await owner.get('campaign.save', { campaign_id, name: 'Renamed' })
  const preview = await owner.get<{ untrusted: { html: string } }>('template.preview', {
    subject: 'News',
    blocks: [red, social],
    data: 'sample',
  })
  const { html } = preview.untrusted
  assert.doesNotMatch(html, /#aa0000|x\.com/)
  assert.match(html, /Since 2011/)
})

test('a picture is deleted only once the brand shows it no longer', async () => {
  const { owner, refused, set, picture } = await scene()
  const [light, dark, other] = [await picture('l'), await picture('m'), await picture('n')]
  const pictures = await owner.get<{ images: { image_id: string; url: string }[] }>(
    'image.list',
    {},
  )
  const src = pictures.images.find(({ image_id }) => image_id === other)?.url
  await set({
    logo: { image_id: light, dark_image_id: dark },
    footer: [{ type: 'image', src, alt: 'Us' }],
  })
  for (const image_id of [light, dark, other]) {
    const refusal = await refused('image.delete', { image_id })
    assert.deepEqual([refusal.code, refusal.field], ['conflict', 'image_id'])
  }
  await set({ logo: { image_id: light }, footer: [] })
  await owner.get('image.delete', { image_id: dark })
  await owner.get('image.delete', { image_id: other })
  await refused('image.delete', { image_id: light })
  await set({ logo: null })
  await owner.get('image.delete', { image_id: light })
})

test('a draft goes out in the brand of its plan, and what is ordered stays as it is', async () => {
  const { businessId, owner, refused, set, subscribers } = await scene()
  const app = await testbed.appCaller({ businesses: [businessId], role: 'owner' })
  await subscribers(1)
  await set({ colours: [{ name: 'accent', value: '#1d4ed8' }] })
  const blocks = [
    { type: 'heading', text: 'Sale' },
    { type: 'button', text: 'Go', url: 'https://shop.example' },
  ]
  const translations = { de: { subject: 'Neues', blocks } }
  const content = { subject: 'News', blocks, translations }
  const draft = { channel: 'email', content }
  const { campaign_id } = await owner.get<{ campaign_id: string }>('campaign.generate', draft)
  const of = { campaign_id }
  const plan = async () =>
    (await owner.get<{ plan_hash: string }>('campaign.preview', of)).plan_hash
  const sample = async (language?: string) => {
    const wanted = { ...of, data: 'sample', ...(language && { language }) }
    return (await app.get<{ html: string }>('campaign.sample', wanted)).html
  }
  const first = await plan()
  await set({ tone: 'Warm.' })
  assert.equal(await plan(), first, 'the tone shows in no mail')
  await set({ colours: [{ name: 'accent', value: '#7a1f3d' }] })
  assert.match(await sample(), /#7a1f3d/)
  assert.doesNotMatch(`${await sample()}${await sample('de')}`, /#1d4ed8/)
  const send_at = later(new Date(), hours(2)).toISOString()
  const drifted = await refused('campaign.deploy', { ...of, plan_hash: first, send_at })
  assert.match(drifted.message, /content/)
  const plan_hash = await plan()
  assert.notEqual(plan_hash, first)
  await owner.get('campaign.deploy', { ...of, plan_hash, send_at })
  const ordered = [await sample(), await sample('de')]
  assert.match(ordered.join(''), /#7a1f3d[\s\S]*#7a1f3d/)
  await set({ colours: [{ name: 'accent', value: '#0f766e' }] })
  assert.deepEqual([await sample(), await sample('de')], ordered)
  await owner.get('campaign.unschedule', of)
  assert.match(await sample('de'), /#0f766e/, 'a draft again has the brand of now')
  const copy = await owner.get<{ campaign_id: string }>('campaign.copy', of)
  of.campaign_id = copy.campaign_id
  assert.match(await sample(), /#0f766e/)
})

test('pages show the accent colour, lightened where it would be lost in the dark', async () => {
  const { owner, set } = await scene()
  await set({ colours: [{ name: 'accent', value: '#2a0a4a' }] })
  const fields = [{ key: 'email', label: 'Email', type: 'email', required: true }]
  const form = { name: 'Join', status: 'published', fields }
  const { form_id } = await owner.get<{ form_id: string }>('form.save', form)
  const { url } = await owner.get<{ url: string }>('form.get', { form_id })
  const page = await (await fetch(url)).text()
  const colours = (name: string) =>
    new RegExp(`--${name}:light-dark\\((#\\w{6}),(#\\w{6})\\)`).exec(page)?.slice(1) ?? []
  for (const name of ['accent', 'link']) {
    const [light, dark = ''] = colours(name)
    assert.equal(light, '#2a0a4a', name)
    assert.ok(contrastOf(dark, '#1f1f24') >= 4.5, `${name}: ${dark}`)
  }
  const [, words = ''] = colours('on-accent')
  assert.ok(contrastOf(words, colours('accent')[1] ?? '') >= 4.5)
})

test('a lock on the footer of a brand that has none takes none away', () => {
  const links = [{ network: 'x' as const, url: 'https://x.com/shop' }]
  const mail: Block[] = [
    { type: 'text', text: 'Hi' },
    { type: 'social', links },
  ]
  const brand: Brand = { name: 'Shop', colours: [], locked: ['footer'] }
  const typesWith = (footer: Block[]) =>
    laidOver(mail, { ...brand, footer }).map(({ block }) => block.type)
  assert.deepEqual(typesWith([]), ['text', 'social'])
  assert.deepEqual(typesWith([{ type: 'divider' }]), ['text', 'divider'])
})
