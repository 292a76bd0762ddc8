import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { contactsOf } from '../../../tests/support/businesses/contacts.ts'
import { testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ana, ourNumber, type Place, placeOf } from '../../../tests/support/sms/replies.ts'
import { suppressionsOf } from '../contacts/suppressions/suppression.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { routeText } from './routing.ts'

let database: TestDatabase
let place: Place
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())
beforeEach(async () => {
  await database.db.run(sql`truncate stopped_numbers, text_answers, messages, businesses cascade`)
  place = placeOf(database.db)
})

const ownerOf = async (sender = ourNumber) =>
  (await routeText(database.db, { phone: ana, sender })).owner

const isStopped = async (businessId: Id<'business'>) => {
  const phone = { email: null, phone: ana }
  return (await suppressionsOf(database.db, testVault.hmac, businessId, phone)).length > 0
}

test('a text belongs to the business whose number it was sent to', async () => {
  const shop = await place.business(ourNumber)
  const other = await place.business('+33700000002')
  await place.texted(other, ana, '+33700000002')
  assert.equal(await ownerOf(), shop)
})

test('if there is only one business, every text belongs to it', async () => {
  const shop = await place.business()
  assert.equal(await ownerOf(), shop)
  await place.business()
  assert.equal(await ownerOf(), undefined)
})

test('a text to a shared number belongs to the business that last texted the person', async () => {
  const first = await place.business(ourNumber)
  const second = await place.business(ourNumber)
  assert.equal(await ownerOf(), first, 'none has yet: the oldest')
  await place.texted(second, ana, ourNumber)
  assert.equal(await ownerOf(), second)
  await place.texted(first, ana, ourNumber)
  assert.equal(await ownerOf(), first)
})

test('a text to a number without an owner belongs to the business that last texted the person from it', async () => {
  const [one, two] = [await place.business(), await place.business()]
  assert.equal(await ownerOf(), undefined)
  await place.texted(one, ana, ourNumber)
  await place.texted(two, ana, '+33700000009')
  assert.equal(await ownerOf(), one)
})

test('a number is recognised in every spelling of a network', async () => {
  const shop = await place.business(ourNumber)
  assert.equal(await ownerOf(ourNumber.slice(1)), shop)
  const short = await place.business('38383')
  assert.equal(await ownerOf('38383'), short)
})

test('STOP to a shared number stops texts from all its businesses, and START restores all', async () => {
  const shops = [await place.business(ourNumber), await place.business(ourNumber)]
  const apart = await place.business('+33700000002')
  for (const one of [...shops, apart]) await place.contact(one, ana)
  await place.write({ body: 'STOP' })
  const all = [...shops, apart]
  const stopped = await Promise.all(all.map(isStopped))
  assert.deepEqual(stopped, [true, true, false])
  assert.equal((await place.answers(ana)).length, 1, 'one answers for them')
  await place.write({ body: 'START' })
  assert.deepEqual(await Promise.all(all.map(isStopped)), [false, false, false])
  for (const one of all) {
    assert.equal((await contactsOf(database.db, one))[0]?.consent.sms, 'subscribed')
  }
})

test('START does not subscribe to sharing businesses that STOP had not ended, only to the owner', async () => {
  const owner = await place.business(ourNumber)
  const sharing = await place.business(ourNumber)
  for (const one of [owner, sharing]) {
    await place.contact(one, ana)
    await database.db.run(sql`
      update contacts set sms_consent = 'unsubscribed' where business_id = ${one}`)
  }
  await place.write({ body: 'START' })
  const consents = await Promise.all(
    [owner, sharing].map(async (id) => (await contactsOf(database.db, id))[0]?.consent.sms),
  )
  assert.deepEqual(consents, ['subscribed', 'unsubscribed'])
})

test('STOP to a number of a pool applies to the whole pool', async () => {
  const pool = `MG${'0'.repeat(32)}`
  const [shop] = [await place.business(), await place.business()]
  await place.texted(shop, ana, pool)
  const whose = await routeText(database.db, { phone: ana, sender: '+33799999999' })
  assert.equal(whose.owner, shop)
  assert.deepEqual(whose.senders, ['33799999999', pool.toLowerCase()])
})

test('a STOP to a number without a business is stored, though it cannot be answered', async () => {
  assert.equal(await place.write({ body: 'STOP' }), 'stop')
  const { n } = await database.db.one<{ n: number }>(sql`select count(*) as n from stopped_numbers`)
  assert.equal(n, 1)
  assert.deepEqual(await place.answers(ana), [])
})
