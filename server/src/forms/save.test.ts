import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newBusiness } from '../../../tests/support/businesses/business.ts'
import { type Caller, callerIn } from '../../../tests/support/clients/calls.ts'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { statusOf } from '../core/errors.ts'
import { sql } from '../lib/db/db.ts'
import { type FormField, type FormView, formLimits } from './form.ts'
import { formGallery } from './gallery.ts'
import { formGet } from './get.ts'
import { formSave as formSaveAt } from './save.ts'

const formSave = formSaveAt({ appUrl: 'https://app.example' })

let database: TestDatabase
let caller: Caller
const clock = new ManualClock()
before(async () => {
  database = await testDatabase()
  caller = callerIn({ db: database.db, clock }, await newBusiness(database.db))
})
after(() => database.drop())

const email = { key: 'email', label: 'Email', type: 'email', required: true }
const appUrl = 'https://app.example'

/** The form without its `share` part. */
async function read(form_id: string): Promise<FormView> {
  const whole = await caller.get<FormView & { share: object; saved?: object }>(
    formGet({ appUrl }),
    { form_id },
  )
  const { share: _, saved: __, ...form } = whole
  return form
}

async function save(input: object): Promise<string> {
  const { form_id } = await caller.get<{ form_id: string }>(formSave, input)
  return form_id
}

test('a new form is a draft without submissions, and is read as it was saved', async () => {
  const fields = [
    email,
    { key: 'size', label: 'Size', type: 'select', options: ['S', 'M'] },
    { key: 'news', label: 'Send me news.', type: 'consent' },
  ]
  const form_id = await save({ name: 'Join us', fields, tags: ['site'] })
  const now = clock.now().toISOString()
  assert.deepEqual(await read(form_id), {
    form_id,
    name: 'Join us',
    status: 'draft',
    fields: [
      email,
      { ...fields[1], required: false },
      { ...fields[2], required: false, channel: 'email' },
    ],
    tags: ['site'],
    page: {},
    double_opt_in: true,
    guarded_since: null,
    url: `${appUrl}/f/${form_id}`,
    version: 1,
    submission_count: 0,
    created_at: now,
    updated_at: now,
  })
})

test('the page settings of a form are saved separately, and an invalid one is refused at its field', async () => {
  const page = { title: 'Join us', allowed_sites: ['https://shop.example'], colour: '#4f46e5' }
  const form_id = await save({ name: 'Paged', fields: [email], page })
  await save({ form_id, page: { title: '', thanks: 'Bye' } })
  const { title: _, ...rest } = page
  assert.deepEqual((await read(form_id)).page, { ...rest, thanks: 'Bye' })
  assert.equal((await read(form_id)).version, 2)
  const wrong: [string, object][] = [
    ['page.redirect_url', { redirect_url: 'javascript:alert(1)' }],
    ['page.allowed_sites[0]', { allowed_sites: ['https://shop.example/path'] }],
    ['page.allowed_sites[0]', { allowed_sites: ["https://a.example; script-src 'unsafe-inline'"] }],
    ['page.colour', { colour: 'red;}' }],
    ['page.texts.xx_YY', { texts: { xx_YY: {} } }],
    ['page.texts.de', { texts: { de: { labels: { no: 'x' } } } }],
    ['page.nothing', { nothing: 1 }],
  ]
  for (const [field, changes] of wrong) {
    const refused = await caller.refused(formSave, { form_id, page: changes })
    assert.equal(refused.details.field, field)
  }
})

test('omitted fields of a form are unchanged', async () => {
  const form_id = await save({ name: 'Partly', fields: [email], tags: ['a'] })
  const before = await read(form_id)
  clock.forward(1000)
  assert.equal(await save({ form_id, status: 'published' }), form_id)
  const now = clock.now().toISOString()
  assert.deepEqual(await read(form_id), { ...before, status: 'published', updated_at: now })
  await save({ form_id, name: 'Renamed', tags: [] })
  const after = await read(form_id)
  assert.deepEqual([after.name, after.tags, after.status], ['Renamed', [], 'published'])
})

test('the version of a form counts all changes but those of its status', async () => {
  const form_id = await save({ name: 'Versions', fields: [email] })
  await save({ form_id, status: 'archived', fields: [email] })
  assert.equal((await read(form_id)).version, 1)
  await save({ form_id, fields: [{ ...email, label: 'Your email' }] })
  assert.equal((await read(form_id)).version, 2)
  await save({ form_id, name: 'Other name' })
  assert.equal((await read(form_id)).version, 3)
})

