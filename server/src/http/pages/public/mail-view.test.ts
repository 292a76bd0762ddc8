/** The view of a marketing mail in its recipient's browser: whose words it has, and what it counts. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  type Running,
} from '../../../../../tests/support/businesses/campaign-runs.ts'
import { campaignScene, yes } from '../../../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../../../tests/support/time/eventually.ts'
import { zoneWhereItIs } from '../../../../../tests/support/time/zones.ts'
import type { Id } from '../../../core/ids.ts'
import { listInbox } from '../../../core/inbox/mail-queries.ts'
import { listTexts } from '../../../core/inbox/phone-queries.ts'
import { sql } from '../../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

const browser = { 'user-agent': 'Mozilla/5.0 (X11) Firefox/145.0' }
const link = '<p><a href="{{ view_url }}">View in browser</a></p>'
const html = `${link}<p>Hello {{ contact.name }}, see <a href="https://shop.example/new">the shop</a>.</p>`

async function mailTo(address: string) {
  const [mail] = await eventually(
    () => listInbox(testbed.db, address, 1),
    ({ length }) => length > 0,
  )
  if (!mail) throw new Error(`no mail to ${address}`)
  const page = `${mail.html ?? ''}\n${mail.text}`
  return { ...mail, view: /https?:\/\/[^\s"<>]+\/v\/[\w-]+/.exec(page)?.[0] ?? '' }
}

async function visit(url: string, headers: Record<string, string> = {}) {
  const answer = await fetch(url, { headers: { ...browser, ...headers }, redirect: 'manual' })
  return { status: answer.status, headers: answer.headers, page: await answer.text() }
}

let campaigns = 0
/** Sends a campaign to new contacts, and returns the address of each by its name. */
async function sentTo(
  people: Record<string, { language?: string }>,
  content: object,
  more: object = {},
) {
  const running = await draftTo(testbed, 0, { content: { subject: 'News', ...content } })
  campaigns += 1
  const at = (name: string) => `${name}-view-${campaigns}@example.com`
  for (const [name, person] of Object.entries(people)) {
    await running.scene.contact({ email: at(name), name, ...person, consent: { email: yes } })
  }
  const { owner } = running.scene
  await owner.get('campaign.save', { campaign_id: running.name, ...more })
  await sendOff(running)
  return { running, at, mailOf: (name: string) => mailTo(at(name)) }
}

const visitsOf = ({ businessId }: Running) =>
  testbed.db.all<{ message: Id<'message'>; url: string | null }>(sql`
    select v.message_id as message, l.url from link_visits v
    left join tracked_links l on l.business_id = v.business_id and l.hash = v.link_hash
    where v.business_id = ${businessId} order by v.visited_at
  `)

const opensOf = async ({ businessId }: Running) => {
  const { n } = await testbed.db.one<{ n: number }>(sql`
    select count(*)::int as n from message_events
    where business_id = ${businessId} and type = 'opened'
  `)
  return n
}

test('each recipient sees the words that they got, and a visit counts no open', async () => {
  const { running, mailOf } = await sentTo({ ana: {}, bo: {} }, { html })
  await awaitState(running, 'completed')
  for (const name of ['ana', 'bo']) {
    const mail = await mailOf(name)
    assert.match(mail.html ?? '', /\/o\/[\w-]+/, 'the mail itself counts opens')
    const { status, headers, page } = await visit(mail.view)
    assert.equal(status, 200)
    assert.match(page, new RegExp(`Hello ${name},`))
    assert.match(page, /\/u\/[\w-]+/, 'it has the footer of the mail')
    assert.ok(page.includes(mail.view), 'its link to itself stays direct')
    assert.doesNotMatch(page, /\/o\/[\w-]+/)
    assert.equal(headers.get('x-robots-tag'), 'noindex')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    const policy = (headers.get('content-security-policy') ?? '').split('; ')
    for (const rule of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"]) {
      assert.ok(policy.includes(rule), rule)
    }
    assert.ok(policy.some((rule) => rule.startsWith('sandbox') && !rule.includes('allow-s')))
    assert.ok(
      !policy.some((rule) => /^(?:script|frame-src|child|worker|object|connect)/.test(rule)),
    )
  }
  assert.deepEqual([await visitsOf(running), await opensOf(running)], [[], 0])
})

