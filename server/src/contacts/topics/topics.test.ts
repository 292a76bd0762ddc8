import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { campaignsOfTopic } from '../../campaigns/audience/naming.ts'
import { isRefusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { contactGet } from '../get.ts'
import { contactImport } from '../import.ts'
import { contactList } from '../list.ts'
import { contactUpsert } from '../upsert.ts'
import { topicList } from './list.ts'
import { topicSave as saveOperation } from './save.ts'
import { lockTopics, saveTopic, topicLimits } from './topic.ts'

const topicSave = saveOperation({ campaignsOfTopic })
let database: TestDatabase
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function scene(): Promise<{ id: Id<'business'>; caller: Caller }> {
  const id = await newBusiness(database.db)
  return { id, caller: callerIn({ db: database.db, clock }, id) }
}

interface Listed {
  topics: { topic: string; name: string; description: string | null; archived: boolean }[]
}

const subscribed = (more: object = {}) => ({
  status: 'subscribed',
  source: 'checkout page',
  ...more,
})

test('a topic is created, renamed, archived and restored under its key', async () => {
  const { caller } = await scene()
  await caller.get(topicSave, { topic: 'news', name: ' News ', description: 'Once a month.' })
  await caller.get(topicSave, { topic: 'offers', name: 'Offers' })
  await caller.get(topicSave, { topic: 'news', name: 'Our news' })
  await caller.get(topicSave, { topic: 'offers', archived: true })
  const { topics } = await caller.get<Listed>(topicList, {})
  assert.deepEqual(
    topics.map(({ topic, name, description, archived }) => [topic, name, description, archived]),
    [
      ['news', 'Our news', 'Once a month.', false],
      ['offers', 'Offers', null, true],
    ],
  )
  await caller.get(topicSave, { topic: 'news', description: '' })
  await caller.get(topicSave, { topic: 'offers', archived: false })
  const later = await caller.get<Listed>(topicList, {})
  assert.deepEqual(
    later.topics.map(({ description, archived }) => [description, archived]),
    [
      [null, false],
      [null, false],
    ],
  )
})

test('a topic is translated as a whole, each language once, and keeps what is not named', async () => {
  const { caller } = await scene()
  const german = { language: 'de', name: 'Neues', description: 'Einmal im Monat.' }
  const french = { language: 'fr', name: 'Nouvelles' }
  const topic = 'news'
  await caller.get(topicSave, { topic, name: 'News', translations: [german, french] })
  const renamed = await caller.get<{ translations: object[] }>(topicSave, {
    topic,
    name: 'Our news',
  })
  assert.deepEqual(renamed.translations, [german, french])
  clock.forward(1_000)
  const same = await caller.get(topicSave, { topic, translations: [german, french] })
  assert.deepEqual(same, renamed, 'the same words are not written again')
  const twice = await caller.refused(topicSave, { topic, translations: [german, german] })
  assert.deepEqual(
    [twice.code, twice.details.field],
    ['invalid_request', 'translations[1].language'],
  )
  const lines = [{ language: 'de', name: ' \n ' }]
  const long = await caller.refused(topicSave, { topic, translations: lines })
  assert.equal(long.details.field, 'translations[0].name')
  await caller.get(topicSave, { topic, translations: [] })
  const { topics } = await caller.get<{ topics: { translations: object[] }[] }>(topicList, {})
  assert.deepEqual(topics[0]?.translations, [])
})

test('a business has at most twenty topics, even with concurrent calls', async () => {
  const { caller } = await scene()
  const { topics: most } = topicLimits
  const calls = Array.from({ length: most + 5 }, (_, n) =>
    caller.ask<object>(topicSave, { topic: `t${n}`, name: `Topic ${n}` }),
  )
  const answers = await Promise.all(calls)
  const refused = answers.filter(isRefusal)
  assert.equal(refused.length, 5)
  const { topics } = await caller.get<Listed>(topicList, {})
  assert.equal(topics.length, most)
  const topic = topics[0]?.topic ?? ''
  await caller.get(topicSave, { topic, archived: true })
  await caller.get(topicSave, { topic: 'one-more', name: 'One more' })
  const again = await caller.refused(topicSave, { topic, archived: false })
  assert.equal(again.code, 'conflict')
})

test('of two calls that add the last topic of a business that had none, one is refused', async () => {
  const { caller, id } = await scene()
  const open = await database.db.tx(async (tx) => {
    assert.deepEqual(await lockTopics(tx, id), [])
    // It waits until the first is over, though there is no topic to lock.
    const second = caller.ask<object>(topicSave, { topic: 'late', name: 'Late' })
    assert.equal(await Promise.race([second, sleep(200)]), undefined)
    const now = new Date()
    const others = {
      description: null,
      translations: [],
      createdAt: now,
      updatedAt: now,
      archivedAt: null,
    }
    for (let n = 0; n < topicLimits.topics; n++) {
      await saveTopic(tx, id, { key: `t${n}`, name: `T ${n}`, position: null, ...others })
    }
    return { second }
  })
  assert.ok(isRefusal(await open.second))
})

test('two active topics cannot have the same name, regardless of case', async () => {
  const { caller } = await scene()
  await caller.get(topicSave, { topic: 'news', name: 'News' })
  const { code, details } = await caller.refused(topicSave, { topic: 'neues', name: 'NEWS' })
  assert.deepEqual([code, details.field], ['conflict', 'name'])
})

test('hostile topic keys and names are refused, or stored as text', async () => {
  const { caller } = await scene()
  for (const topic of ['News', 'a b', '', '-a', '__proto__', 'é', "a'b", 'a'.repeat(33), '*']) {
    const { code, details } = await caller.refused(topicSave, { topic, name: 'x' })
    assert.deepEqual([code, details.field], ['invalid_request', 'topic'], topic)
  }
  const blank = await caller.refused(topicSave, { topic: 'a', name: ' \n ' })
  assert.equal(blank.details.field, 'name')
  const long = await caller.refused(topicSave, { topic: 'a', name: 'x'.repeat(61) })
  assert.equal(long.details.field, 'name')
  const name = `<b>"'; drop table topics; --`
  await caller.get(topicSave, { topic: 'constructor', name })
  const { topics } = await caller.get<Listed>(topicList, {})
  assert.deepEqual([topics[0]?.topic, topics[0]?.name], ['constructor', name])
  const consent = { email: subscribed({ topics: ['constructor'] }) }
  await caller.get(contactUpsert, { email: 'ana@example.com', consent })
  const filter = { topic: 'constructor', is: 'subscribed' }
  const { contacts } = await caller.get<{ contacts: object[] }>(contactList, { filter })
  assert.equal(contacts.length, 1)
  const none = { filter: { topic: 'constructor', is: 'none', channel: 'sms' } }
  assert.equal((await caller.get<{ contacts: object[] }>(contactList, none)).contacts.length, 1)
})

test('a contact is subscribed to topics, and the ledger records them', async () => {
  const { caller } = await scene()
  for (const topic of ['news', 'offers']) await caller.get(topicSave, { topic, name: topic })
  const email = 'ana@example.com'
  const both = {
    email: subscribed({ topics: ['news', 'offers'], text: 'Send me news and offers.' }),
  }
  const { contact_id } = await caller.get<{ contact_id: string }>(contactUpsert, {
    email,
    consent: both,
  })
  const left = { email: { status: 'unsubscribed', source: 'phone call', topics: ['offers'] } }
  await caller.get(contactUpsert, { email, consent: left })
  const shown = await caller.get<{
    topics: object
    consent: { email: { status: string; history: { action: string; topic: string | null }[] } }
  }>(contactGet, { contact_id })
  assert.deepEqual(shown.topics, { email: { news: 'subscribed', offers: 'unsubscribed' }, sms: {} })
  assert.equal(shown.consent.email.status, 'subscribed')
  assert.deepEqual(
    shown.consent.email.history.map(({ action, topic }) => `${action} ${topic}`).sort(),
    ['subscribed news', 'subscribed null', 'subscribed offers', 'unsubscribed offers'],
  )
})

test('an unknown topic is refused, and so is subscribing to an archived one', async () => {
  const { caller } = await scene()
  const email = 'ana@example.com'
  const asked = { email, consent: { email: subscribed({ topics: ['news'] }) } }
  const unknown = await caller.refused(contactUpsert, asked)
  assert.deepEqual([unknown.code, unknown.details.field], ['not_found', 'consent.email.topics[0]'])
  assert.equal((unknown.details.fix as { tool: string }).tool, 'topic.list')
  await caller.get(topicSave, { topic: 'news', name: 'News' })
  await caller.get(topicSave, { topic: 'news', archived: true })
  assert.equal((await caller.refused(contactUpsert, asked)).code, 'conflict')
  const left = { status: 'unsubscribed', source: 'phone call', topics: ['news'] }
  await caller.get(contactUpsert, { email, consent: { email: left } })
  // Topics of another business are unknown here.
  const other = await scene()
  await other.caller.get(topicSave, { topic: 'talks', name: 'Talks' })
  const theirs = { email, consent: { email: subscribed({ topics: ['talks'] }) } }
  assert.equal((await caller.refused(contactUpsert, theirs)).code, 'not_found')
})

test('an import does not resubscribe a contact to a topic that they have left', async () => {
  const { caller } = await scene()
  for (const topic of ['news', 'offers']) await caller.get(topicSave, { topic, name: topic })
  const email = 'ana@example.com'
  await caller.get(contactUpsert, { email, consent: { email: subscribed() } })
  const left = { status: 'unsubscribed', source: 'phone call', topics: ['news'] }
  await caller.get(contactUpsert, { email, consent: { email: left } })
  const contacts = [
    { email, consent: { email: subscribed({ topics: ['news', 'offers'] }) } },
    { email: 'bo@example.com', consent: { email: subscribed({ topics: ['news'] }) } },
    { email: 'cy@example.com', consent: { email: subscribed({ topics: ['gone'] }) } },
  ]
  const answer = await caller.get<Record<string, unknown>>(contactImport(), { contacts })
  const { created, updated, refused, stayed_unsubscribed } = answer
  assert.deepEqual([created, updated, refused, stayed_unsubscribed], [1, 1, 1, 1])
  const filter = { topic: 'news', is: 'subscribed' }
  const found = await caller.get<{ contacts: { email: string }[] }>(contactList, { filter })
  assert.deepEqual(
    found.contacts.map((contact) => contact.email),
    ['bo@example.com'],
  )
})

test('topics are ordered by their places, and counted by who chose and who left them', async () => {
  const { caller } = await scene()
  for (const topic of ['news', 'offers', 'talks'])
    await caller.get(topicSave, { topic, name: topic })
  const order = async () => {
    const { topics } = await caller.get<{ topics: { topic: string }[] }>(topicList)
    return topics.map(({ topic }) => topic).join(' ')
  }
  await caller.get(topicSave, { topic: 'talks', position: 1 })
  assert.equal(await order(), 'talks news offers')
  await caller.get(topicSave, { topic: 'talks', position: 100 })
  assert.equal(await order(), 'news offers talks')
  await caller.get(topicSave, { topic: 'news', position: 2 })
  await caller.get(topicSave, { topic: 'fairs', name: 'Fairs' })
  assert.equal(await order(), 'offers news talks fairs')
  for (const position of [0, 101]) {
    const refused = await caller.refused(topicSave, { topic: 'news', position })
    assert.equal(refused.details.field, 'position')
  }
  const save = (email: string, consent: object) => caller.get(contactUpsert, { email, consent })
  await save('a@example.com', { email: subscribed({ topics: ['news', 'offers'] }) })
  await save('b@example.com', { email: subscribed({ topics: ['news'] }) })
  const left = { status: 'unsubscribed', source: 'phone call' }
  await save('a@example.com', { email: { ...left, topics: ['offers'] } })
  await save('b@example.com', { email: left })
  const { topics } = await caller.get<{ topics: Record<string, unknown>[] }>(topicList, {
    counts: true,
  })
  const counts = topics.map(({ topic, chosen_by, left_by }) => [topic, chosen_by, left_by])
  const nobody = { email: 0, sms: 0 }
  const byEmail = { email: 1, sms: 0 }
  assert.deepEqual(counts.slice(0, 2), [
    ['offers', nobody, byEmail],
    ['news', byEmail, nobody],
  ])
})
