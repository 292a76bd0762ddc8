import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  contactsCounted,
  eventsOf,
  saveOne,
  toSave,
} from '../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { takeFrom } from '../../../tests/support/jobs/jobs.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { isRefusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Verdict } from '../lib/jobs/job.ts'
import { days, later } from '../lib/time/clock.ts'
import { contactErase, contactJobs, forgetJob } from './erase.ts'
import { contactGet } from './get.ts'
import { contactImport } from './import.ts'
import { contactMerge } from './merge.ts'
import type { PersonalData } from './personal-data.ts'
import { contactUpsert } from './upsert.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function fresh(): Promise<{ caller: Caller; id: Id<'business'> }> {
  const id = await newBusiness(database.db)
  return { caller: callerIn({ db: database.db, clock }, id, { isApiKey: true }), id }
}

const save = async (caller: Caller, person: object) =>
  (await caller.get<{ contact_id: string }>(contactUpsert, person)).contact_id

/** Runs the jobs that an erasure queued, with the personal-data handlers that a test gives. */
async function forget(
  id: Id<'business'>,
  traces: PersonalData[] = [],
): Promise<Verdict | undefined> {
  const [job] = await takeFrom(database.db, clock, { kind: forgetJob, lane: id }, 1)
  assert.ok(job)
  const kind = contactJobs({ db: database.db, clock, traces })[forgetJob]
  return (await kind?.run(job, new AbortController().signal)) ?? undefined
}

test('an erased contact is gone and no longer counted, and cannot be created again', async () => {
  const { caller, id } = await fresh()
  const person = { email: 'ana@example.com', phone: '+33612345678' }
  const contact_id = await save(caller, { ...person, name: 'Ana' })
  assert.deepEqual(await caller.get(contactErase, { contact_id }), { contact_id, erased: true })
  assert.equal((await caller.refused(contactGet, { contact_id })).code, 'not_found')
  assert.equal(await contactsCounted(database.db, id), 0)
  for (const address of [{ email: person.email }, { phone: person.phone }]) {
    const refused = await caller.refused(contactUpsert, address)
    assert.deepEqual([refused.code, refused.details.data], ['conflict', { reason: 'erased' }])
  }
  const imported = await caller.get<{ results: { outcome: string }[] }>(contactImport(), {
    contacts: [{ email: 'ANA@example.com' }, { email: 'bo@example.com' }],
  })
  assert.doesNotMatch(JSON.stringify(imported), /"created":2/)
  assert.equal(await contactsCounted(database.db, id), 1)
})

test('an erasure is announced by the contact’s id alone, and that event stays readable', async () => {
  const { caller, id } = await fresh()
  const contact_id = await save(caller, { email: 'ana@example.com', name: 'Ana' })
  await caller.get(contactErase, { contact_id })
  await forget(id)
  const events = await eventsOf(database.db, id)
  assert.deepEqual(
    events.map(({ type, data }) => ({ type, data })),
    [
      { type: 'contact.created', data: {} },
      { type: 'contact.erased', data: { contact_id, reason: 'requested' } },
    ],
  )
})

test('a repeated erasure succeeds, and an unknown contact is not found', async () => {
  const { caller } = await fresh()
  const { caller: stranger } = await fresh()
  const contact_id = await save(caller, { email: 'ana@example.com' })
  const first = await caller.get(contactErase, { contact_id })
  assert.deepEqual(await caller.get(contactErase, { contact_id }), first)
  assert.equal((await stranger.refused(contactErase, { contact_id })).code, 'not_found')
})

test('only a hash and ids of an erased person remain in the database', async () => {
  const { caller, id } = await fresh()
  const consent = { email: { status: 'subscribed', source: 'a stall in Lyon' } }
  const contact_id = await save(caller, { email: 'zoe@example.com', name: 'Zoë', consent })
  await save(caller, { email: 'zoe@example.com', attributes: { city: 'Lyon' } })
  await caller.get(contactErase, { contact_id })
  assert.deepEqual(await forget(id), { outcome: 'done' })
  await database.db.run(sql`delete from jobs where kind = ${forgetJob}`)
  const tables = await database.db.all<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r'
  `)
  assert.ok(tables.length > 30)
  for (const { name } of tables) {
    const rows = await database.db.all<{ text: string }>({
      name: '',
      text: `select t::text as text from "${name}" t`,
      values: [],
    })
    for (const { text } of rows) assert.doesNotMatch(text, /zoe|Zoë|Lyon/, name)
  }
})

test('events about an erased person are blanked, and those about other people are unchanged', async () => {
  const { caller, id } = await fresh()
  const contact_id = await save(caller, { email: 'ana@example.com' })
  await save(caller, { email: 'susana@example.com' })
  clock.forward(days(29))
  await save(caller, { email: 'ana@example.com', name: 'Ana' })
  await caller.get(contactErase, { contact_id })
  await forget(id)
  const events = (await eventsOf(database.db, id)) as unknown as Record<string, unknown>[]
  assert.deepEqual(
    events.map(({ data, erased, ...rest }) => [Object.keys(rest), data, erased]),
    [
      [['id', 'type', 'created_at', 'business_id'], {}, true],
      [['id', 'type', 'created_at', 'business_id'], events[1]?.['data'], undefined],
      [['id', 'type', 'created_at', 'business_id'], {}, true],
      [['id', 'type', 'created_at', 'business_id'], { contact_id, reason: 'requested' }, undefined],
    ],
  )
  assert.match(JSON.stringify(events[1]), /susana/)
})

test('contacts merged into an erased contact are erased with it', async () => {
  const { caller, id } = await fresh()
  const first = await save(caller, { email: 'ana@example.com' })
  const second = await save(caller, { email: 'ana@work.example' })
  const third = await save(caller, { phone: '+33612345678' })
  const merge = contactMerge({ traces: [] })
  await caller.get(merge, { contact_id: second, other_contact_id: first })
  await caller.get(merge, { contact_id: third, other_contact_id: second })
  const asked: number[] = []
  const room: PersonalData = {
    move: async () => {},
    async forget(_tx, { contactIds }) {
      asked.push(contactIds.length)
      return asked.length > 1
    },
  }
  await caller.get(contactErase, { contact_id: third })
  const verdict = await forget(id, [room])
  assert.deepEqual(verdict, { outcome: 'again', at: later(clock.now(), 600_000) })
  assert.deepEqual(asked, [3])
  assert.doesNotMatch(JSON.stringify(await eventsOf(database.db, id)), /ana@/)
  for (const contact_id of [first, second]) {
    await caller.get(contactErase, { contact_id })
  }
})

test('a contact saved at the moment of its erasure is removed by the follow-up job', async () => {
  const { caller, id } = await fresh()
  const contact_id = await save(caller, { email: 'late@example.com' })
  await caller.get(contactErase, { contact_id })
  // The state as seen by a call that began before the erasure.
  const setReason = (reason: string) =>
    database.db.run(sql`update suppressions set reason = ${reason} where business_id = ${id}`)
  await setReason('manual')
  assert.ok(!isRefusal(await saveOne(database.db, toSave(id, { email: 'late@example.com' }))))
  await setReason('erased')
  await forget(id)
  assert.equal(await contactsCounted(database.db, id), 0)
})