test('a link in the view counts clicks for the message that it shows', async () => {
  const { running, mailOf } = await sentTo({ ana: {}, bo: {} }, { html })
  const mail = await mailOf('bo')
  const { page } = await visit(mail.view)
  const [click = ''] = /https?:\/\/[^\s"<>]+\/c\/[\w-]+/.exec(page) ?? []
  const { status, headers } = await visit(click)
  assert.deepEqual([status, headers.get('location')], [302, 'https://shop.example/new'])
  assert.deepEqual(await visitsOf(running), [
    { message: mail.messageId, url: 'https://shop.example/new' },
  ])
})

test('the view has the version of the template that was sent, after edits too', async () => {
  const scene = await campaignScene(testbed)
  const { owner } = scene
  const first = { name: 'Menu', subject: 'News', html: `${link}<p>The first words.</p>` }
  const { template_id } = await owner.get<{ template_id: string }>('template.save', first)
  await scene.contact({ email: 'edited@example.com', consent: { email: yes } })
  await owner.get('email.send', {
    to: 'edited@example.com',
    kind: 'marketing',
    template_id,
    variables: {},
  })
  const { view } = await mailTo('edited@example.com')
  await owner.get('template.save', { template_id, html: `${link}<p>The later words.</p>` })
  const { page } = await visit(view)
  assert.match(page, /The first words/)
  assert.doesNotMatch(page, /The later words/)
})

test('each variant of an A/B test and each translation is shown to those who got it', async () => {
  const german = { subject: 'Neues', html: `${link}<p>Hallo auf Deutsch.</p>` }
  const people = { ana: {}, bo: {}, cy: {}, di: {}, ed: {}, fay: {} }
  const variant = { subject: 'B', html: `${link}<p>The second variant.</p>` }
  const ab = { variants: [variant], sample_percent: 100 }
  const tested = await sentTo(people, { html }, { ab })
  for (const name of Object.keys(people)) {
    const mail = await tested.mailOf(name)
    const { page } = await visit(mail.view)
    const words = mail.subject === 'B' ? 'The second variant.' : `Hello ${name}, see`
    assert.ok(page.includes(words), `${name} got ${mail.subject}`)
  }
  const translated = await sentTo(
    { ana: { language: 'en' }, bo: { language: 'de-AT' } },
    { html, translations: { de: german } },
  )
  const seen = async (name: string) => (await visit((await translated.mailOf(name)).view)).page
  assert.match(await seen('ana'), /Hello ana,/)
  assert.match(await seen('bo'), /Hallo auf Deutsch/)
  assert.match(await seen('bo'), /Abmelden/, 'the footer has the language of the contact')
})

test('a mail without HTML is shown as its text, escaped', async () => {
  const text = 'See it: {{ view_url }}\n\n5 < 6 & <b>bold</b>'
  const { mailOf } = await sentTo({ ana: {} }, { text })
  const mail = await mailOf('ana')
  const { status, page } = await visit(mail.view)
  assert.equal(status, 200)
  assert.match(page, /<h1[^>]*>News<\/h1>/)
  assert.match(page, /5 &lt; 6 &amp; &lt;b&gt;bold/)
})

test('a forged link, and one of another purpose, leads nowhere', async () => {
  const { mailOf } = await sentTo({ ana: {} }, { html })
  const { view, html: page } = await mailOf('ana')
  const token = view.split('/').at(-1) ?? ''
  const changed = `${token.slice(0, -4)}${token.slice(-4) === 'AAAA' ? 'BBBB' : 'AAAA'}`
  const [, other = ''] = /\/o\/([\w-]+)/.exec(page ?? '') ?? []
  for (const forged of [changed, other, 'x', '..%2F..', 'a'.repeat(90)]) {
    const { status, headers } = await visit(new URL(`/v/${forged}`, view).href)
    assert.ok(status === 404, `${forged.slice(0, 80)} ${status}`)
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /script-src/)
  }
  assert.equal((await visit(view)).status, 200)
})

