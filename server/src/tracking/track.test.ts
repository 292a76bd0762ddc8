import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { testTracking } from '../../../tests/support/businesses/tracking.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { formatId, newId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { days, seconds } from '../lib/time/clock.ts'
import { sweepLinks } from './keep-links.ts'
import { readPreferencesToken, readToken } from './tokens.ts'
import type { ToTrack } from './track-mail.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const baseUrl = 'https://crier.test'
const page = '<html><body><a href="https://shop.test/">shop</a></body></html>'
const rendered = { subject: 'Hello', html: page, text: 'Shop: https://shop.test/' }

async function setUpTracking() {
  const { db } = database
  const clock = new ManualClock()
  const businessId = await newBusiness(db)
  const tracking = testTracking(db, clock, baseUrl)
  const contactId = newId('contact')
  const what = { businessId, messageId: newId('message'), contactId, rendered }
  return {
    db,
    clock,
    what,
    prepare: (changes: Partial<ToTrack> = {}) =>
      tracking.prepare({ ...what, kind: 'transactional', ...changes }),
    async set(key: string, value: string) {
      await setBusiness(db, businessId, { key, value, now: clock.now() })
      clock.forward(seconds(5))
    },
    links: () =>
      db.all<{ url: string }>(sql`select url from tracked_links
      where business_id = ${businessId} order by url`),
  }
}

const tokenIn = (text: string | undefined, path: string) =>
  new RegExp(`https://[a-z.]+/${path}/([\\w-]+)`).exec(text ?? '')?.[1] ?? assert.fail(text)

test('links are tracked with stored rows for their URLs, and an image tracks opens', async () => {
  const { what, prepare, links } = await setUpTracking()
  const { html, text, headers } = await prepare()
  assert.deepEqual(await links(), [{ url: 'https://shop.test/' }])
  assert.ok(!html?.includes('shop.test'))
  const click = readToken(testVault, 'click', tokenIn(html, 'c'))
  assert.deepEqual([click?.messageId, click?.rest[16]], [what.messageId, 1])
  const open = readToken(testVault, 'open', tokenIn(html, 'o'))
  assert.equal(open?.businessId, what.businessId)
  assert.match(html ?? '', /<a href="[^"]+" style="display:none" aria-hidden="true" tabindex="-1">/)
  assert.ok(html?.endsWith('</body></html>'))
  assert.equal(text, rendered.text, 'who reads text reads the link as it is')
  assert.deepEqual(
    headers.map(([name]) => name),
    ['Feedback-ID'],
  )
})

test('the links in the text are tracked in a mail without HTML', async () => {
  const { prepare } = await setUpTracking()
  const { html, text } = await prepare({ rendered: { subject: 'a', text: rendered.text } })
  assert.equal(html, undefined)
  assert.ok(readToken(testVault, 'click', tokenIn(text, 'c')))
})

test('a message or its business can turn off the tracking of opens and of clicks', async () => {
  const { prepare, set, links } = await setUpTracking()
  assert.equal((await prepare({ opens: false, clicks: false })).html, page)
  assert.deepEqual(await links(), [])
  await set('track_clicks', 'no')
  const opens = (await prepare()).html
  assert.ok(opens?.includes('/o/') && opens.includes('href="https://shop.test/"'))
  await set('track_opens', 'no')
  assert.equal((await prepare({ opens: true, clicks: true })).html, page)
  await set('track_opens', 'yes')
  assert.ok((await prepare()).html?.includes('/o/'))
})

