import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { suppressAddress } from '../../../../tests/support/businesses/contacts.ts'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { createVault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import { suppress, suppressionsOf } from './suppression.ts'

let database: TestDatabase

before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const { hmac } = testVault
const email = 'ana@example.com'
const phone = '+33612345678'
const now = new Date('2026-11-20T10:00:00Z')

test('a suppressed address is recognised on its own channel and in its own business only', async () => {
  const { db } = database
  const [businessId, other] = [await newBusiness(db), await newBusiness(db)]
  await suppressAddress(db, businessId, email, 'complaint')
  const found = await suppressionsOf(db, hmac, businessId, { email, phone })
  assert.deepEqual(found, [
    { channel: 'email', reason: 'complaint', source: 'a test', createdAt: now },
  ])
  assert.deepEqual(await suppressionsOf(db, hmac, other, { email, phone }), [])
  assert.deepEqual(await suppressionsOf(db, hmac, businessId, { email: null, phone: null }), [])
})

test('a suppression stores neither the address nor a hash that others could compute', async () => {
  const { db } = database
  const [businessId, other] = [await newBusiness(db), await newBusiness(db)]
  await suppressAddress(db, businessId, email)
  await suppressAddress(db, other, email)
  const marks = await db.all<{ mark: Buffer; text: string }>(sql`
    select address_hmac as mark, suppressions::text as text from suppressions
    where business_id in (${businessId}, ${other})
  `)
  assert.equal(marks.length, 2)
  assert.ok(marks[0] && marks[1] && !marks[0].mark.equals(marks[1].mark))
  assert.ok(marks.every(({ text }) => !text.includes('ana@')))
  const elsewhere = createVault('another installation')
  assert.deepEqual(await suppressionsOf(db, elsewhere.hmac, businessId, { email, phone }), [])
})

test('the first suppression reason is kept, and erasure replaces any other reason', async () => {
  const { db } = database
  const businessId = await newBusiness(db)
  const reason = async () => {
    const [one] = await suppressionsOf(db, hmac, businessId, { email, phone: null })
    return one?.reason
  }
  await suppressAddress(db, businessId, email, 'bounce')
  await suppressAddress(db, businessId, email, 'manual')
  assert.equal(await reason(), 'bounce')
  await suppressAddress(db, businessId, email, 'erased')
  assert.equal(await reason(), 'erased')
  await suppressAddress(db, businessId, email, 'complaint')
  assert.equal(await reason(), 'erased')
})

test('an address suppressed twice in one call is stored once, with the weightier reason', async () => {
  const { db } = database
  const businessId = await newBusiness(db)
  const one = { businessId, channel: 'sms', address: phone, source: 'a test' } as const
  await db.tx((tx) =>
    suppress(
      tx,
      hmac,
      [
        { ...one, reason: 'manual' },
        { ...one, reason: 'erased' },
      ],
      now,
    ),
  )
  const found = await suppressionsOf(db, hmac, businessId, { email, phone })
  assert.deepEqual(
    found.map(({ channel, reason }) => [channel, reason]),
    [['sms', 'erased']],
  )
})
