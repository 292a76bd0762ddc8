/** Tags for every contact that a filter matches. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../../tests/support/businesses/business.ts'
import { saveAll, toSave } from '../../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn, testVault } from '../../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../../tests/support/time/manual-clock.ts'
import { formatId, type Id, newId, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Job, Verdict } from '../../lib/jobs/job.ts'
import { contactLimits } from '../contact.ts'
import { segmentSave } from '../segments/save.ts'
import { contactTag, taggingJobs, taggingLimits, taggingPersonalData } from './tag.ts'

const clock = new ManualClock()
let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

interface Told {
  tagging_id: string
  state: string
  contacts: number
  looked: number
  changed: number
  refused: number
  undone?: number
}

interface Scene {
  id: Id<'business'>
  caller: Caller
}

async function sceneOf(count: number, tagsOf: (n: number) => string[]): Promise<Scene> {
  const id = await newBusiness(database.db)
  const people = Array.from({ length: count }, (_, n) =>
    toSave(id, {
      ...(n % 3 === 0
        ? { phone: `+336${`${n}`.padStart(8, '0')}` }
        : { email: `p${n}@example.com` }),
      tags: tagsOf(n),
    }),
  )
  await saveAll(database.db, people)
  return { id, caller: callerIn({ db: database.db, clock }, id) }
}

const evens = (n: number) => (n % 2 === 0 ? ['even'] : [])

/** One run of the job, as a worker makes it. */
async function turn(id: Id<'business'>): Promise<Verdict> {
  const { payload } = await database.db.one<{ payload: unknown }>(sql`
    select payload from jobs where kind = 'contact.tag' and payload ->> 'business_id' = ${id} limit 1
  `)
  const kind = taggingJobs({ db: database.db, clock, hmac: testVault.hmac })['contact.tag']
  const verdict = await kind?.run({ payload } as Job, new AbortController().signal)
  assert.ok(verdict)
  return verdict
}

async function toTheEnd(id: Id<'business'>): Promise<number> {
  for (let turns = 1; turns < 20; turns += 1) {
    if ((await turn(id)).outcome === 'done') return turns
  }
  throw new Error('it does not end')
}

const countOf = async (id: Id<'business'>, tag: string) => {
  const { n } = await database.db.one<{ n: number }>(sql`
    select count(*) as n from contacts where business_id = ${id} and ${tag} = any (tags)
  `)
  return n
}

test('a tagging changes all matching contacts in several ticks, and emits their update events', async () => {
  const { id, caller } = await sceneOf(2_500, evens)
  const filter = { tag: 'even' }
  const begun = await caller.get<Told>(contactTag, { filter, add: ['two'], remove: ['even'] })
  assert.deepEqual([begun.state, begun.contacts, begun.looked], ['running', 2_500, 0])
  assert.deepEqual(await turn(id), { outcome: 'again', at: clock.now() })
  const { tagging_id } = begun
  // A program names its business, and the SDK gives each write a key.
  const named = { business_id: formatId('business', id), idempotency_key: 'progress' }
  const half = await caller.get<Told>(contactTag, { tagging_id, ...named })
  assert.deepEqual([half.state, half.looked, half.changed], ['running', 1_000, 500])
  assert.equal(await toTheEnd(id), 2)
  const done = await caller.get<Told>(contactTag, { tagging_id })
  assert.deepEqual([done.state, done.looked, done.changed, done.refused], ['done', 2_500, 1_250, 0])
  assert.deepEqual([await countOf(id, 'two'), await countOf(id, 'even')], [1_250, 0])
  const { n } = await database.db.one<{ n: number }>(sql`
    select count(*) as n from events where business_id = ${id} and type = 'contact.updated'
  `)
  assert.equal(n, 1_250)
})

test('a tagging tick that runs twice does not change a contact twice', async () => {
  const { id, caller } = await sceneOf(30, evens)
  const { tagging_id } = await caller.get<Told>(contactTag, { filter: { tag: 'even' }, add: ['x'] })
  await Promise.all([turn(id), turn(id)])
  await turn(id)
  const done = await caller.get<Told>(contactTag, { tagging_id })
  assert.deepEqual([done.state, done.looked, done.changed], ['done', 30, 15])
})

test('the contacts of a tagging are those that match at the moment of the call, also by a segment', async () => {
  const { id, caller } = await sceneOf(10, evens)
  const { segment_id } = await caller.get<{ segment_id: string }>(segmentSave, {
    name: 'Even',
    filter: { tag: 'even' },
  })
  await caller.get(contactTag, { segment_id, add: ['chosen'] })
  await caller.get(segmentSave, { segment_id, filter: { tag: 'nobody' } })
  await saveAll(database.db, [toSave(id, { email: 'late@example.com', tags: ['even'] })])
  await toTheEnd(id)
  assert.equal(await countOf(id, 'chosen'), 5)
})

