/** A person's no survives every later change, except the person's own word. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import {
  eventsOf,
  saveOne,
  someTopics,
  toSave,
} from '../../../../tests/support/businesses/contacts.ts'
import { assertEventFits } from '../../../../tests/support/businesses/event-schema.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { hours, later, minutes } from '../../lib/time/clock.ts'
import { contactErase } from '../erase.ts'
import { contactGet } from '../get.ts'
import { contactImport } from '../import.ts'
import { contactList } from '../list.ts'
import { contactMerge } from '../merge.ts'
import { contactSuppress } from '../suppressions/suppress.ts'
import { contactUpsert } from '../upsert.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const email = 'ana@example.com'
const no = { status: 'unsubscribed', source: 'phone call' }
const yes = { status: 'subscribed', source: 'old list', text: 'Send me news.' }
const ago = (ms: number) => later(clock.now(), -ms).toISOString()

async function scene(): Promise<{
  businessId: Id<'business'>
  /** An API key: whoever made it answers for what people are said to have agreed to. */
  caller: Caller
  /** The connection of an app, such as an assistant. */
  connection: Caller
  contact_id: string
}> {
  const businessId = await newBusiness(database.db)
  await someTopics(database.db, businessId, ['news', 'offers'])
  const caller = callerIn({ db: database.db, clock }, businessId, { isApiKey: true })
  const connection = callerIn({ db: database.db, clock }, businessId)
  await caller.get(contactUpsert, { email, consent: { email: { ...yes, at: ago(hours(48)) } } })
  clock.forward(hours(1))
  const { contact_id } = await caller.get<{ contact_id: string }>(contactUpsert, {
    email,
    consent: { email: no },
  })
  clock.forward(hours(1))
  return { businessId, caller, connection, contact_id }
}

interface Shown {
  topics: { email: Record<string, string> }
  consent: { email: { status: string; history: Record<string, unknown>[] } }
}
const look = (caller: Caller, contact_id: string) => caller.get<Shown>(contactGet, { contact_id })
const status = async (caller: Caller, id: string) => (await look(caller, id)).consent.email.status
const upsert = (caller: Caller, consent: object) =>
  caller.get<{ stayed_unsubscribed?: string[] }>(contactUpsert, {
    email,
    consent: { email: consent },
  })

test('leaving and returning are announced by channel and topic, with the person’s address', async () => {
  const { businessId, caller, contact_id } = await scene()
  await upsert(caller, { ...yes, at: ago(minutes(30)) })
  await upsert(caller, { ...no, topics: ['news'] })
  clock.forward(hours(1))
  await upsert(caller, { ...yes, topics: ['news'], at: ago(minutes(1)) })
  const events = await eventsOf(database.db, businessId)
  const told = events.filter(({ type }) => type.endsWith('subscribed'))
  const data = { contact_id, email, phone: null, channel: 'email', source: 'api' }
  assert.deepEqual(
    told.map((event) => [event.type, event.data]),
    [
      ['contact.unsubscribed', { ...data, topic: null }],
      ['contact.resubscribed', { ...data, topic: null }],
      ['contact.unsubscribed', { ...data, topic: 'news' }],
      ['contact.resubscribed', { ...data, topic: 'news' }],
    ],
  )
  for (const event of told) assertEventFits(event)
})

test('an unsubscription survives an import, whatever consent its rows give', async () => {
  const { caller, contact_id } = await scene()
  for (const consent of [yes, { ...yes, at: ago(minutes(1)) }, { ...yes, at: ago(hours(47)) }]) {
    const contacts = [{ email, name: 'Ana', consent: { email: consent } }]
    const answer = await caller.get<{ stayed_unsubscribed: number }>(contactImport(), { contacts })
    assert.equal(answer.stayed_unsubscribed, 1)
  }
  assert.equal(await status(caller, contact_id), 'unsubscribed')
})

test('an unsubscription survives an upsert, unless it has the person’s words and a later time', async () => {
  const { caller, contact_id } = await scene()
  const { text: _text, ...silent } = yes
  const tries = [
    yes,
    { ...silent, at: ago(minutes(1)) },
    { ...yes, text: '', at: ago(minutes(1)) },
    { ...yes, at: ago(hours(1)) },
    { ...yes, at: ago(hours(30)) },
    { ...yes, at: ago(-hours(1)) },
  ]
  for (const consent of tries) {
    const { stayed_unsubscribed } = await upsert(caller, consent)
    assert.deepEqual(stayed_unsubscribed, ['email'], JSON.stringify(consent))
  }
  assert.equal(await status(caller, contact_id), 'unsubscribed')
  const back = await upsert(caller, { ...yes, at: ago(minutes(30)), basis: 'consent' })
  assert.equal(back.stayed_unsubscribed, undefined)
  const { consent } = await look(caller, contact_id)
  assert.equal(consent.email.status, 'subscribed')
  const [last] = consent.email.history
  assert.deepEqual(
    [last?.['basis'], last?.['said_at'], last?.['text']],
    ['consent', ago(minutes(30)), yes.text],
  )
})

