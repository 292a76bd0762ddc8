/** A person who said no or was erased returns only through a form that they confirm. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  confirmationScene,
  confirmPathIn,
  shownContact,
} from '../../../tests/support/businesses/confirmations.ts'
import { someTopics, suppressAddress } from '../../../tests/support/businesses/contacts.ts'
import { emailField, publishedForm } from '../../../tests/support/businesses/forms.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { contactErase, contactJobs } from '../contacts/erase.ts'
import { contactImport } from '../contacts/import.ts'
import { contactList } from '../contacts/list.ts'
import { contactUpsert } from '../contacts/upsert.ts'
import { sql } from '../lib/db/db.ts'
import type { Job } from '../lib/jobs/job.ts'
import { days, seconds } from '../lib/time/clock.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const news = { key: 'news', label: 'Send me news.', type: 'consent' }
const name = { key: 'name', label: 'Name', type: 'text' }
let people = 0

async function erasedPerson(form: object = {}, topics: string[] = []) {
  const all = await confirmationScene({ db: database.db, clock })
  const { caller, visitor, businessId } = all
  await someTopics(database.db, businessId, topics)
  const form_id = await publishedForm(caller, [name, news], form)
  const email = `r${++people}@example.com`
  const { contact_id } = await caller.get<{ contact_id: string }>(contactUpsert, { email })
  await caller.get(contactErase, { contact_id })
  const rows = (table: string) =>
    database.db.all<Record<string, unknown>>({
      name: '',
      text: `select * from ${table} where business_id = $1`,
      values: [businessId],
    })
  return {
    ...all,
    email,
    rows,
    contacts: async () =>
      (await caller.get<{ contacts: { contact_id: string }[] }>(contactList, {})).contacts,
    isErased: async () => (await rows('suppressions')).some(({ reason }) => reason === 'erased'),
    async fillIn(values: Record<string, string>) {
      const page = await visitor.get(`/f/${form_id}`)
      clock.forward(seconds(30))
      return visitor.submit(page, values)
    },
  }
}

for (const double_opt_in of [true, false]) {
  const which = double_opt_in ? 'with' : 'without'
  test(`an erased person who confirms returns through a form ${which} double opt-in`, async () => {
    const { email, fillIn, mail, mails, serviceMails, press, caller, contacts, isErased, rows } =
      await erasedPerson({ double_opt_in })
    await fillIn({ email, name: 'Ana', news: 'true' })
    assert.deepEqual([await contacts(), await isErased()], [[], true])
    await mail()
    const [asked] = serviceMails
    assert.ok(asked)
    assert.deepEqual([serviceMails.length, (await mails()).length, asked.to], [1, 0, email])
    const path = confirmPathIn(asked)
    for (let n = 0; n < 2; n++) assert.equal((await press(path, 'GET')).status, 200)
    assert.deepEqual([await contacts(), await isErased()], [[], true], 'a scanner confirms nothing')
    for (let n = 0; n < 2; n++) assert.equal((await press(path, 'POST')).status, 200)
    const [back, ...more] = await contacts()
    assert.ok(back)
    assert.deepEqual([more.length, await isErased()], [0, false])
    const { consent } = await shownContact(caller, back.contact_id)
    assert.equal(consent.email.status, 'subscribed')
    const [row] = consent.email.history
    assert.deepEqual([row?.['text'], row?.['ip']], ['Send me news.', '127.0.0.1'])
    const audit = (await rows('audit_entries')).map(({ action }) => action)
    assert.ok(audit.includes('contact.return'))
    // They can be erased again like anybody else.
    await caller.get(contactErase, { contact_id: back.contact_id })
    assert.deepEqual([await isErased(), await rows('confirmations')], [true, []])
  })
}

test('typing an erased person’s address into a form restores no contact and leaves no lasting trace', async () => {
  const { email, fillIn, mail, wait, serviceMails, contacts, isErased, rows } = await erasedPerson()
  for (let n = 0; n < 3; n++) await fillIn({ email, name: 'Ana', news: 'true' })
  const kept = await rows('confirmations')
  assert.deepEqual([kept.length, kept[0]?.['address']], [1, email])
  assert.doesNotMatch(JSON.stringify(kept), /Ana/)
  assert.deepEqual(await rows('submissions'), [])
  await mail()
  assert.equal(serviceMails.length, 1, 'one a day')
  clock.forward(days(3))
  await wait()
  assert.equal(serviceMails.length, 1, 'and no reminder')
  clock.forward(days(27))
  await wait()
  assert.deepEqual([await rows('confirmations'), await contacts()], [[], []])
  assert.equal(await isErased(), true)
})

test('an old confirmation link restores no contact after thirty days', async () => {
  const { email, fillIn, mail, serviceMails, press, contacts, isErased } = await erasedPerson()
  await fillIn({ email, name: 'Ana', news: 'true' })
  await mail()
  clock.forward(days(30))
  assert.equal((await press(confirmPathIn(serviceMails[0] as never), 'POST')).status, 410)
  assert.deepEqual([await contacts(), await isErased()], [[], true])
})

test('a form submitted without consent sends an erased person nothing', async () => {
  const { email, fillIn, rows } = await erasedPerson()
  await fillIn({ email, name: 'Ana' })
  assert.deepEqual(await rows('confirmations'), [])
})

test('an erased person stays erased despite calls and imports of an old export', async () => {
  const { email, caller, rows, contacts, isErased } = await erasedPerson()
  for (const status of ['subscribed', 'pending']) {
    const consent = { email: { status, source: 'old export', text: 'Yes' } }
    assert.equal((await caller.refused(contactUpsert, { email, consent })).code, 'conflict')
    await caller.get(contactImport(), { contacts: [{ email, consent }] })
  }
  assert.deepEqual([await rows('confirmations'), await contacts()], [[], []])
  assert.equal(await isErased(), true)
})

test('what an old export says of a person from before the erasure does not come back with them', async () => {
  const topics = ['offers', 'workshops']
  const about = { key: 'about', label: 'About', type: 'topics', options: topics }
  const { email, fillIn, mail, serviceMails, press, caller, key, contacts } = await erasedPerson(
    { fields: [emailField, news, about] },
    topics,
  )
  await fillIn({ email, news: 'true', about: 'workshops' })
  await mail()
  await press(confirmPathIn(serviceMails[0] as never), 'POST')
  const [back] = await contacts()
  const shown = () => shownContact(caller, back?.contact_id ?? '')
  const chosen = async () => (await shown()).topics.email
  assert.deepEqual(await chosen(), { workshops: 'subscribed' })
  const old = { status: 'subscribed', source: 'old export', text: 'Yes' }
  const before = new Date(clock.now().getTime() - days(300)).toISOString()
  for (const at of [undefined, before]) {
    const said = { ...old, ...(at && { at }) }
    const consent = { email: { ...said, topics: ['offers'] }, tracking: said }
    const told = await caller.get<{ stayed_unsubscribed: number }>(contactImport(), {
      contacts: [{ email, consent }],
    })
    assert.equal(told.stayed_unsubscribed, 1)
    const upserted = await caller.get<{ stayed_unsubscribed: string[] }>(contactUpsert, {
      email,
      consent,
    })
    assert.deepEqual(upserted.stayed_unsubscribed, ['email', 'tracking'])
  }
  assert.deepEqual(await chosen(), { workshops: 'subscribed' })
  // What the person chooses after their return counts.
  clock.forward(seconds(60))
  const at = clock.now().toISOString()
  await key.get(contactUpsert, { email, consent: { email: { ...old, at, topics: ['offers'] } } })
  assert.deepEqual(await chosen(), { offers: 'subscribed', workshops: 'subscribed' })
})

test('when the business is at its contact limit, the hash stays and the person can confirm later', async () => {
  const { email, businessId, fillIn, mail, serviceMails, press, contacts, isErased } =
    await erasedPerson()
  await fillIn({ email, name: 'Ana', news: 'true' })
  await mail()
  const path = confirmPathIn(serviceMails[0] as never)
  await database.db.run(sql`update businesses set tier = 'free' where id = ${businessId}`)
  await database.db.run(sql`
    insert into usage_standing (business_id, metric, amount) values (${businessId}, 'contacts', 1000000)
    on conflict (business_id, metric) do update set amount = excluded.amount
  `)
  assert.equal((await press(path, 'POST')).status, 410)
  assert.deepEqual([await contacts(), await isErased()], [[], true])
  await database.db.run(sql`
    update usage_standing set amount = 0 where business_id = ${businessId}
  `)
  assert.equal((await press(path, 'POST')).status, 200)
  assert.equal((await contacts()).length, 1)
})

test('an erasure job that is still running does not delete a person who has returned', async () => {
  const { email, businessId, fillIn, mail, serviceMails, press, contacts } = await erasedPerson()
  await fillIn({ email, name: 'Ana', news: 'true' })
  await mail()
  await press(confirmPathIn(serviceMails[0] as never), 'POST')
  const [forget] = await database.db.all<{ payload: object; kind: string }>(sql`
    select payload, kind from jobs
    where kind = 'contact.forget' and payload ->> 'businessId' = ${businessId}
  `)
  assert.ok(forget)
  const jobs = contactJobs({ db: database.db, clock, traces: [] })
  await jobs[forget.kind]?.run({ payload: forget.payload } as Job, new AbortController().signal)
  assert.equal((await contacts()).length, 1)
})

test('a bounced address is asked in the service’s name and, once confirmed, is mailed again', async () => {
  const all = await confirmationScene({ db: database.db, clock })
  const { caller, visitor, businessId, mail, mails, serviceMails, press } = all
  const form_id = await publishedForm(caller, [news])
  const email = `r${++people}@example.com`
  await caller.get(contactUpsert, { email })
  await suppressAddress(database.db, businessId, email, 'bounce')
  const pending = { email: { status: 'pending', source: 'a call' } }
  await caller.get(contactUpsert, { email, consent: pending })
  await mail()
  assert.equal(serviceMails.length, 0, 'a call alone asks nobody whose mail bounces')
  clock.forward(days(1))
  const page = await visitor.get(`/f/${form_id}`)
  clock.forward(seconds(30))
  await visitor.submit(page, { email, news: 'true' })
  await mail()
  assert.deepEqual([serviceMails.length, (await mails()).length], [1, 0])
  await press(confirmPathIn(serviceMails[0] as never), 'POST')
  const left = await database.db.all(sql`
    select reason from suppressions where business_id = ${businessId}
  `)
  assert.deepEqual(left, [])
})
