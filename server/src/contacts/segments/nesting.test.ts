/** Segments within filters and within each other, and what depends on them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { contactList } from '../list.ts'
import { segmentDelete as deleteOperation } from './delete.ts'
import { segmentGet } from './get.ts'
import { segmentSave } from './save.ts'

const clock = new ManualClock()
const segmentDelete = deleteOperation({ campaignsNaming: async () => [] })
let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function scene(): Promise<Caller> {
  const id = await newBusiness(database.db)
  const people = Array.from({ length: 6 }, (_, n) =>
    toSave(id, {
      email: `p${n}@example.com`,
      tags: [...(n % 2 === 0 ? ['even'] : []), ...(n < 3 ? ['low'] : [])],
    }),
  )
  await saveAll(database.db, people)
  return callerIn({ db: database.db, clock }, id)
}

async function save(caller: Caller, name: string, filter: object): Promise<string> {
  const saved = await caller.get<{ segment_id: string }>(segmentSave, { name, filter })
  return saved.segment_id
}

const countOf = async (caller: Caller, segment_id: string) =>
  (await caller.get<{ count: number }>(segmentGet, { segment_id })).count

test('a segment can be used in place of its filter, in a filter and in another segment', async () => {
  const caller = await scene()
  const even = await save(caller, 'Even', { tag: 'even' })
  const low = await save(caller, 'Low', { tag: 'low' })
  const filter = { and: [{ segment: even }, { not: { segment: low } }] }
  const { contacts } = await caller.get<{ contacts: { email: string }[] }>(contactList, { filter })
  assert.deepEqual(
    contacts.map(({ email }) => email),
    ['p4@example.com'],
  )
  const both = await save(caller, 'Both', filter)
  assert.equal(await countOf(caller, both), 1)
  // Its members follow the segments that it uses.
  await caller.get(segmentSave, { segment_id: low, filter: { tag: 'nobody' } })
  assert.equal(await countOf(caller, both), 3)
})

test('a segment cannot refer to itself, directly or through others', async () => {
  const caller = await scene()
  const a = await save(caller, 'A', { tag: 'even' })
  const b = await save(caller, 'B', { segment: a })
  const filter = { or: [{ tag: 'x' }, { segment: b }] }
  const refused = await caller.refused(segmentSave, { segment_id: a, filter })
  assert.deepEqual(
    [refused.code, refused.details.field],
    ['invalid_request', 'filter.or[1].segment'],
  )
  assert.match(refused.message, new RegExp(`${a} → ${b} → ${a}`))
  const itself = await caller.refused(segmentSave, { segment_id: a, filter: { segment: a } })
  assert.match(itself.message, new RegExp(`${a} → ${a}`))
})

test('segments can be nested three deep, and a fourth level is refused from above and from below', async () => {
  const caller = await scene()
  const ids = [await save(caller, 'S0', { tag: 'even' })]
  for (const n of [1, 2, 3]) ids.push(await save(caller, `S${n}`, { segment: ids[n - 1] }))
  const [bottom = '', , , top = ''] = ids
  assert.equal(await countOf(caller, top), 3)
  const above = await caller.refused(segmentSave, { name: 'S4', filter: { segment: top } })
  assert.match(above.message, /more than 3 segments within each other/)
  const other = await save(caller, 'Other', { tag: 'low' })
  const below = await caller.refused(segmentSave, {
    segment_id: bottom,
    filter: { segment: other },
  })
  assert.match(below.message, /more than 3 segments within each other/)
})

test('an unknown segment is refused at its place in the filter', async () => {
  const [caller, stranger] = [await scene(), await scene()]
  const theirs = await save(stranger, 'Theirs', { tag: 'even' })
  for (const call of [
    () => caller.refused(contactList, { filter: { and: [{ segment: theirs }] } }),
    () => caller.refused(segmentSave, { name: 'Mine', filter: { and: [{ segment: theirs }] } }),
  ]) {
    const refused = await call()
    assert.equal(refused.details.field, 'filter.and[0].segment')
    assert.equal(refused.details.fix?.tool, 'segment.list')
  }
})

test('a segment used by another segment is not deleted', async () => {
  const caller = await scene()
  const base = await save(caller, 'Base', { tag: 'even' })
  const user = await save(caller, 'User', { not: { segment: base } })
  // The same text as a value does not use the segment.
  await save(caller, 'Text', { field: 'attributes.kind', op: 'is', value: base })
  const refused = await caller.refused(segmentDelete, { segment_id: base })
  assert.deepEqual([refused.code, refused.details.data?.['used_by']], ['conflict', [user]])
  assert.match(refused.message, /the segment “User”/)
  await caller.get(segmentDelete, { segment_id: user })
  await caller.get(segmentDelete, { segment_id: base })
})

test('the conditions of all nested segments together are limited', async () => {
  const caller = await scene()
  const fifty = { or: Array.from({ length: 50 }, (_, n) => ({ tag: `t${n}` })) }
  const segment = await save(caller, 'Fifty', fifty)
  const four = { and: Array.from({ length: 4 }, () => ({ segment })) }
  await save(caller, 'Four', four)
  const five = { and: [...four.and, { tag: 'one more' }] }
  const refused = await caller.refused(contactList, { filter: five })
  assert.match(refused.message, /more than 200 conditions with those of its segments/)
})

test('segments that grew after they were referenced are not expanded beyond the limit', async () => {
  const caller = await scene()
  const fiftyOf = (segment: string) => ({ or: Array.from({ length: 50 }, () => ({ segment })) })
  const inner = await save(caller, 'Inner', { tag: 'a' })
  const middle = await save(caller, 'Middle', { tag: 'b' })
  const outer = await save(caller, 'Outer', fiftyOf(middle))
  await caller.get(segmentSave, { segment_id: middle, filter: fiftyOf(inner) })
  const fifty = { or: Array.from({ length: 50 }, (_, n) => ({ tag: `t${n}` })) }
  await caller.get(segmentSave, { segment_id: inner, filter: fifty })
  // Fully expanded, it would have 6,250,000 conditions.
  const began = performance.now()
  const refused = await caller.refused(contactList, { filter: fiftyOf(outer) })
  assert.match(refused.message, /more than 200 conditions with those of its segments/)
  assert.ok(performance.now() - began < 5_000)
})