test('a contact with too many tags is counted as refused, and the other contacts are tagged', async () => {
  const full = Array.from({ length: contactLimits.tags }, (_, n) => `t${n}`)
  const { id, caller } = await sceneOf(3, (n) => (n === 1 ? full : ['few']))
  const { tagging_id } = await caller.get<Told>(contactTag, {
    filter: { not: { tag: 'none' } },
    add: ['more'],
  })
  await toTheEnd(id)
  const { changed, refused } = await caller.get<Told>(contactTag, { tagging_id })
  assert.deepEqual([changed, refused], [2, 1])
})

test('an undo takes back what a tagging changed, and leaves what was so before', async () => {
  const { id, caller } = await sceneOf(2_500, (n) => (n % 2 === 0 ? ['even', 'vip'] : ['odd']))
  const before = [await countOf(id, 'vip'), await countOf(id, 'odd')]
  const filter = { not: { tag: 'none' } }
  const { tagging_id } = await caller.get<Told>(contactTag, {
    filter,
    add: ['vip'],
    remove: ['odd'],
  })
  await toTheEnd(id)
  assert.deepEqual([await countOf(id, 'vip'), await countOf(id, 'odd')], [2_500, 0])
  const begun = await caller.get<Told>(contactTag, { tagging_id, undo: true })
  assert.deepEqual([begun.state, begun.undone], ['undoing', 0])
  assert.equal(await toTheEnd(id), 2)
  assert.deepEqual([await countOf(id, 'vip'), await countOf(id, 'odd')], before)
  const undone = await caller.get<Told>(contactTag, { tagging_id, undo: true })
  assert.deepEqual([undone.state, undone.undone], ['undone', 1_250])
  const { n } = await database.db.one<{ n: number }>(sql`
    select count(*) as n from tagging_changes where business_id = ${id}
  `)
  assert.equal(n, 0)
})

/** An automation that a person approved, and that people enter by the tag. */
async function approveAutomation(id: Id<'business'>, tag: string): Promise<void> {
  const sequenceId = newId('sequence')
  const definition = { kind: 'transactional', enter: { on: 'tag.added', tag }, steps: [] }
  const at = clock.now()
  await database.db.run(sql`
    insert into sequences (business_id, id, name, status, definition, version, running_version,
      is_approved, created_at, updated_at)
    values (${id}, ${sequenceId}, 'Shipped', 'running', ${JSON.stringify(definition)}, 1, 1, true,
      ${at}, ${at})
  `)
  await database.db.run(sql`
    insert into sequence_versions (business_id, sequence_id, version, definition, templates, started_at)
    values (${id}, ${sequenceId}, 1, ${JSON.stringify(definition)}, '{}', ${at})
  `)
}

test('an app tags, and takes back, no more people into an automation than the limit allows', async () => {
  const { id, caller } = await sceneOf(30, (n) => (n < 20 ? ['new'] : ['old']))
  await approveAutomation(id, 'new')
  const limit = (people: number) =>
    database.db.run(sql`update businesses set deploy_limit = ${people} where id = ${id}`)
  const everybody = { filter: { or: [{ tag: 'new' }, { tag: 'old' }] } }
  const refusal = async (input: object) => {
    const { details } = await caller.refused(contactTag, input)
    return [details.field, details.data?.['reason']]
  }
  await limit(9)
  assert.deepEqual(await refusal({ ...everybody, add: ['new'] }), ['add', 'approval_limit'])
  // Who has the tag does not enter by it.
  await limit(10)
  await caller.get(contactTag, { ...everybody, add: ['new'] })
  await toTheEnd(id)
  await database.db.run(sql`delete from jobs where payload ->> 'business_id' = ${id}`)
  const { tagging_id } = await caller.get<Told>(contactTag, { ...everybody, remove: ['new'] })
  await toTheEnd(id)
  assert.deepEqual(await refusal({ tagging_id, undo: true }), ['undo', 'approval_limit'])
  const key = callerIn({ db: database.db, clock }, id, { isApiKey: true })
  assert.equal((await key.get<Told>(contactTag, { tagging_id, undo: true })).state, 'undoing')
})

