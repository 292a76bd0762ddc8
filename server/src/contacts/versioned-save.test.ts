/** Two people who edit one contact: the second save is refused with both, and nothing is lost. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { contactGet } from './get.ts'
import { contactUpsert } from './upsert.ts'

let database: TestDatabase
let caller: Caller
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
  caller = callerIn({ db: database.db, clock }, await newBusiness(database.db))
})
after(() => database.drop())

interface Whole {
  version: number
  tags: string[]
  phone: string | null
  untrusted: { name: string | null; attributes: object }
}

const email = 'ana@example.com'
const save = async (input: object) => {
  clock.forward(1_000)
  const { contact_id } = await caller.get<{ contact_id: string }>(contactUpsert, {
    email,
    ...input,
  })
  return caller.get<Whole>(contactGet, { contact_id })
}

test('a save from the version that is stored goes through, and one from an older is refused', async () => {
  const first = await save({ name: 'Ana', tags: ['a'], attributes: { city: 'Rome', plan: 'x' } })
  const second = await save({ name: 'Ana R', if_version: first.version })
  assert.equal(second.untrusted.name, 'Ana R')
  assert.notEqual(second.version, first.version)
  const stale = {
    email,
    name: 'Anna',
    tags: ['b'],
    remove_tags: ['a'],
    attributes: { city: 'Oslo', plan: 'x', age: 5 },
    if_version: first.version,
  }
  clock.forward(1_000)
  const { code, details } = await caller.refused(contactUpsert, stale)
  assert.deepEqual([code, details.field], ['conflict', 'if_version'])
  const { version, differs } = details.data as { version: number; differs: object }
  assert.equal(version, second.version)
  assert.deepEqual(differs, {
    name: { yours: 'Anna', theirs: 'Ana R' },
    tags: { yours: ['b'], theirs: ['a'] },
    'attributes.city': { yours: 'Oslo', theirs: 'Rome' },
    'attributes.age': { yours: 5, theirs: null },
  })
  const third = await save({ ...stale, if_version: version })
  assert.deepEqual(
    [third.untrusted, third.tags],
    [
      {
        name: 'Anna',
        first_name: null,
        last_name: null,
        attributes: { city: 'Oslo', plan: 'x', age: 5 },
      },
      ['b'],
    ],
  )
})

test('a repeated save is let through, and a contact that does not exist has no version', async () => {
  const { version } = await save({ phone: '+33612345678' })
  const again = { phone: '+33612345678', if_version: version - 1 }
  assert.equal((await save(again)).version, version, 'it changes nothing')
  const nobody = { email: 'nobody@example.com', if_version: version }
  const { code, details } = await caller.refused(contactUpsert, nobody)
  assert.deepEqual([code, details.field], ['invalid_request', 'if_version'])
  await caller.get(contactUpsert, { phone: '+33699999999' })
  const byPhone = { phone: '+33699999999', name: 'Bo', if_version: 1 }
  assert.equal((await caller.refused(contactUpsert, byPhone)).code, 'conflict')
})

test('of two saves at once from one version, one is refused', async () => {
  const { version } = await save({ name: 'Start' })
  clock.forward(1_000)
  const saves = ['One', 'Two'].map((name) =>
    caller.ask<object>(contactUpsert, { email, name, if_version: version }),
  )
  const answers = await Promise.all(saves)
  assert.equal(answers.filter((answer) => 'code' in answer).length, 1)
})
