/** The suppression list: found, lifted by an owner with a reason, and back after a new failure. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness, reachOf } from '../../../../tests/support/businesses/business.ts'
import { suppressAddress } from '../../../../tests/support/businesses/contacts.ts'
import { callerAs } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { newId } from '../../core/ids.ts'
import { scopes } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import { contactUpsert } from '../upsert.ts'
import { suppressionLift } from './lift.ts'
import { suppressionList } from './list.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface Listed {
  suppressions: { suppression_id: string; reason: string; stops: string; address: string | null }[]
  next_cursor?: string
}
interface Lifted {
  lifted: boolean
  stays?: string
}

const email = 'ana@example.com'
const reason = 'She wrote that her mailbox works again.'

async function inBusiness() {
  const id = await newBusiness(database.db)
  // The caller is an owner signed in to the app.
  const caller = callerAs(
    { db: database.db, clock },
    {
      connectionId: null,
      userId: newId('user'),
      scopes: new Set(scopes),
      businesses: [reachOf(id, { role: 'owner' })],
    },
  )
  const list = (input: object = {}) => caller.get<Listed>(suppressionList, input)
  const lift = (input: object) => caller.get<Lifted>(suppressionLift, { reason, ...input })
  return { id, caller, list, lift }
}

test('a bounced address is listed, lifted with a reason, and suppressed again by the next bounce', async () => {
  const { id, caller, list, lift } = await inBusiness()
  await caller.get(contactUpsert, { email })
  await suppressAddress(database.db, id, email, 'bounce')
  const [one] = (await list({ email: 'Ana@Example.com' })).suppressions
  assert.equal(one?.address, email)
  assert.equal(one?.stops, 'everything')
  const other = await inBusiness()
  assert.deepEqual((await other.list()).suppressions, [])
  assert.deepEqual(await other.lift({ suppression_id: one?.suppression_id }), { lifted: false })
  assert.deepEqual(await lift({ suppression_id: one?.suppression_id }), { lifted: true })
  assert.deepEqual((await list()).suppressions, [])
  assert.deepEqual(await lift({ email }), { lifted: false })
  const audit = await database.db.all<{ details: { reason: string } }>(sql`
    select details from audit_entries where business_id = ${id} and action = 'suppression.lift'
  `)
  assert.deepEqual(
    audit.map(({ details }) => details.reason),
    [reason],
  )
  await suppressAddress(database.db, id, email, 'bounce')
  assert.equal((await list()).suppressions.length, 1)
})

for (const order of [
  ['complaint', 'bounce'],
  ['bounce', 'complaint'],
] as const) {
  test(`an address suppressed by ${order.join(' and ')} keeps the complaint when the bounce is lifted`, async () => {
    const { id, list, lift } = await inBusiness()
    for (const one of order) await suppressAddress(database.db, id, email, one)
    assert.equal((await list()).suppressions[0]?.reason, 'bounce')
    assert.deepEqual(await lift({ email }), { lifted: true, stays: 'complaint' })
    const [left] = (await list()).suppressions
    assert.equal(left?.reason, 'complaint')
    assert.equal(left?.stops, 'marketing')
    assert.deepEqual(await lift({ email }), { lifted: true })
    assert.deepEqual((await list()).suppressions, [])
  })
}

test('an erased person is neither listed nor lifted, and a lift requires a reason', async () => {
  const { id, caller, list } = await inBusiness()
  await suppressAddress(database.db, id, email, 'erased')
  assert.deepEqual((await list()).suppressions, [])
  assert.equal((await caller.refused(suppressionLift, { email, reason })).code, 'conflict')
  assert.equal((await caller.refused(suppressionLift, { reason })).details.field, 'email')
})

test('suppressions are listed in pages, newest first, each once', async () => {
  const { id, list } = await inBusiness()
  for (let n = 0; n < 5; n++) {
    await suppressAddress(database.db, id, `person${n}@example.com`, 'bounce')
  }
  const seen: string[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < 5; pages++) {
    const page = await list({ limit: 2, ...(cursor && { cursor }) })
    seen.push(...page.suppressions.map(({ suppression_id }) => suppression_id))
    cursor = page.next_cursor
    if (!cursor) break
  }
  assert.equal(seen.length, 5)
  assert.equal(new Set(seen).size, 5)
})
