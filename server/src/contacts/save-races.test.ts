import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  contactsCounted,
  contactsOf,
  eventsOf,
  saveOne,
  suppressAddress,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { someoneWaits } from '../../../tests/support/postgres/locks.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { wasOptimistic } from '../core/writes/unit-of-work.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import { lockStandingCounters } from '../usage/reserve.ts'
import type { Person } from './contact.ts'
import { saveContacts } from './save.ts'

let database: TestDatabase
let db: Database

before(async () => {
  database = await testDatabase()
  db = database.db
})
after(() => database.drop())

const email = 'ana@example.com'
const phone = '+33612345678'
const now = new Date('2026-11-20T10:00:00Z')

function saveIn(tx: Tx, businessId: Id<'business'>, person: Person) {
  return saveContacts.save(tx, [toSave(businessId, person)], now)
}

/** Runs `first` until just before its commit, then starts `second`, which must wait for it. */
async function overlapping<T>(first: (tx: Tx) => Promise<unknown>, second: () => Promise<T>) {
  const atTheBrink = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const one = db.tx(async (tx) => {
    await first(tx)
    atTheBrink.resolve()
    await goOn.promise
  })
  await Promise.race([atTheBrink.promise, one])
  const two = second()
  await someoneWaits(db)
  goOn.resolve()
  await one
  return two
}

test('an optimistic save that wrongly took a contact for new fails its whole transaction', async () => {
  const businessId = await newBusiness(db)
  const saveOptimistically = (people: Person[]) =>
    db.tx((tx) =>
      saveContacts.save(
        tx,
        people.map((person) => toSave(businessId, person)),
        now,
        true,
      ),
    )
  await saveOptimistically([{ email: 'cy@example.com' }])
  const people = [{ email }, { email: 'bo@example.com' }, { email: 'cy@example.com', name: 'Cy' }]
  await assert.rejects(
    overlapping(
      (tx) => saveIn(tx, businessId, { email }),
      () => saveOptimistically(people),
    ),
    wasOptimistic,
  )
  const erased = await newBusiness(db)
  await suppressAddress(db, erased, email)
  await assert.rejects(
    db.tx((tx) => saveContacts.save(tx, [toSave(erased, { email })], now, true)),
    wasOptimistic,
  )
  assert.deepEqual(
    (await contactsOf(db, businessId)).map((contact) => [contact.email, contact.name]),
    [
      ['cy@example.com', null],
      [email, null],
    ],
  )
  assert.equal(await contactsCounted(db, businessId), 2)
  assert.equal((await eventsOf(db, businessId)).length, 2)
  assert.deepEqual(await eventsOf(db, erased), [])
})

test('two transactions with the same new person create one contact', async () => {
  const businessId = await newBusiness(db)
  const outcome = await overlapping(
    (tx) => saveIn(tx, businessId, { email, name: 'First' }),
    () => saveOne(db, toSave(businessId, { email, name: 'Second' })),
  )
  assert.ok(!isRefusal(outcome))
  assert.equal(outcome.change, 'updated')
  const rows = await contactsOf(db, businessId)
  assert.deepEqual(
    rows.map(({ id, name }) => [id, name]),
    [[outcome.id, 'Second']],
  )
  assert.equal(await contactsCounted(db, businessId), 1)
  assert.deepEqual(
    (await eventsOf(db, businessId)).map(({ type }) => type),
    ['contact.created', 'contact.updated'],
  )
})

test('when two contacts are given the same number at once, the second is refused', async () => {
  const businessId = await newBusiness(db)
  const ids = []
  for (const one of [email, 'bo@example.com']) {
    const saved = await saveOne(db, toSave(businessId, { email: one }))
    assert.ok(!isRefusal(saved))
    ids.push(formatId('contact', saved.id))
  }
  const outcome = await overlapping(
    (tx) => saveIn(tx, businessId, { email, phone }),
    () => saveOne(db, toSave(businessId, { email: 'bo@example.com', phone })),
  )
  assert.ok(isRefusal(outcome))
  assert.equal(outcome.code, 'conflict')
  assert.deepEqual(outcome.details.data?.['contact_ids'], ids.toReversed())
})

test('a new contact cannot have the number that another contact is being given', async () => {
  const businessId = await newBusiness(db)
  await saveOne(db, toSave(businessId, { email }))
  const outcome = await overlapping(
    (tx) => saveIn(tx, businessId, { email, phone }),
    () => saveOne(db, toSave(businessId, { email: 'bo@example.com', phone })),
  )
  assert.ok(isRefusal(outcome))
  assert.equal(outcome.code, 'conflict')
  assert.equal((await contactsOf(db, businessId)).length, 1)
  assert.equal(await contactsCounted(db, businessId), 1)
})

test('a contact cannot be given the number with which another contact is being created', async () => {
  const businessId = await newBusiness(db)
  await saveOne(db, toSave(businessId, { email }))
  const outcome = await overlapping(
    (tx) => saveIn(tx, businessId, { email: 'bo@example.com', phone }),
    () => saveOne(db, toSave(businessId, { email, phone })),
  )
  assert.ok(isRefusal(outcome))
  assert.equal(outcome.code, 'conflict')
})

test('two concurrent changes of one contact both take effect', async () => {
  const businessId = await newBusiness(db)
  await saveOne(db, toSave(businessId, { email }))
  await overlapping(
    (tx) => saveIn(tx, businessId, { email, attributes: { a: 1 }, tags: ['x'] }),
    () => saveOne(db, toSave(businessId, { email, attributes: { b: 2 }, tags: ['y'] })),
  )
  const [row] = await contactsOf(db, businessId)
  assert.deepEqual(row?.attributes, { a: 1, b: 2 })
  assert.deepEqual(row?.tags, ['x', 'y'])
})

test('a person erased during a save is not brought back by it', async () => {
  for (const before of [[], [{ email }]]) {
    const businessId = await newBusiness(db)
    for (const person of before) await saveOne(db, toSave(businessId, person))
    const outcome = await overlapping(
      async (tx) => {
        await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
        await suppressAddress({ ...db, tx: (work) => work(tx) }, businessId, email)
      },
      () => saveOne(db, toSave(businessId, { email, name: 'Back' })),
    )
    assert.ok(isRefusal(outcome))
    assert.equal(outcome.details.data?.['reason'], 'erased')
    assert.deepEqual(await contactsOf(db, businessId), [])
  }
})
