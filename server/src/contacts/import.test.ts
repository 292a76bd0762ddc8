import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  contactsCounted,
  contactsOf,
  eventsOf,
  suppressAddress,
} from '../../../tests/support/businesses/contacts.ts'
import { callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { someoneWaits } from '../../../tests/support/postgres/locks.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { isRefusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Operation, Tier } from '../core/operation.ts'
import { createEngine } from '../core/writes/unit-of-work.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'
import { lockStandingCounters } from '../usage/reserve.ts'
import { contactImport } from './import.ts'
import { contactUpsert } from './upsert.ts'

let database: TestDatabase
let db: Database
const clock = new ManualClock()
let operation: Operation

before(async () => {
  database = await testDatabase()
  db = database.db
  operation = contactImport()
})
after(() => database.drop())

interface Row {
  row: number
  outcome: string
  contact_id?: string
  code?: string
  message?: string
  field?: string
  stayed_unsubscribed?: string[]
}
interface Imported {
  created: number
  updated: number
  unchanged: number
  refused: number
  stayed_unsubscribed: number
  refusals: { code: string; field?: string; message: string; count: number; rows: number[] }[]
  rows: Row[]
}

async function importer(tier: Tier = 'scale') {
  const businessId = await newBusiness(db, tier)
  const caller = callerIn({ db, clock, engine: createEngine({ db, clock }) }, businessId, { tier })
  const bring = (contacts: object[], more: object = {}) =>
    caller.get<Imported>(operation, { contacts, each_row: true, ...more })
  return { businessId, caller, bring }
}

const people = (n: number, from = 0) =>
  Array.from({ length: n }, (_, i) => ({
    email: `p${from + i}@example.com`,
    name: `P ${from + i}`,
  }))

async function audits(businessId: Id<'business'>): Promise<object[]> {
  const rows = await db.all<{ details: object }>(sql`
    select details from audit_entries
    where business_id = ${businessId} and action = 'contact.import' order by id
  `)
  return rows.map(({ details }) => details)
}

test('each imported row has its outcome, in order', async () => {
  const { businessId, caller, bring } = await importer()
  const old = { email: 'old@example.com', name: 'Old' }
  await caller.get(contactUpsert, old)
  await caller.get(contactUpsert, {
    email: 'left@example.com',
    consent: { email: { status: 'unsubscribed', source: 'link' } },
  })
  await suppressAddress(db, businessId, 'erased@example.com')
  const subscribed = { email: { status: 'subscribed', source: 'the old system' } }
  const { rows, stayed_unsubscribed, refusals, ...counts } = await bring([
    { email: 'NEW@example.com', consent: subscribed },
    old,
    { email: 'old@example.com', name: 'Older' },
    { email: 'new@example.com', name: 'New' },
    { email: 'left@example.com', consent: subscribed },
    { email: 'erased@example.com' },
    { email: 'no address' },
    { phone: '0612345678' },
    { email: 'x@example.com', nme: 'X' },
    { email: 'x@example.com', attributes: { plan: [] } },
    { name: 'Nobody' },
    { email: 'y@example.com', consent: { sms: { status: 'subscribed', source: 'x' } } },
  ])
  assert.deepEqual(
    rows.map(({ row, outcome, code, field }) => [row, outcome, code, field]),
    [
      [0, 'created', undefined, undefined],
      [1, 'unchanged', undefined, undefined],
      [2, 'updated', undefined, undefined],
      [3, 'updated', undefined, undefined],
      [4, 'unchanged', undefined, undefined],
      [5, 'refused', 'conflict', 'email'],
      [6, 'refused', 'invalid_request', 'email'],
      [7, 'refused', 'invalid_request', 'phone'],
      [8, 'refused', 'invalid_request', 'nme'],
      [9, 'refused', 'invalid_request', 'attributes.plan'],
      [10, 'refused', 'invalid_request', 'email'],
      [11, 'refused', 'invalid_request', 'consent.sms'],
    ],
  )
  assert.ok(
    rows.every(({ outcome, message }) => (outcome === 'refused') === (message !== undefined)),
  )
  assert.deepEqual(rows[4]?.stayed_unsubscribed, ['email'])
  assert.equal(rows[0]?.contact_id, rows[3]?.contact_id)
  assert.equal(stayed_unsubscribed, 1)
  assert.deepEqual(
    refusals.map(({ code, field, count, rows: places }) => [code, field, count, ...places]),
    [
      ['invalid_request', 'email', 2, 6, 10],
      ['conflict', 'email', 1, 5],
      ['invalid_request', 'phone', 1, 7],
      ['invalid_request', 'nme', 1, 8],
      ['invalid_request', 'attributes.plan', 1, 9],
      ['invalid_request', 'consent.sms', 1, 11],
    ],
  )
  assert.deepEqual(counts, { created: 1, updated: 2, unchanged: 2, refused: 7 })
  assert.deepEqual(await audits(businessId), [counts])
  const left = (await contactsOf(db, businessId)).find(({ email }) => email === 'left@example.com')
  assert.equal(left?.consent.email, 'unsubscribed')
})

test('ten thousand refused rows are reported in less than 25 kB, whatever their errors', async () => {
  const { caller } = await importer()
  const bytes = async (wrong: (n: number) => object) => {
    const contacts = Array.from({ length: 10_000 }, (_, n) => wrong(n))
    const answer = await caller.get<Imported>(operation, { contacts })
    assert.deepEqual([answer.refused, answer.rows], [10_000, undefined])
    const told = answer.refusals.reduce((sum, { count }) => sum + count, 0)
    assert.equal(told, 10_000)
    return Buffer.byteLength(JSON.stringify(answer))
  }
  const long = '中'.repeat(300)
  assert.ok((await bytes((n) => ({ email: `not an address ${n}` }))) < 1_000)
  assert.ok((await bytes((n) => ({ [`${n}${long}`]: 1, email: 'a@example.com' }))) < 25_000)
  assert.ok((await bytes((n) => ({ attributes: { [`${n}`]: [] }, email: 'a@b.example' }))) < 25_000)
})

test('ten thousand rows fit into one call, and the same call again changes nothing', async () => {
  const { businessId, bring } = await importer()
  const rows = people(10_000)
  const first = await bring(rows)
  assert.deepEqual([first.created, first.refused, first.rows.length], [10_000, 0, 10_000])
  assert.equal(await contactsCounted(db, businessId), 10_000)
  const again = await bring(rows)
  assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, 10_000])
  assert.deepEqual(
    again.rows.map((row) => row.contact_id),
    first.rows.map((row) => row.contact_id),
  )
  const { n } = await db.one<{ n: number }>(
    sql`select count(*) as n from events where business_id = ${businessId}`,
  )
  assert.equal(n, 10_000)
})

