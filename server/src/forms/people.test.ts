/** How a submission changes its person, and which of the person's states prevent it. */
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
import { type Caller, callerIn, testVault } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { suppress } from '../contacts/suppressions/suppression.ts'
import { type Id, parseId } from '../core/ids.ts'
import type { Tier } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import { reserve } from '../usage/reserve.ts'

let database: TestDatabase
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

async function business(tier: Tier = 'scale') {
  const businessId = await newBusiness(database.db, tier)
  const caller = callerIn({ db: database.db, clock }, businessId, { tier })
  return { businessId, caller }
}

const submit = (caller: Caller, form_id: string, fields: object) =>
  caller.get<Submitted>(forms.submit, { form_id, fields })

const phone = { key: 'mobile', label: 'Phone', type: 'phone' }
const news = { key: 'news', label: 'Yes, send me news by email.', type: 'consent' }

test('a submission creates a contact with the form’s tags, and emits contact.created', async () => {
  const { caller } = await business()
  const name = { key: 'name', label: 'Name', type: 'text' }
  const age = { key: 'age', label: 'Age', type: 'number' }
  const form_id = await publishedForm(caller, [name, age], { tags: ['site', 'a "b"'] })
  const given = { email: 'ada@example.com', name: 'Ada', age: '36' }
  const { contact_id } = await submit(caller, form_id, given)
  const events = await feedOf(caller, { db: database.db, clock })
  const created = events.find(({ type }) => type === 'contact.created')
  assert.deepEqual(created?.data, {
    contact_id,
    email: 'ada@example.com',
    phone: null,
    external_id: null,
    name: 'Ada',
    first_name: null,
    last_name: null,
    language: null,
    attributes: { age: 36 },
    tags: ['a "b"', 'site'],
    consent: { email: 'none', sms: 'none', tracking: 'none' },
    topics: { email: {}, sms: {} },
    source: 'form',
    consent_given: [],
    tags_added: ['a "b"', 'site'],
  })
  await submit(caller, form_id, { ...given, age: '37' })
  await submit(caller, form_id, { ...given, age: '37' })
  const later = await feedOf(caller, { db: database.db, clock })
  const updated = later.filter(({ type }) => type === 'contact.updated')
  assert.deepEqual(
    updated.map(({ data }) => data['changed']),
    [['attributes.age']],
  )
})

interface Consent {
  channel: string
  action: string
  source: string
  text: string | null
}

function ledgerOf(businessId: Id<'business'>): Promise<Consent[]> {
  return database.db.all(sql`
    select channel, action, source, text from consent_events
    where business_id = ${businessId} order by id
  `)
}

test('consent is recorded with its exact words and form, and a later submission does not withdraw it', async () => {
  const { businessId, caller } = await business()
  const form_id = await publishedForm(caller, [news], { double_opt_in: false })
  const email = 'ada@example.com'
  await submit(caller, form_id, { email, news: 'true' })
  const evidence = { channel: 'email', action: 'subscribed', source: `form ${form_id}` }
  assert.deepEqual(await ledgerOf(businessId), [{ ...evidence, text: news.label }])
  for (const again of [{ email }, { email, news: 'false' }, { email, news: '' }]) {
    await submit(caller, form_id, again)
  }
  assert.equal((await ledgerOf(businessId)).length, 1)
  const { status } = await database.db.one<{ status: string }>(
    sql`select email_consent as status from contacts where business_id = ${businessId}`,
  )
  assert.equal(status, 'subscribed')
})

test('a submission appears in the contact’s timeline', async () => {
  const { businessId, caller } = await business()
  const form_id = await publishedForm(caller)
  const saved = await submit(caller, form_id, { email: 'ada@example.com' })
  const rows = await database.db.all(sql`
    select type, details from contact_activity
    where business_id = ${businessId} and contact_id = ${parseId('contact', saved.contact_id)}
      and type like 'form.%'
  `)
  assert.deepEqual(rows, [
    { type: 'form.submitted', details: { form_id, submission_id: saved.submission_id } },
  ])
})

test('a submission with the addresses of two contacts is refused at its form field, and leaves no rows', async () => {
  const { businessId, caller } = await business()
  const form_id = await publishedForm(caller, [phone])
  const one = await submit(caller, form_id, { email: 'one@example.com', mobile: '+33123456789' })
  const two = await submit(caller, form_id, { email: 'two@example.com' })
  const before = await traces(database.db, businessId)
  const fields = { email: 'two@example.com', mobile: '+33 1 23 45 67 89' }
  const { code, details } = await caller.refused(forms.submit, { form_id, fields })
  assert.deepEqual([code, details.field], ['conflict', 'fields.mobile'])
  assert.deepEqual(details.data?.['contact_ids'], [two.contact_id, one.contact_id])
  assert.deepEqual(await traces(database.db, businessId), before)
})

test('an erased person is not brought back by submitting a form', async () => {
  const { businessId, caller } = await business()
  const form_id = await publishedForm(caller, [phone])
  const mobile = '+33123456789'
  const erased = { businessId, channel: 'sms', address: mobile, reason: 'erased' } as const
  await database.db.tx((tx) => {
    return suppress(tx, testVault.hmac, [{ ...erased, source: 'a test' }], clock.now())
  })
  const before = await traces(database.db, businessId)
  const fields = { email: 'new@example.com', mobile: '+33 1 23 45 67 89' }
  const { code, details } = await caller.refused(forms.submit, { form_id, fields })
  assert.deepEqual([code, details.field], ['conflict', 'fields.mobile'])
  assert.deepEqual(await traces(database.db, businessId), before)
})

test('at the contact limit a new person is refused with the tier needed, and a known one is accepted', async () => {
  const { businessId, caller } = await business('free')
  const metric = 'contacts' as const
  const all = { businessId, metric, amount: 498, tier: 'free' as const, partial: false }
  await database.db.tx((tx) => reserve(tx, [all], clock.now()))
  const form_id = await publishedForm(caller)
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => {
      const fields = { email: `p${i % 10}@example.com` }
      return caller.ask<Submitted>(forms.submit, { form_id, fields })
    }),
  )
  const refused = answers.filter((answer) => answer instanceof Error)
  assert.equal(refused.length, 24)
  for (const { code, details } of refused) {
    assert.deepEqual([code, details.data?.['tier']], ['tier_required', 'growth'])
  }
  const counts = { counted: 6, submissions: 6, contacts: 2, announced: 6 }
  assert.deepEqual(await traces(database.db, businessId), counts)
})
