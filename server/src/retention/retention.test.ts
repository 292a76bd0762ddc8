/** Nightly deletion in a business, and the preview that it shows before. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { callerIn, testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { monthsBefore, type Retention } from '../accounts/businesses/retention.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { type Id, lowestIdAt } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Job, Verdict } from '../lib/jobs/job.ts'
import { later } from '../lib/time/clock.ts'
import { retentionJob } from './job.ts'
import { retentionJobs } from './jobs.ts'
import { retentionPreview } from './preview.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const cut = (months: number) => monthsBefore(clock.now(), months)
const idAt = (at: Date) => lowestIdAt('contact', at)

/** One row of each kind just inside the retention, and one just past it. */
async function business(retention: Retention | undefined, months = 6) {
  const { db } = database
  const id = await newBusiness(db)
  if (retention) {
    const value = JSON.stringify(retention)
    await setBusiness(db, id, { key: 'retention', value, now: clock.now() })
  }
  for (const [age, at] of [
    ['old', later(cut(months), -1)],
    ['new', cut(months)],
  ] as const) {
    await insertContact(id, { name: age, at })
    await insertMessage(id, { at, state: 'delivered', contactId: null })
    await db.run(sql`
      insert into consent_events (business_id, contact_id, id, channel, action, source, ip, agent,
        created_at)
      values (${id}, ${idAt(new Date(0))}, ${idAt(at)}, 'email', 'subscribed', ${age}, '192.0.2.1',
        'Browser', ${at})
    `)
    await db.run(sql`
      insert into submissions (business_id, form_id, id, contact_id, form_version, fields, answers,
        source_url, created_at)
      values (${id}, ${await formOf(id)}, ${idAt(at)}, ${idAt(new Date(0))}, 1, '{}', '{}',
        ${age}, ${at})
    `)
  }
  return id
}

async function formOf(id: Id<'business'>): Promise<string> {
  const form = idAt(new Date(1))
  await database.db.run(sql`
    insert into forms (business_id, id, name, status, fields, tags, submission_count, version, created_at, updated_at)
    values (${id}, ${form}, 'A form', 'published', '[]', '{}', 2, 1, now(), now())
    on conflict do nothing
  `)
  return form
}

interface NewContact {
  name: string
  at: Date
  email?: string
  consent?: string
  topics?: object
}

async function insertContact(
  id: Id<'business'>,
  { name, at, email = `${name}@example.com`, consent = 'none', topics = {} }: NewContact,
) {
  const contactId = idAt(at)
  await database.db.run(sql`
    insert into contacts (business_id, id, name, email, attributes, tags, email_consent,
      sms_consent, topics, source, created_at, updated_at)
    values (${id}, ${contactId}, ${name}, ${email}, '{}', '{}', ${consent}, 'none',
      ${JSON.stringify(topics)}, 'api', ${at}, ${at})
  `)
  return contactId
}

async function insertMessage(
  id: Id<'business'>,
  { at, state, contactId }: { at: Date; state: string; contactId: string | null },
) {
  await database.db.run(sql`
    insert into messages (business_id, id, kind, contact_id, recipient, state, attempts, due_at,
      created_at, updated_at)
    values (${id}, ${idAt(at)}, 'transactional', ${contactId}, 'someone', ${state}, 0, ${at}, ${at}, ${at})
  `)
  await database.db.run(sql`
    insert into message_contents (business_id, message_id, subject, created_at)
    values (${id}, ${idAt(at)}, 'Hello', ${at})
  `)
}

interface Left {
  bodies: number
  traces: number
  words: number
  submissions: number
  contacts: string[]
}

function leftOf(id: Id<'business'>): Promise<Left> {
  return database.db.one<Left>(sql`
    select
      (select count(*)::int from message_contents where business_id = ${id}) as bodies,
      (select count(*)::int from consent_events
        where business_id = ${id} and (ip is not null or agent is not null)) as traces,
      (select count(*)::int from consent_events where business_id = ${id}) as words,
      (select count(*)::int from submissions where business_id = ${id}) as submissions,
      (select coalesce(array_agg(name order by name), '{}') from contacts
        where business_id = ${id}) as contacts
  `)
}

const deps = (batchSize?: number) => ({
  db: database.db,
  clock,
  hmac: testVault.hmac,
  historyMonths: null,
  ...(batchSize !== undefined && { batchSize }),
})

const { signal } = new AbortController()

/** Runs batches of the business until none is left; returns their number. */
async function runNight(id: Id<'business'>, batchSize?: number): Promise<number> {
  const kinds = retentionJobs(deps(batchSize))
  await kinds['retention.begin-nights']?.run({} as Job, signal)
  return goOn(id, batchSize)
}

async function goOn(id: Id<'business'>, batchSize?: number, most = 200): Promise<number> {
  const kinds = retentionJobs(deps(batchSize))
  for (let n = 1; n <= most; n++) {
    const job = { payload: { business_id: id } } as Job
    const verdict = (await kinds[retentionJob]?.run(job, signal)) as Verdict
    if (verdict.outcome === 'done') return n
  }
  return most
}

const preview = (id: Id<'business'>) =>
  callerIn({ db: database.db, clock }, id).get<
    Record<string, { months: number | null; deletes: number; more: boolean }>
  >(retentionPreview({ historyMonths: null }), {})

const all = { messages: 6, evidence: 6, submissions: 6, contacts: 6 }
const untouched = { bodies: 2, traces: 2, words: 2, submissions: 2, contacts: ['new', 'old'] }

