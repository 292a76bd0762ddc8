import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  consentsOf,
  contactsCounted,
  contactsOf,
  eventsOf,
} from '../../../tests/support/businesses/contacts.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import type { Id } from '../core/ids.ts'
import { submissionList } from '../forms/list-submissions.ts'
import { formSave as formSaveAt } from '../forms/save.ts'
import { submissionPersonalData } from '../forms/submission.ts'
import { formSubmit } from '../forms/submit.ts'
import { messagePersonalData } from '../messages/personal-data.ts'
import { contactGet } from './get.ts'
import { contactMerge } from './merge.ts'
import { contactUpsert } from './upsert.ts'

const formSave = formSaveAt({ appUrl: 'https://app.example' })

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const clock = new ManualClock()
const merge = contactMerge({ traces: [submissionPersonalData, messagePersonalData] })

async function fresh(): Promise<{ caller: Caller; id: Id<'business'> }> {
  const id = await newBusiness(database.db)
  return { caller: callerIn({ db: database.db, clock }, id, { isApiKey: true }), id }
}

const save = async (caller: Caller, person: object) =>
  (await caller.get<{ contact_id: string }>(contactUpsert, person)).contact_id

test('two merged contacts become one, counted once, with the history of both', async () => {
  const { caller, id } = await fresh()
  const kept = await save(caller, { email: 'ana@example.com', name: 'Ana' })
  const consent = { sms: { status: 'subscribed', source: 'a call' } }
  const other = await save(caller, { phone: '+33612345678', consent, tags: ['vip'] })
  await caller.get(contactUpsert, { phone: '+33612345678', name: 'A.' })
  const named = { contact_id: kept, other_contact_id: other }
  assert.deepEqual(await caller.get(merge, named), { contact_id: kept, left_out: {} })
  const [one, ...none] = await contactsOf(database.db, id)
  assert.deepEqual([one?.email, one?.phone, none], ['ana@example.com', '+33612345678', []])
  assert.equal(await contactsCounted(database.db, id), 1)
  const seen = await caller.get<{ timeline: { type: string }[] }>(contactGet, { contact_id: kept })
  assert.deepEqual(
    seen.timeline.map(({ type }) => type),
    ['contact.updated', 'contact.updated', 'contact.created'],
  )
  const ledger = await consentsOf(database.db, id)
  assert.deepEqual(
    ledger.map(({ source }) => source),
    ['a call', `merged with ${other}`],
  )
  assert.equal((await eventsOf(database.db, id)).at(-1)?.data['contact_id'], kept)
  assert.deepEqual((await eventsOf(database.db, id)).at(-1)?.data['changed'], [
    'phone',
    'tags',
    'consent.sms',
  ])
  assert.equal((await caller.refused(contactGet, { contact_id: other })).code, 'not_found')
})

test('a repeated merge changes nothing, and an unknown contact is refused with its field', async () => {
  const { caller, id } = await fresh()
  const kept = await save(caller, { email: 'ana@example.com' })
  const other = await save(caller, { email: 'bo@example.com' })
  const named = { contact_id: kept, other_contact_id: other }
  const first = await caller.get(merge, named)
  assert.deepEqual(first, { contact_id: kept, left_out: { email: 'bo@example.com' } })
  const events = (await eventsOf(database.db, id)).length
  assert.deepEqual(await caller.get(merge, named), { contact_id: kept, left_out: {} })
  assert.equal((await eventsOf(database.db, id)).length, events)
  const backwards = { contact_id: other, other_contact_id: kept }
  assert.equal((await caller.refused(merge, backwards)).details.field, 'contact_id')
  const self = { contact_id: kept, other_contact_id: kept }
  assert.equal((await caller.refused(merge, self)).details.field, 'other_contact_id')
})

test('form submissions of the merged contact belong to the kept contact', async () => {
  const { caller } = await fresh()
  const facilities = { appUrl: 'https://app.example' }
  const form = await caller.get<{ form_id: string }>(formSave, {
    name: 'A form',
    status: 'published',
    fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
  })
  const { contact_id: other } = await caller.get<{ contact_id: string }>(formSubmit(facilities), {
    form_id: form.form_id,
    fields: { email: 'bo@example.com' },
  })
  const kept = await save(caller, { phone: '+33612345678' })
  await caller.get(merge, { contact_id: kept, other_contact_id: other })
  const { submissions } = await caller.get<{ submissions: { contact_id: string }[] }>(
    submissionList,
    { form_id: form.form_id },
  )
  assert.deepEqual(
    submissions.map(({ contact_id }) => contact_id),
    [kept],
  )
})

test('an upsert with the addresses of two contacts is refused with the merge call that joins them', async () => {
  const { caller } = await fresh()
  const one = await save(caller, { email: 'ana@example.com' })
  const other = await save(caller, { phone: '+33612345678' })
  const both = { email: 'ana@example.com', phone: '+33612345678' }
  const { code, details } = await caller.refused(contactUpsert, both)
  assert.equal(code, 'conflict')
  assert.equal(details.fix?.tool, 'contact.merge')
  await caller.get(merge, details.fix?.arguments ?? {})
  assert.equal(await save(caller, both), one)
  assert.notEqual(one, other)
})
