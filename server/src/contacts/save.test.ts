import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  consentsOf,
  contactsCounted,
  contactsOf,
  eventsOf,
  saveAll,
  saveOne,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { assertEventFits } from '../../../tests/support/businesses/event-schema.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { refused } from '../../../tests/support/refused.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Database } from '../lib/db/types.ts'
import type { Person, SavedContact } from './contact.ts'

let database: TestDatabase
let db: Database
let businessId: Id<'business'>

before(async () => {
  database = await testDatabase()
  db = database.db
})
after(() => database.drop())

/** Each test has its own business. */
async function saver() {
  businessId = await newBusiness(db)
  return (person: Person) => saveOne(db, toSave(businessId, person))
}

function fine(outcome: SavedContact | Refusal | undefined): SavedContact {
  assert.ok(outcome && !isRefusal(outcome))
  return outcome
}

const email = 'ana@example.com'
const phone = '+33612345678'

test('saving the same person twice gives one contact, announced once', async () => {
  const save = await saver()
  const person = {
    email,
    name: 'Ana',
    attributes: { plan: 'pro', seats: 3 },
    tags: ['b', 'a'],
    consent: { email: { status: 'subscribed', source: 'checkout', text: 'Yes.' } },
  } as const
  const first = fine(await save(person))
  const before = await contactsOf(db, businessId)
  const second = fine(await save(person))
  assert.deepEqual([first.change, second.change], ['created', 'unchanged'])
  assert.equal(second.id, first.id)
  assert.deepEqual(await contactsOf(db, businessId), before)
  assert.equal((await eventsOf(db, businessId)).length, 1)
  assert.equal((await consentsOf(db, businessId)).length, 1)
  assert.equal(await contactsCounted(db, businessId), 1)
})

test('the announced contact equals the stored one, and the event fits the catalogue', async () => {
  const save = await saver()
  const { id } = fine(await save({ email, name: 'Ana', language: 'fr', tags: ['b', 'a'] }))
  fine(await save({ email, phone, language: 'de-AT', attributes: { seats: 3 } }))
  const [created, updated] = await eventsOf(db, businessId)
  assert.ok(created && updated)
  for (const event of [created, updated]) assertEventFits(event)
  assert.equal(created.type, 'contact.created')
  assert.equal(updated.type, 'contact.updated')
  assert.deepEqual(updated.data, {
    contact_id: formatId('contact', id),
    email,
    phone,
    external_id: null,
    name: 'Ana',
    first_name: null,
    last_name: null,
    language: 'de-AT',
    attributes: { seats: 3 },
    tags: ['a', 'b'],
    consent: { email: 'none', sms: 'none', tracking: 'none' },
    topics: { email: {}, sms: {} },
    source: 'api',
    changed: ['phone', 'language', 'attributes.seats'],
    consent_given: [],
    tags_added: [],
  })
})

test('a contact is found by its email, and by its number where no email is given', async () => {
  const save = await saver()
  const { id } = fine(await save({ email, phone }))
  assert.equal(fine(await save({ email, name: 'A' })).id, id)
  assert.equal(fine(await save({ phone, name: 'B' })).id, id)
  assert.equal(fine(await save({ email, phone, name: 'C' })).id, id)
  assert.equal((await contactsOf(db, businessId)).length, 1)
})

test('a contact found by its number gets the email of the same call', async () => {
  const save = await saver()
  const { id } = fine(await save({ phone }))
  assert.deepEqual(fine(await save({ email, phone })), { id, change: 'updated' })
  assert.equal(fine(await save({ email })).id, id)
})

test('a contact found by its email gets the new number of the same call', async () => {
  const save = await saver()
  const { id } = fine(await save({ email, phone }))
  assert.equal(fine(await save({ email, phone: '+33698765432' })).change, 'updated')
  const another = fine(await save({ phone }))
  assert.equal(another.change, 'created')
  assert.notEqual(another.id, id)
})

test('the email of one contact with the number of another is a conflict that names both', async () => {
  const save = await saver()
  const one = fine(await save({ email }))
  const other = fine(await save({ phone }))
  const refusal = refused(await save({ email, phone, name: 'Neither' }))
  assert.equal(refusal.code, 'conflict')
  assert.equal(refusal.details.field, 'phone')
  assert.deepEqual(
    refusal.details.data?.['contact_ids'],
    [one, other].map(({ id }) => formatId('contact', id)),
  )
  assert.ok((await contactsOf(db, businessId)).every(({ name }) => name === null))
})

