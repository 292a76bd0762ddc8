import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { campaignsNaming } from '../../campaigns/audience/naming.ts'
import { isRefusal } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { contactList } from '../list.ts'
import { segmentDelete as deleteOperation } from './delete.ts'
import { segmentGet } from './get.ts'
import { segmentList } from './list.ts'
import { segmentSave } from './save.ts'
import { segmentLimits } from './segment.ts'

const segmentDelete = deleteOperation({ campaignsNaming })
let database: TestDatabase
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface Saved {
  segment_id: string
  name: string
  filter: object
  version: number
  preview?: { count: number; at_least: boolean; people: { email: string }[]; warnings: string[] }
}

async function sceneOf(count = 12): Promise<{ id: Id<'business'>; caller: Caller }> {
  const id = await newBusiness(database.db)
  const people = Array.from({ length: count }, (_, n) => {
    return toSave(id, { email: `p${n}@example.com`, tags: n % 2 === 0 ? ['even'] : [] })
  })
  const outcomes = await saveAll(database.db, people)
  assert.ok(outcomes.every((outcome) => !isRefusal(outcome)))
  return { id, caller: callerIn({ db: database.db, clock }, id) }
}

const even = { tag: 'even' }

test('a segment is saved as written, counted, used to list contacts and deleted', async () => {
  const { caller } = await sceneOf()
  const saved = await caller.get<Saved>(segmentSave, { name: ' Even  ones ', filter: even })
  assert.deepEqual([saved.name, saved.filter, saved.version], ['Even ones', even, 1])
  assert.deepEqual([saved.preview?.count, saved.preview?.at_least], [6, false])
  assert.deepEqual(saved.preview?.warnings, [])
  assert.equal(saved.preview?.people[0]?.email, 'p10@example.com')
  const { segment_id } = saved
  const { contacts } = await caller.get<{ contacts: object[] }>(contactList, { segment_id })
  assert.equal(contacts.length, 6)
  const both = { segment_id, filter: { field: 'email', op: 'starts_with', value: 'p1' } }
  const fewer = await caller.get<{ contacts: { email: string }[] }>(contactList, both)
  assert.deepEqual(
    fewer.contacts.map(({ email }) => email),
    ['p10@example.com'],
  )
  const { segments } = await caller.get<{ segments: Saved[] }>(segmentList)
  assert.deepEqual(
    segments.map((segment) => segment.segment_id),
    [segment_id],
  )
  const got = await caller.get<Saved & { count: number }>(segmentGet, { segment_id })
  assert.deepEqual([got.count, got.filter], [6, even])
  await caller.get(segmentDelete, { segment_id })
  await caller.get(segmentDelete, { segment_id })
  assert.deepEqual((await caller.get<{ segments: object[] }>(segmentList)).segments, [])
  for (const operation of [segmentGet, segmentSave, contactList]) {
    const refused = await caller.refused(operation, { segment_id })
    assert.deepEqual([refused.code, refused.details.field], ['not_found', 'segment_id'])
  }
})

test('omitted fields of a segment are unchanged, and a new name or filter makes a new version', async () => {
  const { caller } = await sceneOf()
  const { segment_id } = await caller.get<Saved>(segmentSave, { name: 'Even', filter: even })
  const renamed = await caller.get<Saved>(segmentSave, { segment_id, name: 'Evens' })
  assert.deepEqual([renamed.name, renamed.filter, renamed.version], ['Evens', even, 2])
  const odd = { not: even }
  const other = await caller.get<Saved>(segmentSave, { segment_id, filter: odd })
  assert.deepEqual([other.name, other.filter, other.version], ['Evens', odd, 3])
})