test('when one import contains both, an unsubscription wins over a subscription', async () => {
  const { caller, contact_id } = await scene()
  await upsert(caller, { ...yes, at: ago(minutes(30)) })
  const asked = { ...yes, at: clock.now().toISOString() }
  const contacts = [no, asked].map((consent) => ({ email, consent: { email: consent } }))
  await caller.get(contactImport(), { contacts })
  assert.equal(await status(caller, contact_id), 'unsubscribed')
  const same = await upsert(caller, asked)
  assert.deepEqual(same.stayed_unsubscribed, ['email'])
})

test('an unsubscription from a topic survives under the same rule', async () => {
  const { caller, contact_id } = await scene()
  await upsert(caller, { ...yes, at: ago(minutes(30)) })
  await upsert(caller, { ...no, topics: ['news'] })
  clock.forward(hours(1))
  const both = { ...yes, topics: ['news', 'offers'] }
  assert.deepEqual((await upsert(caller, both)).stayed_unsubscribed, ['email'])
  const { topics } = await look(caller, contact_id)
  assert.deepEqual(topics.email, { news: 'unsubscribed', offers: 'subscribed' })
  await upsert(caller, { ...both, at: ago(minutes(1)) })
  const later = await look(caller, contact_id)
  assert.deepEqual(later.topics.email, { news: 'subscribed', offers: 'subscribed' })
})

test('an unsubscription survives a form submission: the person is sent a confirmation mail', async () => {
  const { businessId, caller, contact_id } = await scene()
  const consent = { email: { status: 'subscribed', source: 'form frm_x', text: 'Yes' } } as const
  await saveOne(database.db, toSave(businessId, { email, consent }, { source: 'form' }))
  assert.equal(await status(caller, contact_id), 'unsubscribed')
  const asked = await database.db.all(sql`
    select address from confirmations where business_id = ${businessId}
  `)
  assert.deepEqual(asked, [{ address: email }])
})

test('an unsubscription survives a merge, whichever contact it belonged to', async () => {
  for (const isKept of [true, false]) {
    const { caller, contact_id } = await scene()
    const other = await caller.get<{ contact_id: string }>(contactUpsert, {
      phone: '+33612345678',
    })
    await caller.get(contactUpsert, { phone: '+33612345678', email: 'ana@b.example' })
    await caller.get(contactUpsert, { email: 'ana@b.example', consent: { email: yes } })
    const [kept, merged] = isKept ? [contact_id, other.contact_id] : [other.contact_id, contact_id]
    await caller.get(contactMerge({ traces: [] }), { contact_id: kept, other_contact_id: merged })
    assert.equal(await status(caller, kept), 'unsubscribed')
  }
})

test('a suppressed contact stays suppressed, whatever consent an import or an upsert gives', async () => {
  const { caller, contact_id } = await scene()
  await caller.get(contactSuppress, { contact_id })
  await upsert(caller, { ...yes, at: ago(minutes(1)) })
  await caller.get(contactImport(), { contacts: [{ email, consent: { email: yes } }] })
  const filter = { reachable: 'email' }
  const { contacts } = await caller.get<{ contacts: object[] }>(contactList, { filter })
  assert.deepEqual(contacts, [])
})

test('an erased person is not brought back by an import or an upsert, nor sent a confirmation', async () => {
  const { businessId, caller, contact_id } = await scene()
  await caller.get(contactErase, { contact_id })
  const said = { email: { ...yes, at: ago(minutes(1)) } }
  assert.equal((await caller.refused(contactUpsert, { email, consent: said })).code, 'conflict')
  const pending = { email: { status: 'pending', source: 'old list' } }
  assert.equal((await caller.refused(contactUpsert, { email, consent: pending })).code, 'conflict')
  const contacts = [{ email, consent: said }]
  const answer = await caller.get<{ refused: number }>(contactImport(), { contacts })
  assert.equal(answer.refused, 1)
  const asked = await database.db.all(sql`
    select id from confirmations where business_id = ${businessId}
  `)
  assert.deepEqual(asked, [])
})