test('a person in two distant rows becomes one contact, with the values of the last row', async () => {
  const { businessId, bring } = await importer()
  const rows = [...people(1500), { email: 'p0@example.com', name: 'Zero' }]
  const answer = await bring(rows)
  assert.deepEqual([answer.created, answer.updated], [1500, 1])
  assert.equal(answer.rows.at(-1)?.contact_id, answer.rows[0]?.contact_id)
  const zero = (await contactsOf(db, businessId)).find(({ email }) => email === 'p0@example.com')
  assert.equal(zero?.name, 'Zero')
})

test('an import of more than ten thousand rows, or of none, is refused as a whole', async () => {
  const { businessId, caller } = await importer()
  for (const contacts of [people(10_001), []]) {
    const refusal = await caller.refused(operation, { contacts })
    assert.equal(refusal.details.field, 'contacts')
  }
  assert.deepEqual(await contactsOf(db, businessId), [])
})

test('a contact limit reached during an import accepts the rows that fit and refuses the rest', async () => {
  const { businessId, bring } = await importer('free')
  const answer = await bring(people(1200))
  assert.deepEqual([answer.created, answer.refused], [500, 700])
  assert.ok(answer.rows.slice(0, 500).every(({ outcome }) => outcome === 'created'))
  for (const { code, message } of answer.rows.slice(500)) {
    assert.equal(code, 'tier_required')
    assert.match(message ?? '', /growth/)
  }
  assert.equal((await contactsOf(db, businessId)).length, 500)
  assert.equal(await contactsCounted(db, businessId), 500)
})