test('an undo goes on past contacts that are gone', async () => {
  const { id, caller } = await sceneOf(1_100, evens)
  const filter = { not: { tag: 'none' } }
  const { tagging_id } = await caller.get<Told>(contactTag, { filter, add: ['new'] })
  await toTheEnd(id)
  await database.db.run(sql`
    delete from contacts where (business_id, id) in (
      select business_id, id from contacts where business_id = ${id} order by id limit 1
    )
  `)
  await caller.get<Told>(contactTag, { tagging_id, undo: true })
  clock.forward((taggingLimits.keptDays + 1) * 86_400_000)
  await caller.get(contactTag, { filter: { tag: 'none' }, add: ['x'] })
  const undo = await caller.get<Told>(contactTag, { tagging_id })
  assert.equal(undo.state, 'undoing', 'it is kept until its undo has ended')
  await database.db.run(sql`
    delete from jobs where payload ->> 'business_id' = ${id}
      and payload ->> 'tagging_id' <> ${parseId('tagging', tagging_id)}
  `)
  await toTheEnd(id)
  const undone = await caller.get<Told>(contactTag, { tagging_id })
  assert.deepEqual([undone.state, undone.undone, await countOf(id, 'new')], ['undone', 1_099, 0])
})

test('changes follow a merged contact, and are deleted with an erased one', async () => {
  const { id: businessId, caller } = await sceneOf(3, () => [])
  const filter = { not: { tag: 'none' } }
  await caller.get<Told>(contactTag, { filter, add: ['new'] })
  await toTheEnd(businessId)
  const changes = () =>
    database.db.all<{ id: Id<'contact'> }>(sql`
      select contact_id as id from tagging_changes where business_id = ${businessId}
      order by contact_id
    `)
  const [first, second, third] = (await changes()).map(({ id }) => id)
  assert.ok(first && second && third)
  const late = newId('contact')
  await database.db.tx(async (tx) => {
    await taggingPersonalData.move(tx, { businessId, from: first, to: late })
    await taggingPersonalData.move(tx, { businessId, from: second, to: third })
  })
  assert.deepEqual(new Set(await changes()), new Set([{ id: late }, { id: third }]))
  const erased = { businessId, contactIds: [third], addresses: [] }
  await database.db.tx((tx) => taggingPersonalData.forget(tx, erased, clock.now()))
  assert.deepEqual(await changes(), [{ id: late }])
})

test('the undo of a running tagging ends it where it is', async () => {
  const { id, caller } = await sceneOf(1_500, evens)
  const filter = { not: { tag: 'none' } }
  const { tagging_id } = await caller.get<Told>(contactTag, { filter, add: ['new'] })
  await turn(id)
  assert.equal(await countOf(id, 'new'), 1_000)
  await caller.get<Told>(contactTag, { tagging_id, undo: true })
  await toTheEnd(id)
  const { state, changed, undone } = await caller.get<Told>(contactTag, { tagging_id })
  assert.deepEqual([state, changed, undone, await countOf(id, 'new')], ['undone', 1_000, 1_000, 0])
})

test('an ambiguous or invalid tag call is refused at its field', async () => {
  const { caller } = await sceneOf(1, evens)
  const filter = { tag: 'even' }
  const { tagging_id } = await caller.get<Told>(contactTag, { filter, add: ['x'] })
  const wrong: [input: object, field: string][] = [
    [{ filter }, 'add'],
    [{ filter, add: ['x'], undo: true }, 'tagging_id'],
    [{ tagging_id, filter, undo: true }, 'filter'],
    [{ add: ['x'] }, 'filter'],
    [{ filter, add: ['x'], remove: ['x'] }, 'remove'],
    [{ filter, add: ['x\u0000y'] }, 'add[0]'],
    [{ filter: { tags: ['even'] }, add: ['x'] }, 'filter'],
    [{ filter, add: ['x'], tagging_id }, 'filter'],
    [{ tagging_id: formatId('tagging', newId('tagging')) }, 'tagging_id'],
  ]
  for (const [input, field] of wrong) {
    const refused = await caller.refused(contactTag, input)
    assert.equal(refused.details.field, field, JSON.stringify(input))
  }
})

test('a limited number of taggings run at once, and a finished one is deleted after its retention', async () => {
  const { id, caller } = await sceneOf(1, evens)
  const ask = { filter: { tag: 'even' }, add: ['x'] }
  const { tagging_id } = await caller.get<Told>(contactTag, ask)
  for (let n = 1; n < taggingLimits.underWay; n += 1) await caller.get(contactTag, ask)
  assert.equal((await caller.refused(contactTag, ask)).code, 'conflict')
  await database.db.run(sql`
    update taggings set finished_at = ${clock.now()} where business_id = ${id}
  `)
  clock.forward((taggingLimits.keptDays + 1) * 86_400_000)
  await caller.get(contactTag, ask)
  assert.equal((await caller.refused(contactTag, { tagging_id })).code, 'not_found')
})
