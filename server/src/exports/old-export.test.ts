/** Importing an export from before a person's no brings nobody back. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  contactsOf,
  saveAll,
  someTopics,
  suppressAddress,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { type ImportDesk, importDesk } from '../../../tests/support/businesses/imports.ts'
import { callerIn, testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { stopTexts } from '../contacts/consent/text-consent.ts'
import type { ConsentGiven, Person } from '../contacts/contact.ts'
import { contactErase } from '../contacts/erase.ts'
import { contactList } from '../contacts/list.ts'
import { contactMerge } from '../contacts/merge.ts'
import { contactSuppress } from '../contacts/suppressions/suppress.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { hours } from '../lib/time/clock.ts'
import { contactsCsv } from './contacts-csv.ts'

const clock = new ManualClock()
let database: TestDatabase
let desk: ImportDesk
before(async () => {
  database = await testDatabase()
  desk = await importDesk({ db: database.db, clock })
})
after(async () => {
  await desk.close()
  await database.drop()
})

const yes: ConsentGiven = { status: 'subscribed', source: 'a form', text: 'Send me news.' }
const no: ConsentGiven = { status: 'unsubscribed', source: 'a link' }
const names = ['all', 'topic', 'tracked', 'texts', 'erased', 'held', 'merged', 'fine'] as const
const emailOf = (name: string) => `${name}@example.com`
const phoneOf = (n: number) => `+3361234567${n}`

async function scene() {
  const { db } = database
  const id = await newBusiness(db)
  await someTopics(db, id, ['news', 'offers'])
  const caller = desk.in(id).caller
  const consent = {
    email: { ...yes, topics: ['news', 'offers'] },
    sms: yes,
    tracking: yes,
  }
  const people = names.map((name, n) => ({ email: emailOf(name), phone: phoneOf(n), consent }))
  const save = async (person: Person) => {
    const [saved] = await saveAll(db, [toSave(id, person)])
    assert.ok(saved && !isRefusal(saved))
    return formatId('contact', saved.id)
  }
  const ids = new Map<string, string>()
  for (const person of people) ids.set(person.email, await save(person))
  let csv = ''
  for await (const piece of contactsCsv({ db, hmac: testVault.hmac }, id, sql`true`)) csv += piece
  clock.forward(hours(1))
  await save({ email: emailOf('all'), consent: { email: no, sms: no } })
  await save({ email: emailOf('topic'), consent: { email: { ...no, topics: ['news'] } } })
  await save({ email: emailOf('tracked'), consent: { tracking: no } })
  const evidence = { source: 'STOP', text: 'STOP' }
  const texted = { businessId: id, phone: phoneOf(3), evidence }
  await db.tx((tx) => stopTexts(tx, testVault.hmac, texted, clock.now()))
  await caller.get(contactErase, { contact_id: ids.get(emailOf('erased')) })
  await caller.get(contactSuppress, { contact_id: ids.get(emailOf('held')) })
  const gone = await save({ email: 'twin@example.com', consent: { email: no } })
  const contact_id = ids.get(emailOf('merged'))
  const traces = { traces: [] }
  const key = callerIn({ db, clock }, id, { isApiKey: true })
  await key.get(contactMerge(traces), { contact_id, other_contact_id: gone })
  const seen = async () =>
    (await contactsOf(db, id)).map(({ email, consent: now, topics }) => ({ email, now, topics }))
  const reached = async (channel: 'email' | 'sms') =>
    (
      await caller.get<{ contacts: { email: string }[] }>(contactList, {
        filter: { reachable: channel },
      })
    ).contacts
      .map(({ email }) => email)
      .toSorted()
  return { id, csv, seen, reached }
}

for (const mode of ['update', 'only_new', 'fill_blanks']) {
  test(`an old export that is imported again brings nobody back (${mode})`, async () => {
    const { id, csv, seen, reached } = await scene()
    const before = await seen()
    const who = { email: await reached('email'), sms: await reached('sms') }
    assert.deepEqual(who.email, ['fine', 'texts', 'topic', 'tracked'].map(emailOf).toSorted())
    assert.deepEqual(who.sms, ['fine', 'merged', 'topic', 'tracked'].map(emailOf).toSorted())
    clock.forward(hours(1))
    const agreed = { source: 'an old export', text: 'They agreed.' }
    const consent = { email: agreed, sms: agreed }
    const done = await desk.in(id).take(csv, { mode, consent })
    assert.deepEqual([done.result?.['created'], done.result?.['refused']], [0, 1], 'erased')
    assert.deepEqual(await seen(), before)
    assert.deepEqual({ email: await reached('email'), sms: await reached('sms') }, who)
  })
}

test('nor does it where their contacts were deleted meanwhile, and only what they said is kept', async () => {
  const { id, csv, reached } = await scene()
  // The state that retention leaves: suppressed addresses are held only as hashes.
  await database.db.run(sql`delete from contacts where business_id = ${id}`)
  await suppressAddress(database.db, id, emailOf('all'), 'unsubscribed')
  const agreed = { source: 'an old export', text: 'They agreed.' }
  await desk.in(id).take(csv, { consent: { email: agreed } })
  assert.deepEqual(
    await reached('email'),
    ['fine', 'merged', 'texts', 'topic', 'tracked'].map(emailOf).toSorted(),
  )
})
