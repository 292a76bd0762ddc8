import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../../tests/support/businesses/business.ts'
import {
  consentsOf,
  contactsOf,
  eventsOf,
  saveOne,
  someTopics,
  suppressAddress,
  toSave,
} from '../../../../../tests/support/businesses/contacts.ts'
import { testVault } from '../../../../../tests/support/clients/calls.ts'
import { PageVisitor } from '../../../../../tests/support/clients/page-visitor.ts'
import { FakeMessages } from '../../../../../tests/support/mail/fake-messages.ts'
import { type TestDatabase, testDatabase } from '../../../../../tests/support/postgres/database.ts'
import { silentLog } from '../../../../../tests/support/silent-log.ts'
import { ManualClock } from '../../../../../tests/support/time/manual-clock.ts'
import { createSenderProfileReader } from '../../../accounts/businesses/sender-profile.ts'
import { limits } from '../../../config.ts'
import type { Person } from '../../../contacts/contact.ts'
import { saveTopic } from '../../../contacts/topics/topic.ts'
import { isRefusal } from '../../../core/errors.ts'
import { formatId, newId } from '../../../core/ids.ts'
import { sql } from '../../../lib/db/db.ts'
import { hours } from '../../../lib/time/clock.ts'
import { makePreferencesToken } from '../../../tracking/tokens.ts'
import { createServer } from '../../server.ts'
import { registerPreferences } from './preferences.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const yes = { status: 'subscribed', source: 'a form' } as const
const form = 'application/x-www-form-urlencoded'

/** The link has no topic of its own, as in mails from before it had one, unless it is given. */
async function setUpPreferences(
  person: Person = { email: 'ana@example.com', consent: { email: yes } },
  link: { channel?: 'email' | 'sms'; topic?: string | null } = {},
) {
  const { db } = database
  const clock = new ManualClock()
  const businessId = await newBusiness(db)
  const saved = await saveOne(db, toSave(businessId, person))
  assert.ok(!isRefusal(saved))
  const server = createServer({ log: silentLog, bodyLimit: 9_999, trustProxy: false, https: false })
  const senderProfileOf = createSenderProfileReader(db, clock)
  const messages = new FakeMessages()
  registerPreferences(server, {
    db,
    clock,
    vault: testVault,
    senderProfileOf,
    messages,
    log: silentLog,
  })
  const messageId = newId('message')
  const { channel = 'email', topic } = link
  const named = { businessId, messageId, contactId: saved.id, channel, topic }
  const path = `/u/${makePreferencesToken(testVault, named)}`
  const visitor = new PageVisitor(server, 'crier.test')
  return {
    db,
    clock,
    messages,
    businessId,
    messageId: formatId('message', messageId),
    path,
    visitor,
    post: (payload: string, type = form) =>
      visitor.send({ method: 'POST', url: path, headers: { 'content-type': type }, payload }),
    consent: async () => (await contactsOf(db, businessId))[0]?.consent,
    ledger: async () => (await consentsOf(db, businessId)).slice(1),
  }
}

test('one POST unsubscribes, without a cookie, a redirect or further input', async () => {
  const { db, businessId, messageId, post, consent, ledger } = await setUpPreferences()
  const answer = await post('List-Unsubscribe=One-Click')
  assert.deepEqual([answer.status, answer.to], [200, undefined])
  assert.equal(answer.headers['set-cookie'], undefined)
  assert.deepEqual(await consent(), { email: 'unsubscribed', sms: 'none', tracking: 'none' })
  const [row] = await ledger()
  assert.equal(row?.source, `one-click unsubscribe, ${messageId}`)
  assert.match(row?.text ?? '', /news and offers from A business by email/)
  const [, event] = await eventsOf(db, businessId)
  assert.equal(event?.type, 'contact.updated')
  assert.deepEqual([event?.data['source'], event?.data['changed']], ['person', ['consent.email']])
})

test('the IP address and user agent are stored as evidence', async () => {
  const { db, businessId, post } = await setUpPreferences()
  await post('List-Unsubscribe=One-Click')
  const row = await db.maybe<{ ip: string; agent: string }>(sql`
    select host(ip) as ip, agent from consent_events
    where business_id = ${businessId} and action = 'unsubscribed'
  `)
  assert.deepEqual(row, { ip: '127.0.0.1', agent: 'lightMyRequest' })
})

test('a mail program may send the one-click request as multipart/form-data', async () => {
  const { post, consent } = await setUpPreferences()
  const body =
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
  const answer = await post(body, 'multipart/form-data; boundary=x')
  assert.deepEqual([answer.status, (await consent())?.email], [200, 'unsubscribed'])
})