test('saving a form without changes has no effect', async () => {
  const form_id = await save({ name: 'Same', fields: [email] })
  const before = await read(form_id)
  clock.forward(1000)
  await save({ form_id, name: 'Same', fields: before.fields, tags: [], status: 'draft' })
  assert.deepEqual(await read(form_id), before)
})

test('a form that was read can be saved back unchanged', async () => {
  const consent = { key: 'news', label: 'News', type: 'consent' }
  const form_id = await save({ name: 'Round', fields: [consent, email] })
  const { fields, name, status } = await read(form_id)
  await save({ form_id, fields, name, status })
  assert.equal((await read(form_id)).version, 1)
})

test('a new form requires a name and fields', async () => {
  assert.equal((await caller.refused(formSave, { fields: [email] })).details.field, 'name')
  assert.equal((await caller.refused(formSave, { name: 'No fields' })).details.field, 'fields')
})

test('a published form cannot lose the field that identifies the person', async () => {
  const form_id = await save({ name: 'Live', status: 'published', fields: [email] })
  const before = await read(form_id)
  const fields = [{ ...email, required: false }]
  const refusal = await caller.refused(formSave, { form_id, fields })
  assert.deepEqual([refusal.code, refusal.details.field], ['invalid_request', 'fields'])
  assert.deepEqual(await read(form_id), before)
  await save({ form_id, fields, status: 'draft' })
  const refused = await caller.refused(formSave, { form_id, status: 'published' })
  assert.equal(statusOf[refused.code], 400)
})

test('a form can change from any status to any other', async () => {
  const form_id = await save({ name: 'NamedQueues', fields: [email] })
  for (const status of ['published', 'archived', 'draft', 'archived', 'published', 'draft']) {
    await save({ form_id, status })
    assert.equal((await read(form_id)).status, status)
  }
})

test('concurrent changes of one form all take effect', async () => {
  const form_id = await save({ name: 'Both', fields: [email] })
  await Promise.all([
    save({ form_id, name: 'Changed' }),
    save({ form_id, tags: ['changed'] }),
    save({ form_id, fields: [{ ...email, label: 'Changed' }] }),
  ])
  const { name, tags, fields, version } = await read(form_id)
  assert.deepEqual([name, tags, fields[0]?.label, version], ['Changed', ['changed'], 'Changed', 4])
})

const edge = (length: number) => 'x'.repeat(length)
const choice = (options: string[]) => ({ key: 'c', label: 'C', type: 'select', options })
const numbered = (n: number) =>
  Array.from({ length: n }, (_, i): FormField => ({ key: `f${i}`, label: 'F', type: 'text' }))
const options = (n: number) => Array.from({ length: n }, (_, i) => `o${i}`)

const edges: { what: string; fits: object; over: object; field: string }[] = [
  {
    what: 'a name',
    fits: { name: edge(formLimits.nameLength) },
    over: { name: edge(formLimits.nameLength + 1) },
    field: 'name',
  },
  {
    what: 'the number of fields',
    fits: { fields: numbered(formLimits.fields) },
    over: { fields: numbered(formLimits.fields + 1) },
    field: 'fields',
  },
  {
    what: 'a key',
    fits: { fields: [{ ...email, key: edge(formLimits.keyLength) }] },
    over: { fields: [{ ...email, key: edge(formLimits.keyLength + 1) }] },
    field: 'fields[0].key',
  },
  {
    what: 'a label',
    fits: { fields: [{ ...email, label: edge(formLimits.labelLength) }] },
    over: { fields: [{ ...email, label: edge(formLimits.labelLength + 1) }] },
    field: 'fields[0].label',
  },
  {
    what: 'the number of options',
    fits: { fields: [choice(options(formLimits.options))] },
    over: { fields: [choice(options(formLimits.options + 1))] },
    field: 'fields[0].options',
  },
  {
    what: 'an option',
    fits: { fields: [choice([edge(formLimits.optionLength)])] },
    over: { fields: [choice([edge(formLimits.optionLength + 1)])] },
    field: 'fields[0].options[0]',
  },
  {
    what: 'the number of tags',
    fits: { tags: options(formLimits.tags) },
    over: { tags: options(formLimits.tags + 1) },
    field: 'tags',
  },
  {
    what: 'a tag',
    fits: { tags: [edge(formLimits.tagLength)] },
    over: { tags: [edge(formLimits.tagLength + 1)] },
    field: 'tags[0]',
  },
]
for (const { what, fits, over, field } of edges) {
  test(`the limit of ${what} accepts the maximum, and one more is refused at its field`, async () => {
    await save({ name: 'Edge', fields: [email], ...fits })
    const refusal = await caller.refused(formSave, { name: 'Edge', fields: [email], ...over })
    assert.deepEqual([refusal.code, refusal.details.field], ['invalid_request', field])
  })
}