test('once the content was deleted the view says so in the language of the contact', async () => {
  const scene = await campaignScene(testbed)
  await scene.contact({ email: 'gone@example.com', language: 'de', consent: { email: yes } })
  await scene.owner.get('email.send', {
    to: 'gone@example.com',
    kind: 'marketing',
    subject: 'News',
    html,
    variables: {},
  })
  const { view, messageId } = await mailTo('gone@example.com')
  assert.equal((await visit(view)).status, 200)
  await testbed.db.run(sql`delete from message_contents where message_id = ${messageId}`)
  const { status, page } = await visit(view, { 'accept-language': 'fr' })
  assert.equal(status, 410)
  assert.match(page, /<html lang="de"/)
  assert.match(page, /kann nicht mehr angezeigt werden/)
})

test('who has the address that a person gave up reads nothing of them', async () => {
  const { running, at, mailOf } = await sentTo({ ana: {} }, { html })
  await awaitState(running, 'completed')
  const { view } = await mailOf('ana')
  const { owner } = running.scene
  const external_id = `customer of ${view}`.slice(0, 100)
  await owner.get('contact.upsert', { email: at('ana'), external_id })
  await owner.get('contact.upsert', { external_id, email: `new-${at('ana')}`, name: 'Ana Married' })
  const { status, page } = await visit(view)
  assert.equal(status, 410)
  assert.doesNotMatch(page, /Married|Hello/)
})

test('once the message was deleted nobody knows whose mailbox it is in, and the view names no one', async () => {
  const german = { subject: 'Neues', html: `${link}<p>Hallo {{ contact.name }}, auf Deutsch.</p>` }
  const { running, at, mailOf } = await sentTo(
    { ana: { language: 'de' } },
    { html, translations: { de: german } },
  )
  await awaitState(running, 'completed')
  const { view, messageId } = await mailOf('ana')
  const { owner } = running.scene
  await owner.get('contact.upsert', { email: at('ana'), external_id: view.slice(-90) })
  await owner.get('contact.upsert', { external_id: view.slice(-90), email: `new-${at('ana')}` })
  assert.equal((await visit(view)).status, 410)
  await testbed.db.run(sql`delete from message_contents where message_id = ${messageId}`)
  await testbed.db.run(sql`delete from messages where id = ${messageId}`)
  const { status, page } = await visit(view, { 'accept-language': 'en' })
  assert.equal(status, 200)
  assert.match(page, /Hello , see/)
  assert.doesNotMatch(page, /ana|auf Deutsch/)
  assert.match((await visit(view, { 'accept-language': 'de-AT,en' })).page, /Hallo , auf Deutsch/)
})

test('the link of a test leads to a page that explains it, and other mail has no such link', async () => {
  const { status, page } = await visit(`${testbed.service.config.baseUrl}/v/test`)
  assert.equal(status, 200)
  assert.match(page, /This one belongs to a test/)
  const scene = await campaignScene(testbed)
  await scene.contact({ email: 'receipt@example.com', consent: { email: yes } })
  await scene.owner.get('email.send', {
    to: 'receipt@example.com',
    subject: 'Receipt',
    text: 'Link: [{{ view_url }}]',
    variables: {},
  })
  assert.match((await mailTo('receipt@example.com')).text, /Link: \[\]/)
  const phone = '+33612349876'
  const time_zone = zoneWhereItIs(14)
  const sms = { status: 'subscribed', source: 'a test' }
  await scene.owner.get('contact.upsert', { phone, attributes: { time_zone }, consent: { sms } })
  const text = 'Link: [{{ view_url }}] STOP'
  await scene.owner.get('sms.send', { to: phone, kind: 'marketing', text, variables: {} })
  const { template_id } = await scene.owner.get<{ template_id: string }>('template.save', {
    channel: 'sms',
    name: 'Text',
    text: `Template. ${text}`,
  })
  await scene.owner.get('sms.send', { to: phone, kind: 'marketing', template_id, variables: {} })
  const texts = await eventually(
    () => listTexts(testbed.db, phone, 10),
    ({ length }) => length === 2,
  )
  for (const { body } of texts) assert.match(body, /Link: \[\]/)
})