test('a night deletes data older than the retention to the millisecond, and only of that business', async () => {
  const [id, other] = [await business(all), await business(undefined)]
  const expected = { months: 6, deletes: 1, more: false }
  assert.deepEqual(await preview(id), {
    messages: expected,
    evidence: expected,
    submissions: expected,
    contacts: expected,
    history: { months: null, deletes: 0, more: false },
    events: { months: null, deletes: 0, more: false },
    most_months: null,
  })
  assert.deepEqual(await leftOf(id), untouched, 'a preview deletes nothing')
  await runNight(id)
  const left = { bodies: 1, traces: 1, words: 2, submissions: 1, contacts: ['new'] }
  assert.deepEqual(await leftOf(id), left)
  assert.deepEqual(await leftOf(other), untouched)
  const audit = await database.db.all(sql`
    select details from audit_entries where business_id = ${id} and action = 'retention.apply'
  `)
  assert.deepEqual(audit, [{ details: { messages: 1, evidence: 1, submissions: 1, contacts: 1 } }])
  assert.equal((await preview(id))['contacts']?.deletes, 0)
})

test('each kind of data is deleted by its own retention, and a kind without retention is not deleted', async () => {
  for (const [kind, change] of [
    ['messages', { bodies: 1 }],
    ['evidence', { traces: 1 }],
    ['submissions', { submissions: 1 }],
    ['contacts', { contacts: ['new'] }],
  ] as const) {
    const id = await business({ [kind]: 6 })
    await runNight(id)
    assert.deepEqual(await leftOf(id), { ...untouched, ...change }, kind)
  }
  const cleared = await business({ messages: 6 })
  const value = '{"messages":null}'
  await setBusiness(database.db, cleared, { key: 'retention', value, now: clock.now() })
  await runNight(cleared)
  assert.deepEqual(await leftOf(cleared), untouched)
})

test('an old contact with recent messages, activity or changes, or with a queued message, is not deleted', async () => {
  const { db } = database
  const id = await business({ contacts: 6 })
  const [long, since] = [cut(12), cut(5)]
  const old = (name: string, n: number) => insertContact(id, { name, at: later(long, n) })
  const named: Record<string, string> = {}
  for (const [n, name] of [
    'written',
    'waiting',
    'active',
    'spoken',
    'bought',
    'changed',
  ].entries()) {
    named[name] = await old(name, n)
  }
  await insertMessage(id, { at: since, state: 'delivered', contactId: named['written'] ?? '' })
  await insertMessage(id, {
    at: later(long, 99),
    state: 'scheduled',
    contactId: named['waiting'] ?? '',
  })
  await db.run(sql`
    insert into contact_activity (business_id, contact_id, id, type, details, created_at)
    values (${id}, ${named['active']}, ${idAt(since)}, 'message.opened', '{}', ${since})
  `)
  await db.run(sql`
    insert into consent_events (business_id, contact_id, id, channel, action, source, created_at)
    values (${id}, ${named['spoken']}, ${idAt(later(since, 1))}, 'email', 'subscribed', 'x', ${since})
  `)
  await db.run(sql`
    insert into own_events (business_id, key, id, contact_id, name, happened_at, properties, created_at)
    values (${id}, '\\x00', ${idAt(since)}, ${named['bought']}, 'order', ${since}, '{}', ${since})
  `)
  await db.run(sql`
    update contacts set updated_at = ${since} where business_id = ${id} and id = ${named['changed']}
  `)
  await runNight(id)
  const { contacts } = await leftOf(id)
  assert.deepEqual(contacts, ['active', 'bought', 'changed', 'new', 'spoken', 'waiting', 'written'])
})

test('the opt-out of a deleted contact is remembered as a hash', async () => {
  const id = await business({ contacts: 6 })
  const at = cut(12)
  await insertContact(id, { name: 'left', at, consent: 'unsubscribed' })
  const topics = { email: { news: 'unsubscribed' } }
  await insertContact(id, { name: 'topic', at: later(at, 1), consent: 'subscribed', topics })
  await insertContact(id, { name: 'fine', at: later(at, 2), consent: 'subscribed' })
  await runNight(id)
  assert.deepEqual((await leftOf(id)).contacts, ['new'])
  const suppressed = await database.db.all(sql`
    select reason, source from suppressions where business_id = ${id}
  `)
  const no = { reason: 'unsubscribed', source: 'retention' }
  assert.deepEqual(suppressed, [no, no])
})

test('deletion batches continue where the last one ended, even after the process was killed', async () => {
  const id = await business({ messages: 6, contacts: 6 })
  for (let n = 0; n < 9; n++) {
    const at = later(cut(12), n)
    await insertContact(id, { name: `c${n}`, at })
    await insertMessage(id, { at, state: n === 0 ? 'queued' : 'delivered', contactId: null })
  }
  const kinds = retentionJobs(deps(2))
  await kinds['retention.begin-nights']?.run({} as Job, signal)
  await goOn(id, 2, 2)
  const { bodies, contacts } = await leftOf(id)
  assert.deepEqual(
    [bodies, contacts.length],
    [8, 11],
    'two batches of two, one message still queued',
  )
  await kinds['retention.begin-nights']?.run({} as Job, signal)
  await goOn(id, 2)
  const left = await leftOf(id)
  assert.deepEqual([left.bodies, left.contacts], [2, ['new']])
  const [audit, ...more] = await database.db.all<{ details: object }>(sql`
    select details from audit_entries where business_id = ${id} and action = 'retention.apply'
  `)
  assert.deepEqual([audit?.details, more], [{ messages: 9, contacts: 10 }, []])
})
