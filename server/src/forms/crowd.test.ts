/** Many people submit at once: nothing is lost, and nothing is counted twice. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  feedOf,
  forms,
  publishedForm,
  type Submitted,
  traces,
} from '../../../tests/support/businesses/forms.ts'
import { callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { createEngine } from '../core/writes/unit-of-work.ts'
import { openDatabase, sql } from '../lib/db/db.ts'
import type { FormView } from './form.ts'
import { submissionList } from './list-submissions.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

/** Callers in one business on separate nodes, each with its own pool and engine. */
async function nodes(n: number) {
  const businessId = await newBusiness(database.db)
  const pools = Array.from({ length: n }, () => openDatabase({ connection: database.connection }))
  const callers = pools.map((db) => {
    return callerIn({ db, clock, engine: createEngine({ db, clock }) }, businessId)
  })
  const end = () => Promise.all(pools.map((pool) => pool.end()))
  return { businessId, callers, end, first: callers[0] as (typeof callers)[number] }
}

for (const n of [1, 3]) {
  test(`200 concurrent submissions by 40 people over ${n} nodes give 200 counts, 40 contacts and 200 events`, async (t) => {
    const { businessId, callers, end, first } = await nodes(n)
    t.after(end)
    const form_id = await publishedForm(first)
    const saved = await Promise.all(
      Array.from({ length: 200 }, (_, i) => {
        const input = { form_id, fields: { email: `person${i % 40}@example.com` } }
        return (callers[i % n] as typeof first).get<Submitted>(forms.submit, input)
      }),
    )
    const ids = new Set(saved.map(({ submission_id }) => submission_id))
    assert.equal(ids.size, 200)
    const contacts = await database.db.all<{ id: Id<'contact'>; email: string }>(
      sql`select id, email from contacts where business_id = ${businessId}`,
    )
    const byEmail = new Map(contacts.map(({ id, email }) => [email, formatId('contact', id)]))
    for (const [i, { contact_id }] of saved.entries()) {
      assert.equal(contact_id, byEmail.get(`person${i % 40}@example.com`))
    }

    const { submission_count } = await first.get<FormView>(forms.get, { form_id })
    assert.equal(submission_count, 200)
    const counts = { counted: 200, submissions: 200, contacts: 40, announced: 200 }
    assert.deepEqual(await traces(database.db, businessId), counts)

    const events = await feedOf(first, { db: database.db, clock })
    const told = events.filter(({ type }) => type === 'form.submitted')
    assert.equal(told.length, 200)
    assert.deepEqual(new Set(told.map(({ data }) => data['submission_id'])), ids)
    assert.equal(events.filter(({ type }) => type === 'contact.created').length, 40)
  })
}

test('concurrent submissions over many forms and nodes are counted for their own form', async (t) => {
  const { businessId, callers, end, first } = await nodes(3)
  t.after(end)
  const ids = await Promise.all(Array.from({ length: 12 }, () => publishedForm(first)))
  await Promise.all(
    Array.from({ length: 360 }, (_, i) => {
      // Every caller visits the forms in a different order.
      const form_id = ids[(i * 7 + i ** 2) % ids.length]
      const input = { form_id, fields: { email: `p${(i * 13) % 31}@example.com` } }
      return (callers[i % 3] as typeof first).get(forms.submit, input)
    }),
  )
  const { counted, submissions, announced } = await traces(database.db, businessId)
  assert.deepEqual([counted, submissions, announced], [360, 360, 360])
  const { forms: listed } = await first.get<{ forms: FormView[] }>(forms.list)
  for (const { form_id, submission_count } of listed) {
    const page = await first.get<{ submissions: unknown[] }>(submissionList, {
      form_id,
      limit: 200,
    })
    assert.equal(page.submissions.length, submission_count)
  }
})

test('a form archived during concurrent submissions counts exactly those that it accepted', async (t) => {
  const { businessId, callers, end, first } = await nodes(2)
  t.after(end)
  const form_id = await publishedForm(first)
  const submit = (i: number) => {
    const input = { form_id, fields: { email: `p${i}@example.com` } }
    return (callers[i % 2] as typeof first).ask<Submitted>(forms.submit, input)
  }
  const crowd = Array.from({ length: 60 }, (_, i) => submit(i))
  await first.get(forms.save, { form_id, status: 'archived' })
  const late = Array.from({ length: 60 }, (_, i) => submit(60 + i))
  const answers = await Promise.all([...crowd, ...late])
  const accepted = answers.filter((answer) => !isRefusal(answer)).length
  const refused = answers.filter((answer) => isRefusal(answer) && answer.code === 'conflict').length
  assert.equal(accepted + refused, 120)
  assert.ok(refused >= 60)
  const { counted, submissions, contacts, announced } = await traces(database.db, businessId)
  assert.deepEqual([counted, submissions, contacts, announced], Array(4).fill(accepted))
})

test('a submission that arrives while the form is being archived is refused', async (t) => {
  const { businessId, end, first } = await nodes(1)
  t.after(end)
  const form_id = await publishedForm(first)
  const archived = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const holder = database.db.tx(async (tx) => {
    await tx.run(sql`update forms set status = 'archived' where business_id = ${businessId}`)
    archived.resolve()
    await letGo.promise
  })
  await archived.promise
  const answer = first.refused(forms.submit, { form_id, fields: { email: 'a@example.com' } })
  await untilSomeoneWaits()
  letGo.resolve()
  await holder
  assert.equal((await answer).code, 'conflict')
  const { counted, submissions } = await traces(database.db, businessId)
  assert.deepEqual([counted, submissions], [0, 0])
})

/** Resolves once a statement of this database waits for another transaction. */
async function untilSomeoneWaits(): Promise<void> {
  for (;;) {
    const { n } = await database.db.one<{ n: number }>(sql`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `)
    if (n > 0) return
  }
}
