import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { emailField, forms, publishedForm } from '../../../tests/support/businesses/forms.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import type { FormView } from './form.ts'

let database: TestDatabase
let caller: Caller
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const here = async () => {
  const id = await newBusiness(database.db)
  caller = callerIn({ db: database.db, clock }, id)
}
const list = (input: object = {}) =>
  caller.get<{ forms: FormView[]; next_cursor?: string }>(forms.list, input)

test('a business without forms gets an empty list', async () => {
  await here()
  assert.deepEqual(await list(), { forms: [] })
})

test('a listed form has the same fields as when read alone, including submission_count', async () => {
  await here()
  const form_id = await publishedForm(caller, [{ key: 'size', label: 'Size', type: 'number' }])
  for (const n of [1, 2, 3]) {
    await caller.get(forms.submit, { form_id, fields: { email: `${n}@example.com` } })
  }
  type Whole = FormView & { share: object; saved: object }
  const { share, saved, ...form } = await caller.get<Whole>(forms.get, { form_id })
  assert.ok(saved)
  assert.equal(form.submission_count, 3)
  assert.deepEqual(Object.keys(share), ['link', 'qr', 'script', 'iframe', 'html'])
  assert.deepEqual((await list()).forms, [form])
})

test('forms are listed in pages, newest first, and by status', async () => {
  await here()
  const ids: string[] = []
  for (const status of ['draft', 'published', 'draft', 'archived', 'draft']) {
    ids.unshift(await publishedForm(caller, [], { status }))
  }
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await list({ limit: 2, ...(cursor !== undefined && { cursor }) })
    assert.ok(page.forms.length <= 2)
    seen.push(...page.forms.map(({ form_id }) => form_id))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  assert.deepEqual(seen, ids)
  const drafts = await list({ status: 'draft', limit: 3 })
  assert.deepEqual(
    drafts.forms.map(({ form_id }) => form_id),
    [ids[0], ids[2], ids[4]],
  )
  assert.equal(drafts.next_cursor, undefined)
})

test('a business sees only its own forms', async () => {
  await here()
  const form_id = await publishedForm(caller)
  const mine = caller
  await here()
  assert.deepEqual((await list()).forms, [])
  const refusal = await caller.refused(forms.get, { form_id })
  const never = form_id.replace(/.{4}$/, 'zzzz')
  const none = await caller.refused(forms.get, { form_id: never })
  assert.deepEqual(
    [refusal.code, refusal.message.replace(form_id, never)],
    [none.code, none.message],
  )
  await mine.get(forms.get, { form_id })
})

test('the largest page of forms is 200', async () => {
  await here()
  await caller.get(forms.save, { name: 'One', fields: [emailField] })
  assert.equal((await list({ limit: 200 })).forms.length, 1)
  for (const limit of [0, 201, 1.5]) {
    assert.equal((await caller.refused(forms.list, { limit })).details.field, 'limit')
  }
})