test('marketing mail has the business’s name and postal address and the unsubscribe link', async () => {
  const { what, prepare, set } = await setUpTracking()
  await set('name', 'Ana & Co')
  await set('postal_address', '1 Main Street\n12345 & "Town"')
  const { html, text, headers } = await prepare({ kind: 'marketing' })
  assert.match(
    html ?? '',
    /Ana &amp; Co<br>1 Main Street<br>12345 &amp; (?:"|&quot;)Town(?:"|&quot;)/,
  )
  assert.match(text, /\n-- \nAna & Co\n1 Main Street\n12345 & "Town"\n/)
  const way = tokenIn(html, 'u')
  assert.equal(tokenIn(text, 'u'), way)
  const named = readPreferencesToken(testVault, way)
  assert.deepEqual(
    [named?.contactId, named?.channel, named?.topic],
    [what.contactId, 'email', null],
  )
  const aboutNews = tokenIn((await prepare({ kind: 'marketing', topic: 'news' })).html, 'u')
  assert.equal(readPreferencesToken(testVault, aboutNews)?.topic, 'news')
  assert.deepEqual(Object.fromEntries(headers.slice(1)), {
    'List-Unsubscribe': `<${baseUrl}/u/${way}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    Precedence: 'bulk',
  })
})

test('marketing mail names its list: the topic’s, else the business’s', async () => {
  const { what, prepare } = await setUpTracking()
  const listDomain = 'news.example'
  const idOf = async (changes: Partial<ToTrack>) =>
    Object.fromEntries((await prepare({ listDomain, ...changes })).headers)['List-Id']
  assert.equal(await idOf({ kind: 'marketing', topic: 'weekly' }), '<weekly.news.example>')
  const own = `<${formatId('business', what.businessId)}.news.example>`
  assert.equal(await idOf({ kind: 'marketing' }), own)
  assert.equal(await idOf({ kind: 'transactional' }), undefined)
})

test('a template that already has the unsubscribe link and the address gets no footer', async () => {
  const { db, clock, what, set } = await setUpTracking()
  await set('postal_address', '1 Main & Side Street')
  const tracking = testTracking(db, clock, baseUrl)
  const message = { ...what, kind: 'marketing' as const }
  const way = tracking.preferencesUrl(message) ?? ''
  const said = {
    subject: 'Hello',
    html: `<p>1 Main &amp; Side Street <a href="${way}">out</a></p>`,
    text: `1 Main & Side Street ${way}`,
  }
  const own = await tracking.prepare({ ...message, rendered: said, opens: false })
  assert.deepEqual(
    [own.html, own.text],
    [said.html, said.text],
    'and the unsubscribe link is not counted',
  )
  assert.equal(own.headers[1]?.[1], `<${way}>`)
  const half = { ...said, html: `<a href="${way}">out</a>` }
  const { html } = await tracking.prepare({ ...message, rendered: half })
  assert.match(html ?? '', /1 Main &amp; Side Street/)
  assert.equal(tracking.preferencesUrl({ ...message, kind: 'transactional' }), undefined)
})

test('the feedback id contains the campaign, business, kind and sender', async () => {
  const { prepare } = await setUpTracking()
  const [field] = (await prepare({ kind: 'marketing', campaignId: newId('campaign') })).headers
  assert.match(field?.[1] ?? '', /^cmp_\w{26}:bus_\w{26}:marketing:crier[0-9a-f]{8}$/)
  const [bare] = (await prepare()).headers
  assert.match(bare?.[1] ?? '', /^:bus_\w{26}:transactional:crier[0-9a-f]{8}$/)
})

test("all tracking URLs use the sender domain's own tracking name where there is one", async () => {
  const { prepare } = await setUpTracking()
  const { html, headers } = await prepare({ kind: 'marketing', trackingHost: 't.shop.test' })
  const hosts = [...(html ?? '').matchAll(/(?:href|src)="https:\/\/([^/]+)\//g)]
  assert.deepEqual(new Set(hosts.map(([, host]) => host)), new Set(['t.shop.test']))
  assert.match(headers[1]?.[1] ?? '', /^<https:\/\/t\.shop\.test\/u\//)
})

test('a link is one row for all messages and is not deleted while it is in use', async () => {
  const { db, clock, prepare, links } = await setUpTracking()
  await prepare()
  clock.forward(days(1_097))
  await prepare()
  clock.forward(days(1_097))
  await sweepLinks(db, clock.now())
  assert.equal((await links()).length, 1)
  clock.forward(days(2))
  await sweepLinks(db, clock.now())
  assert.equal((await links()).length, 0)
  await prepare()
  assert.equal((await links()).length, 1, 'what was forgotten is stored again')
})

test('a link stored in a failed transaction is stored again by the next message', async () => {
  const { db, clock, what, links } = await setUpTracking()
  const tracking = testTracking(db, clock, baseUrl)
  const message: ToTrack = { ...what, kind: 'transactional' }
  const failing = db.tx(async (tx) => {
    await tracking.prepare(message, tx)
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  await tracking.prepare(message)
  assert.equal((await links()).length, 1)
})
