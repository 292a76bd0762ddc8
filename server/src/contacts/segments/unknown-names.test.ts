import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { contactTrack } from '../own-events/track.ts'
import { segmentSave } from './save.ts'
import type { Spelling } from './unknown-names.ts'

let database: TestDatabase
let caller: Caller
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
  const id = await newBusiness(database.db)
  caller = callerIn({ db: database.db, clock }, id)
  const people = Array.from({ length: 7 }, (_, n) =>
    toSave(id, {
      email: `p${n}@example.com`,
      attributes: { plan: n < 6 ? 'pro' : 'Rare', ...(n === 0 && { plans: 2 }), city: 'Lyon' },
      tags: n < 3 ? ['vip', 'press'] : ['vip'],
    }),
  )
  await saveAll(database.db, people)
  const contact = { email: 'p0@example.com' }
  await caller.get(contactTrack, { events: [{ contact, event: 'order' }] })
})
after(() => database.drop())

interface Previewed {
  preview: { warnings: string[]; untrusted?: { spellings: Spelling[] } }
}

async function previewed(filter: object): Promise<Previewed['preview']> {
  return (await caller.get<Previewed>(segmentSave, { filter, dry_run: true })).preview
}

const field = (name: string, op: string, value?: unknown) => ({
  field: `attributes.${name}`,
  op,
  ...(value !== undefined && { value }),
})

test('an attribute that no contact has causes a warning with similar names and their counts', async () => {
  const { warnings } = await previewed({ or: [{ tag: 'vip' }, field('plann', 'is', 'pro')] })
  assert.deepEqual(warnings, [
    'It fits every contact.',
    'No contact has attributes.plann. Spelled like it: attributes.plan (7 contacts), attributes.plans (1 contact).',
  ])
  const { warnings: unlike } = await previewed({ not: field('zip', 'exists') })
  assert.ok(unlike.includes('No contact has attributes.zip.'), unlike.join(' '))
})

test('a tag that no contact has causes a warning, and so does an event that was never tracked', async () => {
  const filter = { or: [{ tag: 'VIP' }, { did: 'orders' }, { tag: 'press' }, { did: 'order' }] }
  const { warnings, untrusted } = await previewed(filter)
  assert.deepEqual(warnings, [
    'No contact has the tag "VIP". Spelled like it: vip (7 contacts).',
    'contact.track never told of an event orders. Spelled like it: order.',
  ])
  assert.equal(untrusted, undefined)
})

test('a value that no contact has causes a warning, and common values are listed under untrusted', async () => {
  const filter = {
    or: [field('plan', 'in', ['Pro', 'Rare', 'rare']), field('city', 'is', 'Lyon')],
  }
  const { warnings, untrusted } = await previewed(filter)
  const none = 'none of the newest 10,000 contacts has it.'
  assert.deepEqual(warnings, [
    'It fits every contact.',
    `filter.or[0].value[0]: ${none}`,
    `filter.or[0].value[2]: ${none}`,
  ])
  // A value that fewer than five people have is never suggested.
  assert.deepEqual(untrusted?.spellings, [
    { path: 'filter.or[0].value[0]', fix: 'pro', contacts: 6 },
  ])
})

test('numbers, partial values and other operators are not compared with existing values', async () => {
  const parts = [field('plan', 'contains', 'PR'), field('plan', 'exists'), field('plan', 'is', 5)]
  const { warnings, untrusted } = await previewed({ and: parts })
  assert.deepEqual([warnings, untrusted], [['It fits nobody at this moment.'], undefined])
})