test('a topic is read in the language of the person, and in the usual words where it has none', async () => {
  const person: Person = { email: 'uta@example.com', language: 'de', consent: { email: yes } }
  const { db, businessId, path, visitor } = await setUpPreferences(person)
  const now = new Date()
  const translations = [{ language: 'de', name: 'Neues', description: 'Einmal im Monat.' }] as const
  const times = { createdAt: now, updatedAt: now, archivedAt: null, position: null }
  const news = { key: 'news', name: 'News', description: 'Monthly.', translations, ...times }
  const offers = { key: 'offers', name: 'Offers', description: null, translations: [], ...times }
  await db.tx(async (tx) => {
    await saveTopic(tx, businessId, news)
    await saveTopic(tx, businessId, offers)
  })
  const { body } = await visitor.get(path)
  assert.match(body, />Neues</)
  assert.match(body, /Einmal im Monat\./)
  assert.match(body, />Offers</)
  assert.doesNotMatch(body, /News|Monthly/)
})

test('a repeated unsubscription is recorded once', async () => {
  const { post, ledger } = await setUpPreferences()
  const answers = [
    await post('List-Unsubscribe=One-Click'),
    await post('List-Unsubscribe=One-Click'),
  ]
  assert.deepEqual([answers.map(({ status }) => status), (await ledger()).length], [[200, 200], 1])
})

test('a yes to a mail that asks for permission is fresh consent, and changes nothing else', async () => {
  const { db, businessId, messageId, messages, post, consent, ledger } = await setUpPreferences()
  const yes = 'shown=email&channel=email'
  await post(yes)
  assert.deepEqual(await ledger(), [], 'nobody asked')
  messages.asks = true
  const before = await eventsOf(db, businessId)
  assert.equal((await post(yes)).status, 200)
  const [row] = await ledger()
  assert.equal(row?.action, 'subscribed')
  assert.equal(row?.source, `preference page, ${messageId}`)
  assert.match(row?.text ?? '', /news and offers from A business by email/)
  assert.equal((await consent())?.email, 'subscribed')
  assert.equal((await eventsOf(db, businessId)).length, before.length)
  await post('shown=email')
  assert.equal((await consent())?.email, 'unsubscribed')
})

test('GET and HEAD requests change nothing, however often a scanner sends them', async () => {
  const { path, visitor, consent, ledger } = await setUpPreferences()
  for (let n = 0; n < 3; n++) {
    assert.equal((await visitor.get(`${path}?List-Unsubscribe=One-Click`)).status, 200)
    assert.equal((await visitor.head(path)).status, 200)
  }
  assert.deepEqual([(await consent())?.email, await ledger()], ['subscribed', []])
})

test('choosing email again lifts an imported unsubscription, but not a bounce or manual suppression', async () => {
  for (const [reason, left] of [
    ['unsubscribed', []],
    ['bounce', [{ reason: 'bounce' }]],
    ['manual', [{ reason: 'manual' }]],
  ] as const) {
    const { db, businessId, path, visitor } = await setUpPreferences()
    const done = await visitor.submit(await visitor.get(path))
    await suppressAddress(db, businessId, 'ana@example.com', reason)
    const suppressions = () =>
      db.all(sql`select reason from suppressions where business_id = ${businessId}`)
    assert.deepEqual(await suppressions(), [{ reason }], 'leaving lifts nothing')
    await visitor.submit(done, { channel: 'email' })
    assert.deepEqual(await suppressions(), left)
  }
})

test('the page’s first button unsubscribes, and the second one resubscribes', async () => {
  const { path, visitor, consent, ledger } = await setUpPreferences()
  const done = await visitor.submit(await visitor.get(path))
  assert.match(done.body, /no more marketing by email/)
  assert.equal((await consent())?.email, 'unsubscribed')
  const back = await visitor.submit(done, { channel: 'email' })
  assert.match(back.body, /Your choices have been saved/)
  assert.equal((await consent())?.email, 'subscribed')
  const sources = (await ledger()).map(({ source }) => source.replace(/, .*/, ''))
  assert.deepEqual(sources, ['unsubscribe page', 'preference page'])
})

test('each channel can be chosen separately, and only channels of the contact are shown', async () => {
  const both = { email: yes, sms: yes }
  const { path, visitor, consent } = await setUpPreferences({
    email: 'ana@example.com',
    phone: '+33612345678',
    consent: both,
  })
  const page = await visitor.get(path)
  assert.match(page.body, /a•••@example\.com/)
  assert.match(page.body, /•••678/)
  assert.ok(!page.body.includes('ana@') && !page.body.includes('33612'))
  await visitor.submit(page, { channel: ['sms'] }, {}, page.forms[1])
  assert.deepEqual(await consent(), { email: 'unsubscribed', sms: 'subscribed', tracking: 'none' })
  const alone = await setUpPreferences()
  const forced = await alone.post('shown=sms&channel=sms')
  assert.equal(forced.status, 400)
  assert.deepEqual(await alone.consent(), { email: 'subscribed', sms: 'none', tracking: 'none' })
})

