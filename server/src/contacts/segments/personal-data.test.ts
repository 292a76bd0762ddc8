import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { segmentGet } from './get.ts'
import { segmentPersonalData } from './personal-data.ts'
import { segmentSave } from './save.ts'

let database: TestDatabase
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

test('an erasure removes the address from saved filters, in one business only', async () => {
  const { db } = database
  const named = (email: string) => ({
    or: [
      { field: 'email', op: 'is', value: email },
      { field: 'email', op: 'in', value: ['bo@example.com', email.toUpperCase()] },
      { field: 'email', op: 'ends_with', value: `x${email}` },
      { not: { tag: 'vip' } },
    ],
  })
  const address = 'ana@example.com'
  const keep = async () => {
    const id = await newBusiness(db)
    const caller = callerIn({ db, clock }, id)
    const input = { name: 'Some', filter: named(address) }
    const { segment_id } = await caller.get<{ segment_id: string }>(segmentSave, input)
    const kept = () => caller.get<{ filter: unknown; version: number }>(segmentGet, { segment_id })
    return { id, kept }
  }
  const [here, elsewhere] = [await keep(), await keep()]
  const erased = { businessId: here.id, contactIds: [], addresses: [address] }
  assert.equal(await db.tx((tx) => segmentPersonalData.forget(tx, erased, clock.now())), true)
  const { filter, version } = await here.kept()
  assert.deepEqual(filter, {
    or: [
      { field: 'email', op: 'is', value: 'erased' },
      { field: 'email', op: 'in', value: ['bo@example.com', 'erased'] },
      { field: 'email', op: 'ends_with', value: `x${address}` },
      { not: { tag: 'vip' } },
    ],
  })
  assert.equal(version, 1)
  assert.deepEqual((await elsewhere.kept()).filter, named(address))
})