test('a dry run of a segment saves nothing', async () => {
  const { caller } = await sceneOf()
  const dry = await caller.get<Saved>(segmentSave, { filter: { tag: 'none' }, dry_run: true })
  assert.deepEqual([dry.segment_id, dry.preview?.count], [undefined, 0])
  assert.match(dry.preview?.warnings.join() ?? '', /nobody/)
  const all = { filter: { not: { tag: 'none' } }, dry_run: true }
  const everybody = await caller.get<Saved>(segmentSave, all)
  assert.deepEqual([everybody.preview?.count, everybody.preview?.people.length], [12, 10])
  assert.match(everybody.preview?.warnings.join() ?? '', /every contact/)
  assert.deepEqual((await caller.get<{ segments: object[] }>(segmentList)).segments, [])
})

test('a token without audience:read can save a segment but gets no preview of its contacts', async () => {
  const { id } = await sceneOf()
  const writer = callerIn({ db: database.db, clock }, id, { scopes: ['audience:write'] })
  const saved = await writer.get<Saved>(segmentSave, { name: 'Even', filter: even })
  assert.equal(saved.preview, undefined)
  const refused = await writer.refused(segmentSave, { filter: even, dry_run: true })
  assert.equal(refused.code, 'scope_required')
})

test('the name of a segment is unique in its business, regardless of case', async () => {
  const { caller } = await sceneOf(1)
  const { segment_id } = await caller.get<Saved>(segmentSave, { name: 'Even', filter: even })
  const again = await caller.refused(segmentSave, { name: 'EVEN', filter: even })
  assert.deepEqual([again.code, again.details.field], ['conflict', 'name'])
  assert.equal(again.details.fix?.arguments?.['segment_id'], segment_id)
  const other = await caller.get<Saved>(segmentSave, { name: 'Odd', filter: even })
  const renamed = { segment_id: other.segment_id, name: 'even' }
  assert.equal((await caller.refused(segmentSave, renamed)).code, 'conflict')
  await caller.get(segmentSave, { segment_id, name: 'EVEN' })
})

test('a deleted segment frees its name, and is gone a day later', async () => {
  const { id, caller } = await sceneOf(1)
  const { segment_id } = await caller.get<Saved>(segmentSave, { name: 'Even', filter: even })
  await caller.get(segmentDelete, { segment_id })
  const again = await caller.get<Saved>(segmentSave, { name: 'Even', filter: even })
  clock.forward(25 * 3_600_000)
  await caller.get(segmentDelete, { segment_id: again.segment_id })
  assert.equal((await caller.refused(segmentDelete, { segment_id })).code, 'not_found')
  const rows = await database.db.all(sql`
    select name, filter from segments where business_id = ${id}
  `)
  assert.deepEqual(rows, [{ name: '', filter: {} }])
})

test('a missing or invalid field of a segment is refused at its field', async () => {
  const { caller } = await sceneOf(1)
  for (const [input, field] of [
    [{ filter: even }, 'name'],
    [{ name: 'Even' }, 'filter'],
    [{ name: ' ', filter: even }, 'name'],
    [{ name: 'Even', filter: { tagg: 'x' } }, 'filter'],
    [{ segment_id: formatId('segment', newId('segment')), name: 'x' }, 'segment_id'],
  ] as const) {
    const refused = await caller.refused(segmentSave, input)
    assert.equal(refused.details.field, field, refused.message)
  }
})

test('a business has a limited number of segments, and cannot access another business’s segment', async () => {
  const { id, caller } = await sceneOf(1)
  const { segments } = segmentLimits
  await database.db.run(sql`
    insert into segments (business_id, id, name, filter, version, created_at, updated_at)
    select ${id}, gen_random_uuid(), 'segment ' || n, '{"tag":"x"}', 1, ${clock.now()}, ${clock.now()}
    from generate_series(1, ${segments - 1}::int) as n
  `)
  const { segment_id } = await caller.get<Saved>(segmentSave, { name: 'last', filter: even })
  assert.equal((await caller.refused(segmentSave, { name: 'more', filter: even })).code, 'conflict')
  const { caller: stranger } = await sceneOf(1)
  for (const operation of [segmentGet, segmentDelete, contactList]) {
    assert.equal((await stranger.refused(operation, { segment_id })).code, 'not_found')
  }
})