test('the page is in the contact’s language, and the ledger stores the text shown', async () => {
  const { visitor, path, ledger } = await setUpPreferences({
    email: 'ana@example.com',
    language: 'ar-EG',
    consent: { email: yes },
  })
  const page = await visitor.get(path)
  assert.match(page.body, /<html lang="ar" dir="rtl">/)
  assert.match(page.body, /إلغاء الاشتراك/)
  await visitor.submit(page)
  assert.match((await ledger())[0]?.text ?? '', /أرغب في تلقي أخبار وعروض A business/)
})

test('an invalid request changes nothing', async () => {
  const { post, consent } = await setUpPreferences()
  for (const body of ['', 'List-Unsubscribe=Two-Clicks', 'shown=push&channel=push', '%%%']) {
    assert.equal((await post(body)).status, 400, body)
  }
  assert.equal((await post('{}', 'application/json')).status, 415)
  assert.equal((await post('x', 'multipart/form-data')).status, 400)
  assert.equal((await post('x', 'multipart/form-data; boundary=y')).status, 400)
  assert.equal((await consent())?.email, 'subscribed')
})

test('a body of the maximum size is accepted, and a larger one is refused', async () => {
  const { post } = await setUpPreferences()
  const fill = (bytes: number) => 'List-Unsubscribe=One-Click&x='.padEnd(bytes, 'y')
  assert.equal((await post(fill(16_385))).status, 413)
  assert.equal((await post(fill(16_384))).status, 200)
})

test('a forged link is not found', async () => {
  const { path, visitor } = await setUpPreferences()
  for (const wrong of [path.slice(0, -1), `${path}A`, '/u/x', path.replace('/u/', '/u/A')]) {
    assert.equal((await visitor.get(wrong)).status, 404)
    const answer = await visitor.send({
      method: 'POST',
      url: wrong,
      headers: { 'content-type': form },
      payload: 'List-Unsubscribe=One-Click',
    })
    assert.equal(answer.status, 404)
  }
})

test('an erased person sees that no mail is sent, and the one-click request succeeds', async () => {
  const { db, businessId, path, visitor, post } = await setUpPreferences()
  await suppressAddress(db, businessId, 'ana@example.com')
  assert.match((await visitor.get(path)).body, /Nothing is sent to you/)
  assert.equal((await post('List-Unsubscribe=One-Click')).status, 200)
})

test('the pages show the name of the business, and have no link into the app', async () => {
  const { db, businessId, path, visitor, post } = await setUpPreferences()
  const ofBusiness = /<span class="brand"><bdi>A business<\/bdi><\/span>/
  const shown = await visitor.get(path)
  const done = await post('List-Unsubscribe=One-Click')
  await suppressAddress(db, businessId, 'ana@example.com')
  const gone = await visitor.get(path)
  for (const { body } of [shown, done, gone]) {
    assert.match(body, ofBusiness)
    assert.match(body, /<title>[^<]*A business<\/title>/)
  }
  assert.match(gone.body, /A business\u2069 no longer has your address/)
  const wrong = await visitor.get('/u/x')
  assert.match(wrong.body, /Open the mail again and press the link at its end/)
  assert.match(wrong.body, /reply to the mail and ask its sender to stop/)
  for (const { body } of [shown, done, gone, wrong, await visitor.get('/u/test')]) {
    assert.match(body, /Sent with Crier/)
    assert.doesNotMatch(body, /href="\/"/)
    assert.doesNotMatch(body, /· Crier</)
  }
})

test('a link accepts 20 changes an hour, and an unsubscription at any time', async () => {
  const { clock, post, consent, ledger } = await setUpPreferences()
  const back = () => post('shown=email&channel=email')
  const out = () => post('List-Unsubscribe=One-Click')
  for (let n = 0; n < limits.preferenceChangesPerHour; n++) {
    assert.equal((await out()).status, 200)
    assert.equal((await back()).status, 200, `change ${n}`)
  }
  for (const leave of [out, () => post('List-Unsubscribe=One-Click&page=yes')]) {
    assert.equal((await leave()).status, 200)
  }
  const before = (await ledger()).length
  const refused = await back()
  assert.deepEqual([refused.status, (await consent())?.email], [429, 'unsubscribed'])
  assert.equal(refused.headers['retry-after'], '3600')
  assert.match(refused.body, /wait an hour before you ask for more/)
  assert.match(refused.body, /Send me news and offers from A business by email/)
  assert.equal((await ledger()).length, before)
  clock.forward(hours(1))
  assert.equal((await back()).status, 200)
  assert.equal((await out()).status, 200)
})

