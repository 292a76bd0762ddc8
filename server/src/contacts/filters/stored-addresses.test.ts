import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { findAddressField } from './stored-addresses.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const addContact = (businessId: Id<'business'>, attributes: Record<string, string | number>) =>
  database.db.run(sql`
    insert into contacts (business_id, id, email, attributes, tags, email_consent, sms_consent, source,
      created_at, updated_at)
    values (${businessId}, gen_random_uuid(), 'ana@example.com', ${JSON.stringify(attributes)}::jsonb, '{}', 'none', 'none', 'api',
      now(), now())
  `)

test('fields with addresses and numbers are found, and those with moments and amounts are not', async () => {
  const { db } = database
  const [businessId, otherId] = [await newBusiness(db), await newBusiness(db)]
  await addContact(businessId, {
    mail: 'ana@example.com',
    tel: '079 123 45 67',
    number: 41_791_234_567,
    year: '0772026-11-30',
    seen: '2026-11-30 10:00',
    swiss: 'am 30.11.2026 10.30 und 1.12.2026',
    epoch: 1_764_500_000,
    millis: 1_764_500_000_000,
    share: 12.333333333,
    plan: 'pro',
  })
  const found = async (key: string, isNumber: boolean) =>
    (await findAddressField(db, businessId, [{ field: `attributes.${key}`, isNumber }])) !==
    undefined
  for (const key of ['mail', 'tel', 'number', 'year'])
    assert.equal(await found(key, false), true, key)
  for (const key of ['seen', 'swiss', 'plan', 'none'])
    assert.equal(await found(key, false), false, key)
  assert.equal(await found('number', true), true)
  for (const key of ['epoch', 'millis', 'share', 'seen', 'mail', 'plan']) {
    assert.equal(await found(key, true), false, key)
  }
  const fields = [
    { field: 'attributes.plan', isNumber: false },
    { field: 'attributes.mail', isNumber: false },
  ]
  assert.deepEqual(await findAddressField(db, businessId, fields), fields[1])
  assert.equal(await findAddressField(db, otherId, fields), undefined)
})
