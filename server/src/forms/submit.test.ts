import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { assertEventFits } from '../../../tests/support/businesses/event-schema.ts'
import {
  feedOf,
  forms,
  publishedForm,
  type Submitted,
  traces,
} from '../../../tests/support/businesses/forms.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import type { Id } from '../core/ids.ts'

let database: TestDatabase
let businessId: Id<'business'>
let caller: Caller
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
  businessId = await newBusiness(database.db)
  caller = callerIn({ db: database.db, clock }, businessId)
})
after(() => database.drop())

const ada = { email: 'ada@example.com' }
const submit = (form_id: string, fields: object = ada, more: object = {}) =>
  caller.get<Submitted>(forms.submit, { form_id, fields, ...more })
const refusedSubmission = (form_id: string, fields: object = ada, more: object = {}) =>
  caller.refused(forms.submit, { form_id, fields, ...more })
const eventOf = async ({ submission_id }: Submitted) =>
  (await feedOf(caller, { db: database.db, clock })).filter(
    ({ data }) => data['submission_id'] === submission_id,
  )

test('a submission is counted, and announced once with the contract’s five fields', async () => {
  const likes = { key: 'likes', label: 'Likes', type: 'several-of', options: ['Tea', 'Milk'] }
  const form_id = await publishedForm(caller, [likes, { key: 'age', label: 'Age', type: 'number' }])
  const source_url = 'https://example.com/join?utm_source=x#form'
  const fields = { ...ada, likes: 'Milk,Tea', age: '036' }
  const saved = await submit(form_id, fields, { source_url })
  assert.match(saved.submission_id, /^sub_/)
  assert.match(saved.contact_id, /^con_/)
  const events = await eventOf(saved)
  for (const event of events) assertEventFits(event)
  assert.deepEqual(
    events.map(({ type, data }) => ({ type, data })),
    [
      {
        type: 'form.submitted',
        data: { ...saved, form_id, fields: { ...fields, likes: 'Tea, Milk' }, source_url },
      },
    ],
  )
  const form = await caller.get<{ submission_count: number }>(forms.get, { form_id })
  assert.equal(form.submission_count, 1)
})

test('a submission without source_url has the form’s own page as source_url', async () => {
  const form_id = await publishedForm(caller)
  const [event] = await eventOf(await submit(form_id))
  assert.equal(event?.data['source_url'], `https://app.example/f/${form_id}`)
})

test('source_url must be an http or https URL', async () => {
  const form_id = await publishedForm(caller)
  const wrong = ['', 'example.com', '/join', 'javascript:alert(1)', 'ftp://example.com', 'http://']
  for (const source_url of [...wrong, `https://example.com/${'x'.repeat(2000)}`]) {
    const { code, details } = await refusedSubmission(form_id, ada, { source_url })
    assert.deepEqual([code, details.field], ['invalid_request', 'source_url'], source_url)
  }
})

test('a second submission by the same person belongs to the same contact', async () => {
  const form_id = await publishedForm(caller)
  const [one, two] = [await submit(form_id), await submit(form_id, { email: ' ADA@example.com' })]
  assert.notEqual(one.submission_id, two.submission_id)
  assert.equal(one.contact_id, two.contact_id)
})

test('drafts and archived forms refuse submissions, with the call that would publish them', async () => {
  const form_id = await publishedForm(caller)
  const before = await traces(database.db, businessId)
  for (const status of ['draft', 'archived']) {
    await caller.get(forms.save, { form_id, status })
    const { code, details } = await refusedSubmission(form_id, { email: 'new@example.com' })
    assert.deepEqual(
      [code, details.field, details.data],
      ['conflict', 'form_id', { reason: 'form_not_published', status }],
    )
    assert.deepEqual(await traces(database.db, businessId), before)
    const { tool, arguments: input } = details.fix ?? {}
    assert.equal(tool, 'form.save')
    await caller.get(forms.save, input)
    await submit(form_id)
    before.counted++
    before.submissions++
    before.announced++
  }
})

test('an invalid submission is refused at its field, and leaves no rows', async () => {
  const form_id = await publishedForm(caller, [{ key: 'age', label: 'Age', type: 'number' }])
  const before = await traces(database.db, businessId)
  for (const [fields, field] of [
    [{ email: 'stranger' }, 'fields.email'],
    [{}, 'fields.email'],
    [{ email: 'stranger@example.com', age: 'old' }, 'fields.age'],
    [{ email: 'stranger@example.com', shoe: '42' }, 'fields.shoe'],
    [{ email: 7 }, 'fields.email'],
    [JSON.parse('{"email":"stranger@example.com","__proto__":"x"}'), 'fields.__proto__'],
    [JSON.parse('{"email":"stranger@example.com","__proto__":{"a":1}}'), 'fields.__proto__'],
    [{ email: 'stranger@example.com', constructor: 'x' }, 'fields.constructor'],
  ] as const) {
    const { code, details } = await refusedSubmission(form_id, fields)
    assert.deepEqual([code, details.field], ['invalid_request', field])
  }
  assert.deepEqual(await traces(database.db, businessId), before)
  assert.equal(({} as Record<string, unknown>)['a'], undefined)
})

test('a submission to another business’s form is refused like one to an unknown form', async () => {
  const form_id = await publishedForm(caller)
  const other = callerIn({ db: database.db, clock }, await newBusiness(database.db))
  const never = form_id.replace(/.{4}$/, 'zzzz')
  const theirs = await other.refused(forms.submit, { form_id, fields: ada })
  const none = await other.refused(forms.submit, { form_id: never, fields: ada })
  assert.deepEqual(
    [theirs.code, theirs.message.replace(form_id, never), theirs.details],
    [none.code, none.message, none.details],
  )
  const impossible = never.replace(/^frm_./, 'frm_z')
  assert.equal((await refusedSubmission(impossible)).code, 'not_found')
})

test('concurrent submissions fail independently of each other', async () => {
  const form_id = await publishedForm(caller)
  const answers = await Promise.all([
    submit(form_id, { email: 'fine1@example.com' }),
    refusedSubmission(form_id, { email: 'nonsense' }),
    submit(form_id, { email: 'fine2@example.com' }),
    refusedSubmission(form_id.replace(/.{4}$/, 'zzzz')),
  ])
  const [one, nonsense, two, unknown] = answers
  assert.notEqual(one.contact_id, two.contact_id)
  assert.equal(nonsense.details.field, 'fields.email')
  assert.equal(unknown.code, 'not_found')
  const form = await caller.get<{ submission_count: number }>(forms.get, { form_id })
  assert.equal(form.submission_count, 2)
})

test('a submission with an idempotency key is stored once, however often it is sent', async () => {
  const form_id = await publishedForm(caller)
  const key = { idempotency_key: 'sent-twice' }
  const [one, two] = await Promise.all([submit(form_id, ada, key), submit(form_id, ada, key)])
  assert.deepEqual(one, two)
  const form = await caller.get<{ submission_count: number }>(forms.get, { form_id })
  assert.equal(form.submission_count, 1)
})
