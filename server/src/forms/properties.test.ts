/** Whatever forms receive: an answer or a refusal that names its field, never a partial write. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import {
  emailField,
  feedOf,
  forms,
  publishedForm,
  type Submitted,
  traces,
} from '../../../tests/support/businesses/forms.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { fc } from '../../../tests/support/properties.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { isRefusal, type Refusal, statusOf } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import { fieldTypes } from './form.ts'

let database: TestDatabase
let businessId: Id<'business'>
let caller: Caller
let form_id: string
const clock = new ManualClock()

const options = ['Red', 'Green', 'toString']
// Topics must belong to the business; offered-topics.test.ts covers them.
const fields = fieldTypes
  .filter((type) => type !== 'topics')
  .map((type) => {
    const hasOptions = ['select', 'radio', 'several-of'].includes(type)
    return { key: `f-${type}`, label: type, type, ...(hasOptions && { options }) }
  })

before(async () => {
  database = await testDatabase()
  businessId = await newBusiness(database.db)
  caller = callerIn({ db: database.db, clock }, businessId)
  const names = ['name', 'constructor', 'toString']
  const inherited = names.map((key) => ({ key, label: key, type: 'text' }))
  form_id = await publishedForm(caller, [...fields, ...inherited])
})
after(() => database.drop())

const somebody = fc.integer({ min: 0, max: 20 }).map((n) => `p${n}@example.com`)
const keys = [...fields.map(({ key }) => key), 'email', 'name', 'constructor', '__proto__', '', 'x']
const somePhones = ['+33123456789', '+14155552671', '0123', '+']
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', ' ', 'Red', 'Red, Green', 'true', 'no', '12', '1e400', '2026-02-30', '\0'),
  fc.constantFrom('2026-02-28', 'https://example.com', 'javascript:0', '\ud800', ...somePhones),
  somebody,
)
const answers = fc
  .array(
    fc.tuple(fc.constantFrom(...keys), fc.oneof({ weight: 20, arbitrary: text }, fc.jsonValue())),
    {
      maxLength: 4,
    },
  )
  .map((pairs) => Object.fromEntries(pairs))

/** Asserts that the refusal blames the caller's input and names its field. */
function assertFair({ code, message, details }: Refusal): void {
  assert.ok(statusOf[code] < 500, `${code}: ${message}`)
  assert.match(details.field ?? '', /^(name|status|tags|fields)/, message)
}

test('with arbitrary answers each submission is stored completely or not at all', async () => {
  const email = fc.oneof({ weight: 9, arbitrary: somebody }, text)
  const given = fc.record({ email, rest: answers }).map(({ email, rest }) => ({ email, ...rest }))
  let taken = 0
  await fc.assert(
    fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 6 }), async (all) => {
      const before = await traces(database.db, businessId)
      const outcomes = await Promise.all(
        all.map((entry) => caller.ask<Submitted>(forms.submit, { form_id, fields: entry })),
      )
      const fine = outcomes.filter((outcome) => !isRefusal(outcome))
      for (const outcome of outcomes) if (isRefusal(outcome)) assertFair(outcome)
      taken += fine.length
      const after = await traces(database.db, businessId)
      assert.deepEqual(
        [after.counted, after.submissions, after.announced],
        [before.counted, before.submissions, before.announced].map((n) => n + fine.length),
      )
      if (fine.length === 0) assert.equal(after.contacts, before.contacts)
    }),
    { numRuns: 80 },
  )
  assert.ok(taken > 20, `only ${taken} were taken: nothing was shown`)
})

test('arbitrary valid answers appear in the event as the submitted strings', async () => {
  const line = fc.string({ unit: 'binary', maxLength: 200 }).filter((entry) => {
    return entry.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(entry)
  })
  const given = fc.record(
    { email: fc.emailAddress(), 'f-text': line, 'f-hidden': line },
    { noNullPrototype: true },
  )
  await fc.assert(
    fc.asyncProperty(given, async (entry) => {
      const answer = await caller.ask<Submitted>(forms.submit, { form_id, fields: entry })
      // Some addresses that RFC 5322 allows cannot receive mail and are refused.
      if (isRefusal(answer)) return assert.equal(answer.details.field, 'fields.email')
      const events = await feedOf(caller, { db: database.db, clock })
      const event = events.find(({ data }) => data['submission_id'] === answer.submission_id)
      assert.deepEqual(event?.data['fields'], entry)
      return undefined
    }),
    { numRuns: 25 },
  )
})

test('an arbitrary form is saved and read back, or refused at a field', async () => {
  const someKey = fc.oneof(fc.constantFrom(...keys), fc.string({ maxLength: 70 }))
  const field = fc.record(
    {
      key: someKey,
      label: fc.string({ maxLength: 20 }),
      type: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fieldTypes) }, fc.string()),
      required: fc.boolean(),
      options: fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
      channel: fc.constantFrom('email', 'sms'),
    },
    { requiredKeys: ['key', 'label', 'type'] },
  )
  const input = fc.record(
    {
      name: fc.oneof(fc.constant('A form'), fc.string(), fc.jsonValue()),
      status: fc.constantFrom('draft', 'published', 'archived', 'gone'),
      fields: fc.oneof(fc.array(field, { maxLength: 4 }), fc.jsonValue()),
      tags: fc.oneof(fc.array(fc.string(), { maxLength: 2 }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  )
  let saved = 0
  await fc.assert(
    fc.asyncProperty(input, fc.boolean(), async (asked, isSound) => {
      const design = isSound ? { ...asked, name: 'A form', fields: [emailField], tags: [] } : asked
      const answer = await caller.ask<{ form_id: string }>(forms.save, design)
      if (isRefusal(answer)) return assertFair(answer)
      saved++
      const form = await caller.get<{ fields: object[] }>(forms.get, {
        form_id: answer.form_id,
      })
      assert.equal(form.fields.length, (design.fields as object[]).length)
      return undefined
    }),
    { numRuns: 200 },
  )
  assert.ok(saved > 20, `only ${saved} were saved`)
})