test('an invalid field key is refused', async () => {
  for (const key of ['', '1st', 'first name', '__proto__', '_x', 'é', 'a.b', 'a\n', 'a[0]']) {
    const fields = [{ ...email, key }]
    const { details } = await caller.refused(formSave, { name: 'Keys', fields })
    assert.equal(details.field, 'fields[0].key', key)
  }
})

test('saving another business’s form is refused like an unknown form', async () => {
  const form_id = await save({ name: 'Theirs', fields: [email] })
  const before = await read(form_id)
  const other = callerIn({ db: database.db, clock }, await newBusiness(database.db))
  const never = form_id.replace(/.{4}$/, 'zzzz')
  for (const change of [{ name: 'Mine' }, { status: 'published' }, {}]) {
    const refusal = await other.refused(formSave, { form_id, ...change })
    const same = await other.refused(formSave, { form_id: never, ...change })
    assert.equal(refusal.code, 'not_found')
    assert.equal(refusal.message.replace(form_id, never), same.message)
  }
  assert.deepEqual(await read(form_id), before)
})

test('a refused form leaves no row', async () => {
  const count = () =>
    database.db.one<{ n: number }>(sql`select count(*) as n from forms`).then(({ n }) => n)
  const before = await count()
  await caller.refused(formSave, { name: 'Twice', fields: [email, email] })
  assert.equal(await count(), before)
})

test('a form saved with an idempotency key is created once', async () => {
  const input = { name: 'Once', fields: [email], idempotency_key: 'once' }
  assert.equal(await save(input), await save(input))
})

test('a saved form is told what may disappoint: no consent, no confirmation, no policy, no site', async () => {
  const warnings = async (input: object) =>
    (await caller.get<{ warnings: string[] }>(formSave, { name: 'Warned', ...input })).warnings
  const news = { key: 'news', label: 'News?', type: 'consent' }
  const [first, ...rest] = await warnings({ fields: [email] })
  assert.match(first ?? '', /subscribes nobody/)
  assert.deepEqual(rest, [])
  const fields = [email, news]
  const found = await warnings({ fields, double_opt_in: false, page: { embed: { show: 'bar' } } })
  assert.deepEqual(
    found.map((text) => /double_opt_in|privacy_url|allowed_sites/.exec(text)?.[0]),
    ['double_opt_in', 'privacy_url', 'allowed_sites'],
  )
  await caller.get(formSave, { name: 'Plain', fields: [{ ...email, type: 'phone' }] })
})

test('how a script shows a form has limits', async () => {
  const refusedAt = async (embed: object) => {
    const page = { embed }
    return (await caller.refused(formSave, { name: 'Edge', fields: [email], page })).details.field
  }
  assert.equal(await refusedAt({ after_seconds: 4 }), 'page.embed.after_seconds')
  assert.equal(await refusedAt({ after_seconds: 601 }), 'page.embed.after_seconds')
  assert.equal(await refusedAt({ scroll_percent: 96 }), 'page.embed.scroll_percent')
  assert.equal(await refusedAt({ quiet_days: 366 }), 'page.embed.quiet_days')
  assert.equal(await refusedAt({ label: 'two\nlines' }), 'page.embed.label')
  assert.equal(await refusedAt({ show: 'everywhere' }), 'page.embed.show')
  const edges = { after_seconds: 5, scroll_percent: 95, quiet_days: 365, label: 'x'.repeat(60) }
  await caller.get(formSave, { name: 'Edge', fields: [email], page: { embed: edges } })
})

test('a form of the gallery can be saved as it is, in each language', async () => {
  interface Starters {
    forms: { key: string; name: string; fields: object[]; page: object }[]
  }
  for (const language of ['en', 'de', 'fr']) {
    const { forms } = await caller.get<Starters>(formGallery, { language })
    assert.equal(forms.length, 6)
    for (const { name, fields, page } of forms) {
      await caller.get(formSave, { name, fields, page, status: 'published' })
    }
  }
})
