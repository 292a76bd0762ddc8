/**
 * An OAuth connection brings nobody back who left: its `contact.upsert` makes their consent
 * `pending`, a mail asks them, and their no counts until they press its button.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { reachOf } from '../../../tests/support/businesses/business.ts'
import {
  confirmationScene,
  confirmPathIn,
  emailStatusOf,
  shownContact,
} from '../../../tests/support/businesses/confirmations.ts'
import {
  eventsOf,
  saveOne,
  someTopics,
  suppressAddress,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { newApiKey } from '../../../tests/support/clients/api-keys.ts'
import { type Caller, callerAs } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { contactImport } from '../contacts/import.ts'
import { contactMerge } from '../contacts/merge.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { newId } from '../core/ids.ts'
import { scopes } from '../core/operation.ts'
import { days, hours, later, minutes } from '../lib/time/clock.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const ago = (ms: number) => later(clock.now(), -ms).toISOString()
const no = { status: 'unsubscribed', source: 'phone call' }
/** What an assistant claims: the person's words, after they left. */
const claim = (more: object = {}) => ({
  status: 'subscribed',
  source: 'the customer told me',
  text: 'I want the newsletter again.',
  at: ago(minutes(1)),
  ...more,
})

interface Saved {
  contact_id: string
  stayed_unsubscribed?: string[]
  warnings?: string[]
}
let people = 0

/** A person who agreed and left two hours ago. */
async function scene() {
  const all = await confirmationScene({ db: database.db, clock })
  const email = `r${++people}@example.com`
  await someTopics(database.db, all.businessId, ['news', 'offers'])
  const upsert = (caller: Caller, consent: object) =>
    caller.get<Saved>(contactUpsert, { email, consent })
  await upsert(all.key, { email: claim() })
  clock.forward(hours(1))
  const { contact_id } = await upsert(all.key, { email: no })
  clock.forward(hours(2))
  const status = () => emailStatusOf(all.caller, contact_id)
  return { ...all, email, contact_id, upsert, status }
}

test('who left is pending after a connection’s call, is asked by mail, and is back with its button', async () => {
  const { businessId, caller, upsert, status, mail, mails, press, contact_id } = await scene()
  const answer = await upsert(caller, { email: claim() })
  assert.equal(answer.stayed_unsubscribed, undefined)
  assert.match(String(answer.warnings), /unsubscribed.*cannot take that back.*A mail asks them/)
  assert.equal(await status(), 'pending')
  await mail()
  const [asked, ...more] = await mails()
  assert.ok(asked)
  assert.deepEqual([asked.kind, more.length], ['transactional', 0])
  await press(confirmPathIn(asked), 'POST')
  assert.equal(await status(), 'subscribed')
  const [last] = (await shownContact(caller, contact_id)).consent.email.history
  assert.equal(last?.['source'], 'the customer told me')
  const returns = (await eventsOf(database.db, businessId)).filter(
    ({ type }) => type === 'contact.resubscribed',
  )
  assert.equal(returns.length, 1)
})

test('until they confirm, their no outlives every other claim, and nobody is asked a second time', async () => {
  const { businessId, caller, key, upsert, status, mail, mails, email } = await scene()
  await upsert(caller, { email: claim() })
  await mail()
  clock.forward(days(2))
  for (const consent of [claim(), claim({ topics: ['news'] })]) {
    assert.equal((await upsert(caller, { email: consent })).warnings?.length, 1)
  }
  const { text: _text, ...silent } = claim()
  for (const by of [caller, key]) {
    assert.deepEqual((await upsert(by, { email: silent })).stayed_unsubscribed, ['email'])
    const contacts = [{ email, consent: { email: claim() } }]
    const imported = await by.get<{ stayed_unsubscribed: number }>(contactImport(), { contacts })
    assert.equal(imported.stayed_unsubscribed, 1)
  }
  const ticked = { email: { status: 'subscribed', source: 'form frm_x' } } as const
  await saveOne(database.db, toSave(businessId, { email, consent: ticked }, { source: 'form' }))
  assert.equal(await status(), 'pending')
  assert.equal((await mails()).length, 1)
})

test('who does not confirm within thirty days is unsubscribed again', async () => {
  const { caller, upsert, status, wait } = await scene()
  await upsert(caller, { email: claim() })
  clock.forward(days(31))
  await wait()
  assert.equal(await status(), 'unsubscribed')
  const { text: _text, ...silent } = claim()
  assert.deepEqual((await upsert(caller, { email: silent })).stayed_unsubscribed, ['email'])
})

test('a merge with a subscribed contact keeps the no of a person who has not confirmed', async () => {
  const { caller, key, upsert, email, contact_id } = await scene()
  await upsert(caller, { email: claim() })
  const other = { email: `other-${email}`, consent: { email: claim() } }
  const { contact_id: kept } = await key.get<Saved>(contactUpsert, other)
  await key.get(contactMerge({ traces: [] }), { contact_id: kept, other_contact_id: contact_id })
  assert.equal(await emailStatusOf(caller, kept), 'unsubscribed')
})