test('the number of a contact with another email is a conflict that names that contact', async () => {
  const save = await saver()
  const { id } = fine(await save({ email, phone }))
  const refusal = refused(await save({ email: 'other@example.com', phone }))
  assert.equal(refusal.code, 'conflict')
  assert.deepEqual(refusal.details.data?.['contact_ids'], [formatId('contact', id)])
  assert.equal((await contactsOf(db, businessId)).length, 1)
})

test('two businesses never share a contact', async () => {
  const save = await saver()
  const { id } = fine(await save({ email, phone, name: 'Ana' }))
  const other = await newBusiness(db)
  const there = fine(await saveOne(db, toSave(other, { email, phone })))
  assert.equal(there.change, 'created')
  assert.notEqual(there.id, id)
  const both = [toSave(other, { email, name: 'X' }), toSave(businessId, { email, name: 'Y' })]
  assert.deepEqual(
    (await saveAll(db, both)).map((entry) => fine(entry).id),
    [there.id, id],
  )
  assert.equal((await contactsOf(db, businessId))[0]?.name, 'Y')
  assert.equal((await contactsOf(db, other))[0]?.name, 'X')
})

test('within one save, each row sees the results of the rows before it', async () => {
  await saver()
  const people: Person[] = [
    { email, name: 'Ana' },
    { email, phone },
    { phone, tags: ['x'] },
    { email, name: 'Ana' },
    { email: 'bo@example.com', phone },
    { email, phone: '+33698765432' },
    { email: 'bo@example.com', phone },
  ]
  const outcomes = await saveAll(
    db,
    people.map((person) => toSave(businessId, person)),
  )
  assert.deepEqual(
    outcomes.map((outcome) => (isRefusal(outcome) ? outcome.code : outcome.change)),
    ['created', 'updated', 'updated', 'unchanged', 'conflict', 'updated', 'created'],
  )
  assert.deepEqual(
    (await eventsOf(db, businessId)).map(({ type, data }) => [type, data['changed']]),
    [
      ['contact.created', undefined],
      ['contact.updated', ['phone']],
      ['contact.updated', ['tags']],
      ['contact.updated', ['phone']],
      ['contact.created', undefined],
    ],
  )
  const rows = await contactsOf(db, businessId)
  assert.deepEqual(
    rows.map((row) => [row.email, row.phone, row.name, row.tags]),
    [
      [email, '+33698765432', 'Ana', ['x']],
      ['bo@example.com', phone, null, []],
    ],
  )
  assert.equal(await contactsCounted(db, businessId), 2)
})

test('stored contacts can pass a number on to each other within one save', async () => {
  const save = await saver()
  const one = fine(await save({ email, phone }))
  const two = fine(await save({ email: 'bo@example.com', phone: '+33698765432' }))
  const outcomes = await saveAll(
    db,
    [
      { email, phone: '+33611111111' },
      { email: 'bo@example.com', phone },
      { email: 'cy@example.com', phone: '+33698765432' },
    ].map((person) => toSave(businessId, person)),
  )
  assert.deepEqual(
    outcomes.map((outcome) => fine(outcome).change),
    ['updated', 'updated', 'created'],
  )
  assert.deepEqual(
    (await contactsOf(db, businessId)).map((row) => [
      row.id === one.id,
      row.id === two.id,
      row.phone,
    ]),
    [
      [true, false, '+33611111111'],
      [false, true, phone],
      [false, false, '+33698765432'],
    ],
  )
})

test('an invalid row does not affect the other rows of its save, and leaves no data', async () => {
  await saver()
  const consent = { sms: { status: 'subscribed', source: 'counter' } } as const
  const outcomes = await saveAll(
    db,
    [{ email }, { email: 'bo@example.com', consent }, { email: 'cy@example.com' }].map((person) =>
      toSave(businessId, person),
    ),
  )
  assert.deepEqual(
    outcomes.map((outcome) => (isRefusal(outcome) ? outcome.details.field : outcome.change)),
    ['created', 'consent.sms', 'created'],
  )
  assert.equal((await contactsOf(db, businessId)).length, 2)
  assert.equal((await eventsOf(db, businessId)).length, 2)
  assert.equal(await contactsCounted(db, businessId), 2)
})

test('tags and attributes with special characters are returned unchanged', async () => {
  const save = await saver()
  const tags = ['a "b"', 'back\\slash', 'com,ma', '{brace}', 'null', 'été', '😀'].toSorted()
  const attributes = { 'a "b"': 'x\\y"z', null: 'null', n: -1.5e-7, yes: true, '😀': '{}' }
  fine(await save({ email, tags, attributes }))
  fine(await save({ email, name: 'again' }))
  const [row] = await contactsOf(db, businessId)
  assert.deepEqual(row?.tags, tags)
  assert.deepEqual(row?.attributes, attributes)
})