test('over the limit of a link, unsubscribing from a channel still works', async () => {
  const both = { email: yes, sms: yes }
  const person = { email: 'ana@example.com', phone: '+33612345678', consent: both }
  const { post, consent } = await setUpPreferences(person)
  const choose = (...channels: string[]) =>
    post(['shown=email&shown=sms', ...channels.map((channel) => `channel=${channel}`)].join('&'))
  for (let n = 0; n < limits.preferenceChangesPerHour; n++) {
    await choose()
    await choose('email', 'sms')
  }
  assert.equal((await choose('sms')).status, 200, 'nothing was asked for that is not so')
  assert.deepEqual(await consent(), { email: 'unsubscribed', sms: 'subscribed', tracking: 'none' })
  assert.equal((await choose('email')).status, 429)
  assert.deepEqual(await consent(), {
    email: 'unsubscribed',
    sms: 'unsubscribed',
    tracking: 'none',
  })
  assert.equal((await choose()).status, 200)
})

test('a broken link and an address without a page are in the visitor’s language', async () => {
  const { visitor } = await setUpPreferences()
  const german = { accept: 'text/html', 'accept-language': 'de-AT,en;q=0.5' }
  const broken = (await visitor.get('/u/nothing', german)).body
  assert.match(broken, /lang="de".*<h1>Dieser Link funktioniert nicht<.*Vielleicht wurde er/s)
  assert.match((await visitor.get('/nothing', german)).body, /Unter dieser Adresse gibt es keine/)
  const english = (await visitor.get('/nothing', { accept: 'text/html' })).body
  assert.match(english, /There is no page at this address/)
})

test('of a deleted message the link still knows its topic, and an older link ends the channel', async () => {
  const link = async (topic?: string | null) => {
    const scene = await setUpPreferences(undefined, topic === undefined ? {} : { topic })
    await someTopics(scene.db, scene.businessId, ['news', 'offers'])
    const topics = async () => (await contactsOf(scene.db, scene.businessId))[0]?.topics
    return { ...scene, topics }
  }
  const own = await link('news')
  assert.equal(own.messages.topic, undefined, 'the message is deleted')
  assert.match((await own.visitor.get(own.path)).body, /Unsubscribe from \u2068news/)
  assert.match((await own.post('List-Unsubscribe=One-Click')).body, /no more emails about/)
  assert.equal((await own.consent())?.email, 'subscribed')
  assert.deepEqual(await own.topics(), { email: { news: 'unsubscribed' } })
  // A topic that the message's row has does not matter to a link that says there is none.
  const none = await link(null)
  none.messages.topic = 'news'
  const older = await link()
  for (const scene of [none, older]) {
    await scene.post('List-Unsubscribe=One-Click')
    assert.equal((await scene.consent())?.email, 'unsubscribed')
  }
  const olderWithRow = await link()
  olderWithRow.messages.topic = 'news'
  await olderWithRow.post('List-Unsubscribe=One-Click')
  assert.equal((await olderWithRow.consent())?.email, 'subscribed')
})

test('one click on the link of a text succeeds where the person has no number any more', async () => {
  const { post, consent } = await setUpPreferences(undefined, { channel: 'sms', topic: null })
  assert.equal((await post('List-Unsubscribe=One-Click')).status, 200)
  assert.equal((await post('shown=sms&channel=sms')).status, 400)
  assert.deepEqual(await consent(), { email: 'subscribed', sms: 'none', tracking: 'none' })
})

test('the link of a text ends texts, and not email', async () => {
  const person = {
    email: 'ana@example.com',
    phone: '+33612345678',
    consent: { email: yes, sms: yes },
  }
  const { path, visitor, messages, consent } = await setUpPreferences(person, {
    channel: 'sms',
    topic: null,
  })
  const page = await visitor.get(path)
  assert.match(page.body, /<p>SMS to •••678<\/p>/)
  const done = await visitor.submit(page)
  assert.match(done.body, /Your choices have been saved/)
  assert.deepEqual(await consent(), { email: 'subscribed', sms: 'unsubscribed', tracking: 'none' })
  assert.deepEqual(
    messages.news.map(({ event }) => event),
    ['unsubscribed'],
  )
})