test('a topic that was left stays so, and a mail asks about it alone', async () => {
  const { caller, key, upsert, mail, mails, press, contact_id } = await scene()
  await upsert(key, { email: claim({ topics: ['news', 'offers'] }) })
  clock.forward(hours(1))
  await upsert(key, { email: { ...no, topics: ['news'] } })
  clock.forward(hours(1))
  const answer = await upsert(caller, { email: claim({ topics: ['news', 'offers'] }) })
  assert.deepEqual([answer.stayed_unsubscribed, answer.warnings?.length], [['email'], 1])
  const topics = async () => (await shownContact(caller, contact_id)).topics.email
  assert.deepEqual(await topics(), { news: 'unsubscribed', offers: 'subscribed' })
  await mail()
  await press(confirmPathIn((await mails())[0] as never), 'POST')
  assert.deepEqual(await topics(), { news: 'subscribed', offers: 'subscribed' })
})

test('a connection brings back nobody to texts or to being tracked, whom no mail can ask', async () => {
  const { caller, key, upsert, mails, contact_id } = await scene()
  await key.get(contactUpsert, { email: `r${people}@example.com`, phone: '+33612345678' })
  for (const channel of ['sms', 'tracking']) {
    await upsert(key, { [channel]: claim() })
    clock.forward(hours(1))
    await upsert(key, { [channel]: no })
    clock.forward(hours(1))
    const answer = await upsert(caller, { [channel]: claim() })
    assert.deepEqual([answer.stayed_unsubscribed, answer.warnings], [[channel], undefined])
  }
  const { consent } = await shownContact(caller, contact_id)
  assert.partialDeepStrictEqual(consent, { sms: { status: 'unsubscribed' } })
  assert.deepEqual(await mails(), [])
})

test('an address that its person put on a list is asked too', async () => {
  const { businessId, caller, mail, mails } = await scene()
  const email = `listed${people}@example.com`
  await suppressAddress(database.db, businessId, email, 'unsubscribed')
  clock.forward(hours(1))
  const saved = await caller.get<Saved>(contactUpsert, { email, consent: { email: claim() } })
  assert.equal(saved.warnings?.length, 1)
  assert.equal(await emailStatusOf(caller, saved.contact_id), 'pending')
  await mail()
  assert.deepEqual(
    (await mails()).map(({ recipient }) => recipient),
    [email],
  )
})

test('two calls at once for one person ask once, and neither brings them back', async () => {
  const { caller, upsert, status, mail, mails } = await scene()
  const all = await Promise.all([1, 2, 3].map(() => upsert(caller, { email: claim() })))
  assert.ok(all.every(({ warnings }) => warnings?.length === 1))
  assert.equal(await status(), 'pending')
  await mail()
  assert.equal((await mails()).length, 1)
})

test('an API key and a person in the app bring people back by their later words', async () => {
  const byKey = await scene()
  await byKey.upsert(byKey.key, { email: claim() })
  assert.equal(await byKey.status(), 'subscribed')
  const inApp = await scene()
  const person = callerAs(
    { db: database.db, clock },
    {
      connectionId: null,
      userId: newId('user'),
      scopes: new Set(['audience:read', 'audience:write']),
      businesses: [reachOf(inApp.businessId)],
      signedInAt: clock.now(),
    },
  )
  await inApp.upsert(person, { email: claim() })
  assert.equal(await inApp.status(), 'subscribed')
})

test('a connection has twenty people a day asked, whom it never has asked later, and a key all', async () => {
  const mailsAskedBy = async (by: 'caller' | 'key') => {
    const { mail, mails, wait, ...all } = await scene()
    const { key } = await newApiKey(database.db, { businessId: all.businessId })
    const { id: connectionId, userId } = key
    const businesses = [reachOf(all.businessId)]
    const principal = { connectionId, userId, scopes: new Set(scopes), businesses }
    const parts = { db: database.db, clock }
    const caller = by === 'key' ? callerAs(parts, { ...principal, isApiKey: true }) : all.caller
    const consent = { email: { status: 'pending', source: 'the customer told me' } }
    const contacts = Array.from({ length: 25 }, (_, n) => ({
      email: `asked${n}-${all.email}`,
      consent,
    }))
    await caller.get(contactImport(), { contacts })
    const verdicts = await mail()
    assert.ok(verdicts.every((verdict) => verdict?.outcome === 'done'))
    const first = (await mails()).length
    clock.forward(days(4))
    await wait()
    return { first, withReminders: (await mails()).length }
  }
  assert.deepEqual(await mailsAskedBy('caller'), { first: 20, withReminders: 40 })
  assert.deepEqual(await mailsAskedBy('key'), { first: 25, withReminders: 50 })
})
