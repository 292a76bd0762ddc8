import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { contactGet } from '../get.ts'
import { contactUpsert } from '../upsert.ts'
import { contactSuppress } from './suppress.ts'

let database: TestDatabase
let caller: Caller
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
  caller = callerIn({ db: database.db, clock }, await newBusiness(database.db))
})
after(() => database.drop())

interface Suppressed {
  suppressed: { channel: string; reason: string }[]
}

test('a suppressed contact is suppressed on every channel, and its timeline shows it', async () => {
  const both = { email: 'ana@example.com', phone: '+33612345678' }
  const { contact_id } = await caller.get<{ contact_id: string }>(contactUpsert, both)
  const since = clock.now().toISOString()
  const first = await caller.get<Suppressed>(contactSuppress, { contact_id })
  assert.deepEqual(first, {
    contact_id,
    suppressed: [
      { channel: 'email', reason: 'manual', since },
      { channel: 'sms', reason: 'manual', since },
    ],
  })
  clock.forward(1000)
  assert.deepEqual(await caller.get(contactSuppress, { contact_id }), first)
  const seen = await caller.get<Suppressed & { timeline: { type: string }[] }>(contactGet, {
    contact_id,
  })
  assert.equal(seen.suppressed.length, 2)
  assert.equal(seen.timeline[0]?.type, 'contact.suppressed')
})

test('an address without a contact can be suppressed before its contact exists', async () => {
  const { suppressed } = await caller.get<Suppressed>(contactSuppress, { email: 'Bo@Example.com ' })
  assert.deepEqual(
    suppressed.map(({ channel }) => channel),
    ['email'],
  )
  const bo = { email: 'bo@example.com' }
  const { contact_id } = await caller.get<{ contact_id: string }>(contactUpsert, bo)
  const seen = await caller.get<Suppressed>(contactGet, { contact_id })
  assert.equal(seen.suppressed.length, 1)
})

test('a suppress call must identify exactly one contact or address', async () => {
  const none = await caller.refused(contactSuppress, {})
  assert.equal(none.details.field, 'contact_id')
  const two = { email: 'a@example.com', phone: '+33612345678' }
  assert.equal((await caller.refused(contactSuppress, two)).details.field, 'phone')
  assert.equal((await caller.refused(contactSuppress, { email: 'x' })).details.field, 'email')
  assert.equal((await caller.refused(contactSuppress, { phone: 'x' })).details.field, 'phone')
})
