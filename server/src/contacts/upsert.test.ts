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
import { isRefusal } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import { createEngine } from '../core/writes/unit-of-work.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'
import { contactUpsert } from './upsert.ts'

let database: TestDatabase
let db: Database
let businessId: Id<'business'>
let caller: Caller
const clock = new ManualClock()

before(async () => {
  database = await testDatabase()
  db = database.db
  businessId = await newBusiness(db)
  caller = callerIn({ db, clock }, businessId)
})
after(() => database.drop())

interface Saved {
  contact_id: string
  created: boolean
}
const upsert = (input: object) => caller.get<Saved>(contactUpsert, input)

test('the first upsert creates the contact, and later ones find it in any spelling', async () => {
  const first = await upsert({ email: 'Ana@Example.com', name: 'Ana' })
  assert.equal(first.created, true)
  assert.ok(parseId('contact', first.contact_id))
  for (const again of [
    { email: ' ana@example.COM ', phone: '+33 6 12 34 56 78' },
    { phone: '+33612345678', attributes: { plan: 'pro' } },
    { email: 'ana@example.com', name: 'Ana' },
  ]) {
    assert.deepEqual(await upsert(again), { contact_id: first.contact_id, created: false })
  }
  assert.deepEqual(
    (await eventsOf(db, businessId)).map(({ type }) => type),
    ['contact.created', 'contact.updated', 'contact.updated'],
  )
})

test('consent is recorded in the ledger once, with its evidence and source', async () => {
  const given = { status: 'subscribed', source: 'checkout page', text: 'Send me news.' }
  const input = { email: 'consents@example.com', consent: { email: given } }
  const { contact_id } = await upsert(input)
  await upsert(input)
  const left = { status: 'unsubscribed', source: 'phone call' }
  await upsert({ email: 'consents@example.com', consent: { email: left } })
  const contactId = parseId('contact', contact_id)
  const ledger = (await consentsOf(db, businessId)).filter(
    (consent) => consent.contactId === contactId,
  )
  assert.deepEqual(
    ledger.map(({ channel, action, source, text }) => [channel, action, source, text]),
    [
      ['email', 'subscribed', 'checkout page', 'Send me news.'],
      ['email', 'unsubscribed', 'phone call', null],
    ],
  )
  const { n } = await db.one<{ n: number }>(sql`
    select count(*) as n from consent_events
    where contact_id = ${contactId} and connection_id is not null and call_id is not null
      and created_at = ${clock.now()}
  `)
  assert.equal(n, 2)
})

test('64 concurrent upserts for 10 people create 10 contacts, each announced and counted once', async () => {
  const engine = createEngine({ db, clock })
  const id = await newBusiness(db)
  const { get } = callerIn({ db, clock, engine }, id)
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      get<Saved>(contactUpsert, {
        email: `p${i % 10}@example.com`,
        attributes: { [`k${i}`]: i },
      }),
    ),
  )
  assert.equal(answers.filter(({ created }) => created).length, 10)
  assert.equal(new Set(answers.map((answer) => answer.contact_id)).size, 10)
  const rows = await contactsOf(db, id)
  assert.equal(rows.length, 10)
  assert.equal(rows.flatMap(({ attributes }) => Object.keys(attributes)).length, 64)
  assert.equal(await contactsCounted(db, id), 10)
  const types = (await eventsOf(db, id)).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'contact.created').length, 10)
  assert.equal(types.filter((type) => type === 'contact.updated').length, 54)
})

test('two nodes that upsert the same people at once create each contact once', async () => {
  const id = await newBusiness(db)
  const nodes = [1, 2].map(() => callerIn({ db, clock, engine: createEngine({ db, clock }) }, id))
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, i) =>
      (nodes[i % 2] as Caller).get<Saved>(contactUpsert, { email: `p${i % 7}@example.com` }),
    ),
  )
  assert.equal(answers.filter(({ created }) => created).length, 7)
  assert.equal((await contactsOf(db, id)).length, 7)
  assert.equal(await contactsCounted(db, id), 7)
  assert.equal((await eventsOf(db, id)).length, 7)
})

test('concurrent upserts stop exactly at the contact limit, and refusals name the tier needed', async () => {
  const id = await newBusiness(db, 'free')
  await db.run(sql`
    insert into usage_standing (business_id, metric, amount) values (${id}, 'contacts', 470)
  `)
  const engine = createEngine({ db, clock })
  const { ask } = callerIn({ db, clock, engine }, id, { tier: 'free' })
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, i) => ask<Saved>(contactUpsert, { email: `p${i}@example.com` })),
  )
  const refusals = answers.filter((answer) => isRefusal(answer))
  assert.equal(refusals.length, 34)
  for (const refusal of refusals) {
    assert.equal(refusal.code, 'tier_required')
    assert.equal(refusal.details.data?.['tier'], 'growth')
  }
  assert.equal((await contactsOf(db, id)).length, 30)
  assert.equal(await contactsCounted(db, id), 500)
})

test('an upsert with an idempotency key returns the first result', async () => {
  const input = { email: 'keyed@example.com', idempotency_key: 'k' }
  const first = await upsert(input)
  assert.equal(first.created, true)
  assert.deepEqual(await upsert(input), first)
})

test('text that cannot be stored is refused with its field', async () => {
  const cases: [string, string][] = [
    ['{"email":"a@b.example","name":"a\\u0000b"}', 'name'],
    ['{"email":"a@b.example","attributes":{"k":"\\ud800"}}', 'attributes.k'],
    ['{"email":"a@b.example","tags":["fine","\\u0000"]}', 'tags[1]'],
    ['{"email":"a@b.example","attributes":{"__proto__":"x"}}', 'attributes.__proto__'],
    ['{"email":"a@b.example","attributes":{"n":1e999}}', 'attributes.n'],
  ]
  for (const [json, field] of cases) {
    const refusal = await caller.refused(contactUpsert, JSON.parse(json))
    assert.equal(refusal.code, 'invalid_request')
    assert.equal(refusal.details.field, field)
  }
})