test('64 concurrent imports end exactly at the contact limit', async () => {
  const { businessId, bring } = await importer('free')
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, i) => bring([...people(8, i * 8), ...people(4)])),
  )
  const created = answers.reduce((sum, answer) => sum + answer.created, 0)
  assert.equal(created, 500)
  assert.equal((await contactsOf(db, businessId)).length, 500)
  assert.equal(await contactsCounted(db, businessId), 500)
  const refused = answers.flatMap(({ rows }) => rows).filter(({ outcome }) => outcome === 'refused')
  assert.equal(refused.length, 12)
  assert.ok(refused.every(({ code }) => code === 'tier_required'))
})

test('concurrent imports and upserts on two nodes lose no contact and cause no deadlock', async () => {
  const { businessId } = await importer()
  const nodes = [contactImport(), contactImport()].map((op) => ({
    op,
    caller: callerIn({ db, clock, engine: createEngine({ db, clock }) }, businessId),
  }))
  const work = Array.from({ length: 24 }, async (_, i) => {
    const { op, caller } = nodes[i % 2] as (typeof nodes)[number]
    if (i % 3 > 0) {
      const contacts = people(40, i * 10).reverse()
      return caller.ask(op, { contacts })
    }
    return Promise.all(
      people(40, i * 10).map((person) => caller.ask(contactUpsert, { ...person, tags: ['x'] })),
    )
  })
  for (const answer of (await Promise.all(work)).flat())
    assert.ok(!isRefusal(answer), String(answer))
  const rows = await contactsOf(db, businessId)
  assert.equal(rows.length, 270)
  assert.equal(await contactsCounted(db, businessId), 270)
})

test('an import locks no contact before a concurrent transaction that creates contacts is done', async () => {
  const { businessId, bring } = await importer()
  await bring(people(1))
  const done = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const maker = db.tx(async (tx) => {
    await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
    started.resolve()
    await done.promise
    await tx.run(sql`select from contacts where business_id = ${businessId} for update nowait`)
  })
  await started.promise
  const imported = bring([{ email: 'p0@example.com', name: 'Changed' }])
  await someoneWaits(db)
  done.resolve()
  await maker
  assert.equal((await imported).updated, 1)
})

test('an import that fails in its last chunk leaves no rows', async () => {
  const { businessId, bring } = await importer()
  await db.run(sql`
    alter table contacts add constraint breaks check (name <> 'P 1500') not valid
  `)
  await assert.rejects(bring(people(1600)))
  await db.run(sql`alter table contacts drop constraint breaks`)
  assert.deepEqual(await contactsOf(db, businessId), [])
  assert.deepEqual(await eventsOf(db, businessId), [])
  assert.equal(await contactsCounted(db, businessId), 0)
  assert.deepEqual(await audits(businessId), [])
})

test('an import with an idempotency key runs once and returns the same result', async () => {
  const { businessId, bring } = await importer()
  const rows = [...people(3), { email: 'no' }]
  const first = await bring(rows, { idempotency_key: 'import' })
  assert.equal(first.created, 3)
  assert.deepEqual(await bring(rows, { idempotency_key: 'import' }), first)
  assert.equal((await audits(businessId)).length, 1)
})

test('an editor cannot import contacts', async () => {
  const { businessId } = await importer()
  const editor = callerIn({ db, clock }, businessId, { role: 'editor' })
  const refusal = await editor.refused(operation, { contacts: people(1) })
  assert.equal(refusal.code, 'role_required')
})
