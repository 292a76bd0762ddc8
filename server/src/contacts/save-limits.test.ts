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
  suppressAddress,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'
import type { Person, SavedContact } from './contact.ts'

let database: TestDatabase
let db: Database

before(async () => {
  database = await testDatabase()
  db = database.db
})
after(() => database.drop())

/** A business that can add `n` contacts before it reaches its limit of 500. */
async function withRoomFor(n: number): Promise<Id<'business'>> {
  const businessId = await newBusiness(db, 'free')
  await db.run(sql`
    insert into usage_standing (business_id, metric, amount)
    values (${businessId}, 'contacts', ${500 - n})
  `)
  return businessId
}

function saveFree(businessId: Id<'business'>, people: Person[]) {
  return saveAll(
    db,
    people.map((person) => toSave(businessId, person, { tier: 'free' })),
  )
}

const brief = (entry: SavedContact | Refusal) => (isRefusal(entry) ? entry.code : entry.change)
const named = (name: string) => ({ email: `${name}@example.com` })

test('a contact beyond the limit is refused with the tier that has room, and leaves no rows', async () => {
  const businessId = await withRoomFor(2)
  const consent = { email: { status: 'subscribed', source: 'list' } } as const
  const people = ['a', 'b', 'c', 'd'].map((name) => ({ ...named(name), consent }))
  const outcomes = await saveFree(businessId, people)
  assert.deepEqual(outcomes.map(brief), ['created', 'created', 'tier_required', 'tier_required'])
  const refusal = outcomes[2]
  assert.ok(isRefusal(refusal))
  assert.equal(refusal.details.data?.['tier'], 'growth')
  assert.deepEqual(
    (await contactsOf(db, businessId)).map(({ email }) => email),
    ['a@example.com', 'b@example.com'],
  )
  assert.equal((await consentsOf(db, businessId)).length, 2)
  const announced = (await eventsOf(db, businessId)).map(({ type }) => type)
  assert.equal(announced.filter((type) => type === 'contact.created').length, 2)
  assert.equal(await contactsCounted(db, businessId), 500)
})

test('a business at its limit can still change its existing contacts', async () => {
  const businessId = await withRoomFor(1)
  const outcomes = await saveFree(businessId, [
    named('a'),
    named('b'),
    { ...named('a'), name: 'Ana' },
    { ...named('b'), name: 'Bo' },
  ])
  assert.deepEqual(outcomes.map(brief), ['created', 'tier_required', 'updated', 'tier_required'])
  assert.deepEqual((await saveFree(businessId, [named('a')])).map(brief), ['unchanged'])
})

test('a contact refused by the limit causes no conflict for later rows', async () => {
  const businessId = await withRoomFor(1)
  const phone = '+33612345678'
  await saveFree(businessId, [named('stored')])
  const outcomes = await saveFree(businessId, [
    { ...named('a'), phone },
    { ...named('b'), phone },
    { phone },
    { ...named('stored'), phone },
  ])
  assert.deepEqual(outcomes.map(brief), [
    'tier_required',
    'tier_required',
    'tier_required',
    'updated',
  ])
})

test('the limit of one business does not affect another business in the same save', async () => {
  const full = await withRoomFor(0)
  const roomy = await newBusiness(db)
  const outcomes = await saveAll(db, [
    toSave(full, named('a'), { tier: 'free' }),
    toSave(roomy, named('a')),
  ])
  assert.deepEqual(outcomes.map(brief), ['tier_required', 'created'])
})

test('an erased person is refused by either address, and the other contacts of the save are saved', async () => {
  const businessId = await newBusiness(db)
  const phone = '+33612345678'
  await saveOne(db, toSave(businessId, { ...named('gone'), phone }))
  await saveOne(db, toSave(businessId, named('stays')))
  await suppressAddress(db, businessId, 'gone@example.com')
  await suppressAddress(db, businessId, phone)
  const before = await contactsOf(db, businessId)
  const counted = await contactsCounted(db, businessId)
  const outcomes = await saveAll(
    db,
    [
      named('gone'),
      { phone },
      { ...named('gone'), phone },
      { ...named('new'), phone },
      { ...named('stays'), phone, name: 'With it' },
      named('beside'),
      { ...named('stays'), name: 'Stays' },
    ].map((person) => toSave(businessId, person, { source: 'import' })),
  )
  assert.deepEqual(
    outcomes.map((outcome) => (isRefusal(outcome) ? outcome.details.field : outcome.change)),
    ['email', 'phone', 'email', 'phone', 'phone', 'created', 'updated'],
  )
  for (const one of outcomes) {
    if (isRefusal(one))
      assert.deepEqual([one.code, one.details.data], ['conflict', { reason: 'erased' }])
  }
  const rows = await contactsOf(db, businessId)
  assert.deepEqual(
    rows.map(({ email, phone: number, name }) => [email, number, name]),
    [
      [before[0]?.email, null, 'Stays'],
      ['beside@example.com', null, null],
    ],
  )
  assert.equal(await contactsCounted(db, businessId), counted + 1)
})

test('a contact cannot be given the address of an erased person', async () => {
  const businessId = await newBusiness(db)
  const phone = '+33612345678'
  await saveOne(db, toSave(businessId, named('stays')))
  await suppressAddress(db, businessId, phone)
  const outcome = await saveOne(db, toSave(businessId, { ...named('stays'), phone, name: 'X' }))
  assert.ok(isRefusal(outcome))
  assert.equal(outcome.details.field, 'phone')
  const [row] = await contactsOf(db, businessId)
  assert.deepEqual([row?.phone, row?.name], [null, null])
})

test('an erasure in one business does not affect another business', async () => {
  const [one, other] = [await newBusiness(db), await newBusiness(db)]
  await suppressAddress(db, one, 'gone@example.com')
  assert.equal(brief(await saveOne(db, toSave(other, named('gone')))), 'created')
})

test('an address suppressed for another reason can still have a contact', async () => {
  const businessId = await newBusiness(db)
  await suppressAddress(db, businessId, 'bounced@example.com', 'bounce')
  assert.equal(brief(await saveOne(db, toSave(businessId, named('bounced')))), 'created')
})
